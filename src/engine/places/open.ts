import QuickLRU from 'quick-lru';
import {
  type NamedPlaces,
  normalise,
  type Place,
  type PlaceArea,
  type PlaceQuery,
  type Places,
} from '../../contract/place-names.ts';
import { PLACE_LIMIT_DEFAULT } from '../../contract/values.ts';
import { openIndex, type PlaceIndex } from './gazetteer.ts';
import { KEY_MAX_BYTES } from './index-file.ts';
import type { KeyIndex } from './key-index.ts';
import { nearestPlaces } from './nearest.ts';
import { allOf, type Interpretation, parsePlaceQuery, type Regions } from './parse-query.ts';
import { type Kind, largest, rank } from './rank.ts';

/** Some 5 MB: listings name the same places again and again. */
const KNOWN_PLACES_MAX = 10_000;

/** The places of the file that `scripts/places.ts` builds. Throws FILE_UNREADABLE, also where a call reads damage. */
export function openPlaces(path: string): Places & { close(): void } {
  const index = openIndex(path);
  return { ...placesOf(() => index), close: () => index.file.close() };
}

/** The same, opened by the first call: most commands name no place, and need no index. */
export function placesOnFirstUse(path: string): ReturnType<typeof openPlaces> {
  let index: PlaceIndex | undefined;
  const opened = () => {
    index ??= openIndex(path);
    return index;
  };
  return { ...placesOf(opened), close: () => index?.file.close() };
}

function placesOf(index: () => PlaceIndex): Places {
  const known = new QuickLRU<number, Place>({ maxSize: KNOWN_PLACES_MAX });
  const placeAt = (ordinal: number | undefined): Place | undefined =>
    ordinal === undefined ? undefined : index().gazetteer.place(ordinal);
  return {
    search: (query) => searchPlaces(index(), query),
    byId(locationId) {
      const place = known.get(locationId) ?? placeAt(index().gazetteer.ordinalOf(locationId));
      if (place !== undefined) known.set(locationId, place);
      return place;
    },
    named: (name, area) => namedPlaces(index(), name, area),
    areas: (name) => areasCalled(index(), name),
    largestIn: (area) => placeAt(index().gazetteer.largestIn(area)),
    nearest: (text, limit, budget) => nearestPlaces(index(), text, limit, budget),
  };
}

/** As many as tell whether one of them outweighs the others. */
const NAMESAKES_MAX = 8;

function namedPlaces(
  { names, aliases, gazetteer }: PlaceIndex,
  name: string,
  area: PlaceArea | undefined,
): NamedPlaces {
  if (name === '' || Buffer.byteLength(name) > KEY_MAX_BYTES) return { official: [], others: [] };
  const isIn = area && gazetteer.isIn(area);
  const best = (keys: KeyIndex) =>
    largest(keys.find(name).whole, NAMESAKES_MAX, isIn).map((ordinal) => gazetteer.place(ordinal));
  return { official: best(names), others: best(aliases) };
}

function areasCalled({ areas, gazetteer }: PlaceIndex, name: string): PlaceArea[] {
  if (name === '' || Buffer.byteLength(name) > KEY_MAX_BYTES) return [];
  return areas.named(name).map(({ first, end, isCountry }) => {
    const { stateProvince, country, countryCode } = gazetteer.region(first);
    return { region: isCountry ? '' : stateProvince, country, countryCode, first, end };
  });
}

function searchPlaces(index: PlaceIndex, query: PlaceQuery): Place[] {
  const country = query.country === undefined ? undefined : index.areas.country(normalise(query.country));
  if (query.country !== undefined && country === undefined) return [];
  const limit = query.limit ?? PLACE_LIMIT_DEFAULT;
  const found: Record<Kind, number[]> = {
    name: [],
    words: [],
    prefix: [],
    alias: [],
    impliedArea: [],
    aliasPrefix: [],
  };
  for (const interpretation of parsePlaceQuery(query.q, index.areas)) {
    const within = allOf([interpretation.within, country].filter((regions) => regions !== undefined));
    collect(index, interpretation, within, limit, found);
  }
  const best = rank(found, (ordinal) => index.gazetteer.population(ordinal), limit);
  return best.map((ordinal) => index.gazetteer.place(ordinal));
}

function collect(
  { names, aliases, gazetteer }: PlaceIndex,
  { name, isAreaImplied }: Interpretation,
  within: Regions | undefined,
  limit: number,
  found: Record<Kind, number[]>,
): void {
  if (Buffer.byteLength(name) > KEY_MAX_BYTES) return;
  const isWithin = within === undefined ? undefined : gazetteer.isWithin(within);
  const best = (ordinals: Uint32Array) => largest(ordinals, limit, isWithin);
  const official = names.find(name);
  const other = aliases.find(name);
  found.name.push(...best(official.whole));
  found[isAreaImplied ? 'impliedArea' : 'words'].push(...best(official.words));
  found[isAreaImplied ? 'impliedArea' : 'prefix'].push(...best(official.inWord));
  found.alias.push(...best(other.whole));
  found.aliasPrefix.push(...best(other.words), ...best(other.inWord));
}
