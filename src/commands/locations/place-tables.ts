import type { Connection } from '../../cli/connection/connect.ts';
import { type Column, type ListShape, table } from '../../cli/terminal/table.ts';
import type { View } from '../../cli/terminal/view.ts';
import { isQueryRefused } from '../../client/optional-operation.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { LocationSuggestion } from '../../contract/job.ts';
import { formatNumber } from '../../contract/words.ts';
import type { UsedText } from '../../listings/places/place-uses.ts';
import { type PlaceMeaning, remoteFields } from '../../places/decide/place-meaning.ts';
import { normalise, type PlaceQuery } from '../../places/place-names.ts';
import { countriesByName } from '../../places/regions.ts';

/** A server may ignore or refuse `limit` and `country`, which aren't in the specification. */
export async function findPlaces(query: PlaceQuery, { target, searchLocations }: Connection) {
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

/** Only the bundled places have a population. */
const POPULATION: Column<PlaceRow> = {
  title: 'POPULATION',
  text: ({ population }) => (population === undefined ? '' : formatNumber(population)),
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

const CANDIDATES_SHOWN = 3;

function describeMeaning(meaning: PlaceMeaning): string {
  switch (meaning.kind) {
    case 'place':
      return `${meaning.place.locationId} ${meaning.place.displayName}`;
    case 'several':
      return meaning.parts.map((part) => describeMeaning(part.meaning)).join(' · ');
    case 'remote':
      return remoteFields(meaning.countries);
    case 'country':
      return meaning.country;
    case 'region':
      return [meaning.region, meaning.country].filter(Boolean).join(', ');
    case 'continent':
      return meaning.name;
    case 'ambiguous':
      return `${meaning.candidates
        .slice(0, CANDIDATES_SHOWN)
        .map(({ displayName }) => displayName)
        .join(' or ')}?`;
    default:
      return '';
  }
}

export const RESOLVED_COLUMNS: readonly Column<UsedText>[] = [
  { title: 'TEXT', text: ({ text }) => text, shrinksTo: 12 },
  {
    title: 'USES',
    text: ({ uses }) => String(uses.length),
    value: ({ uses }) => uses.length,
    align: 'right',
    givesWay: 2,
  },
  {
    title: 'FIRST',
    text: ({ uses: [first] }) => (first ? `${first.file}:${first.cell ?? first.line}` : ''),
    shrinksTo: 10,
    givesWay: 1,
  },
  { title: 'BECOMES', text: ({ meaning }) => describeMeaning(meaning), shrinksTo: 14 },
  {
    title: 'SURE',
    text: ({ meaning }) => (meaning.kind === 'place' ? meaning.sure : meaning.kind),
    style: ({ meaning }) => (meaning.kind === 'place' || meaning.kind === 'several' ? 'green' : 'yellow'),
  },
];
