import type { Connection } from '../../cli/connection/connect.ts';
import type { Column, ListShape } from '../../cli/terminal/column.ts';
import { table } from '../../cli/terminal/table.ts';
import type { View } from '../../cli/terminal/view.ts';
import { isQueryRefused } from '../../client/optional-operation.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { LocationSuggestion } from '../../contract/job.ts';
import { normalise, type PlaceQuery } from '../../contract/place-names.ts';
import { countriesByName } from '../../contract/regions.ts';
import { grouped } from '../../contract/words.ts';

/** A server may ignore or refuse `limit` and `country`, which the specification does not name. */
export async function searchedPlaces(query: PlaceQuery, { target, searchLocations }: Connection) {
  const { q, limit, country } = query;
  const hasMore = limit !== undefined || country !== undefined;
  const found = await searchLocations(query).catch((error: unknown) => {
    const isRefused = error instanceof PartnerError && isQueryRefused(error);
    if (target.kind === 'embedded' || !isRefused || !hasMore) throw error;
    return searchLocations({ q });
  });
  if (country === undefined) return found.slice(0, limit);
  const wanted = countryName(country);
  return found.filter((place) => countryName(place.country) === wanted).slice(0, limit);
}

function countryName(country: string): string {
  const name = normalise(country);
  return countriesByName().get(name)?.name ?? name;
}

export type PlaceRow = LocationSuggestion & { readonly population?: number | undefined };

const COMMON_COLUMNS: readonly Column<PlaceRow>[] = [
  { title: 'ID', text: ({ locationId }) => String(locationId), value: ({ locationId }) => locationId },
  { title: 'CITY', text: ({ city }) => city, shrinksTo: 10 },
  { title: 'REGION', text: ({ stateProvince }) => stateProvince, shrinksTo: 8, givesWay: 1 },
  { title: 'COUNTRY', text: ({ country }) => country, shrinksTo: 8 },
];

/** What tells two places of the same name apart; only our own search knows it. */
const POPULATION: Column<PlaceRow> = {
  title: 'POPULATION',
  text: ({ population }) => (population === undefined ? '' : grouped(population)),
  whole: ({ population = '' }) => String(population),
  value: ({ population }) => population,
  align: 'right',
  givesWay: 2,
};

export const PLACE_COLUMNS = [...COMMON_COLUMNS, POPULATION];

export function placeTable(places: readonly PlaceRow[], view: View, shape?: ListShape<PlaceRow>) {
  const isKnown = places.some(({ population }) => population !== undefined);
  return table(isKnown ? PLACE_COLUMNS : COMMON_COLUMNS, places, view, 'No places.', shape);
}
