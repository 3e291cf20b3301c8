import type { Connection } from '../../cli/connection/connection.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { LocationSuggestion } from '../../contract/job.ts';
import { normalise } from '../../contract/place-names.ts';
import type { PlaceQuery } from '../../contract/places.ts';
import { areasCalled } from '../../listings/places/place-choice.ts';

/**
 * The places that a server finds, at most `limit` and only of `country`: the specification names neither parameter, so
 * a server may ignore them, or refuse the search for them.
 */
export async function searchedPlaces(
  { q, limit, country }: PlaceQuery,
  { client, target, rememberPlaces }: Connection,
): Promise<LocationSuggestion[]> {
  const more = { ...(limit === undefined ? {} : { limit }), ...(country === undefined ? {} : { country }) };
  const found = await client.searchLocations({ q, ...more }).catch((error: unknown) => {
    const isRefused = error instanceof PartnerError && (error.status === 400 || error.status === 422);
    if (target.kind === 'embedded' || !isRefused || Object.keys(more).length === 0) throw error;
    return client.searchLocations({ q });
  });
  rememberPlaces(found);
  const isThere = country === undefined ? () => true : inCountry(country);
  return found.filter(isThere).slice(0, limit);
}

/** Tells of a place whether it is in a country that is given by a name, an alias or a code. */
function inCountry(given: string): (place: LocationSuggestion) => boolean {
  const wanted = namesOf(given);
  return ({ country }) => namesOf(country).some((name) => wanted.includes(name));
}

function namesOf(country: string): string[] {
  const name = normalise(country);
  return [name, ...areasCalled(name)];
}
