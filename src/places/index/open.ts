import QuickLRU from 'quick-lru';
import { PLACE_LIMIT_DEFAULT } from '../../contract/values.ts';
import {
  type NamedPlaces,
  normalise,
  type Place,
  type PlaceArea,
  type PlaceQuery,
  type Places,
} from '../place-names.ts';
import { openIndex, type PlaceIndex } from './gazetteer.ts';
import { KEY_MAX_BYTES } from './index-file.ts';
import type { KeyIndex } from './key-index.ts';
import { nearestPlaces } from './nearest.ts';
import { type Interpretation, intersectRegions, parsePlaceQuery, type Regions } from './parse-query.ts';
import { type Kind, largest, rank } from './rank.ts';

const KNOWN_PLACES_MAX = 10_000;

/** Opens the index that `scripts/places.ts` builds. Throws FILE_UNREADABLE, also later if a read finds damage. */
export function openPlaces(path: string): Places & { close(): void } {
  const index = openIndex(path);
  return { ...createPlaces(() => index), close: () => index.file.close() };
}

export function placesOnFirstUse(path: string): ReturnType<typeof openPlaces> {
  let index: PlaceIndex | undefined;
  const loadIndex = () => {
    index ??= openIndex(path);
    return index;
  };
  return { ...createPlaces(loadIndex), close: () => index?.file.close() };
}

function createPlaces(index: () => PlaceIndex): Places {
  const known = new QuickLRU<number, Place>({ maxSize: KNOWN_PLACES_MAX });
  const findPlace = (ordinal: number | undefined): Place | undefined =>
    ordinal === undefined ? undefined : index().gazetteer.place(ordinal);
  return {
    search: (query) => searchPlaces(index(), query),
    byId(locationId) {
      const place = known.get(locationId) ?? findPlace(index().gazetteer.findOrdinal(locationId));
      if (place !== undefined) known.set(locationId, place);
      return place;
    },
    named: (name, area) => findNamedPlaces(index(), name, area),
    areas: (name) => findAreasByName(index(), name),
    largestIn: (area) => findPlace(index().gazetteer.findLargest(area)),
    nearest: (text, limit, budget) => nearestPlaces(index(), text, limit, budget),
  };
}

const NAMESAKES_MAX = 8;

function findNamedPlaces(
  { names, aliases, gazetteer }: PlaceIndex,
  name: string,
  area: PlaceArea | undefined,
): NamedPlaces {
  if (name === '' || Buffer.byteLength(name) > KEY_MAX_BYTES) return { official: [], others: [] };
  const isIn = area && gazetteer.buildAreaFilter(area);
  const best = (keys: KeyIndex) =>
    largest(keys.find(name).whole, NAMESAKES_MAX, isIn).map((ordinal) => gazetteer.place(ordinal));
  return { official: best(names), others: best(aliases) };
}

function findAreasByName({ areas, gazetteer }: PlaceIndex, name: string): PlaceArea[] {
  if (name === '' || Buffer.byteLength(name) > KEY_MAX_BYTES) return [];
  return areas.listAreas(name).map(({ first, end, isCountry }) => {
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
    const within = intersectRegions(
      [interpretation.within, country].filter((regions) => regions !== undefined),
    );
    collectMatches(index, interpretation, within, limit, found);
  }
  const best = rank(found, (ordinal) => index.gazetteer.population(ordinal), limit);
  return best.map((ordinal) => index.gazetteer.place(ordinal));
}

function collectMatches(
  { names, aliases, gazetteer }: PlaceIndex,
  { name, isAreaImplied }: Interpretation,
  within: Regions | undefined,
  limit: number,
  found: Record<Kind, number[]>,
): void {
  if (Buffer.byteLength(name) > KEY_MAX_BYTES) return;
  const isWithin = within === undefined ? undefined : gazetteer.buildRegionFilter(within);
  const best = (ordinals: Uint32Array) => largest(ordinals, limit, isWithin);
  const official = names.find(name);
  const other = aliases.find(name);
  found.name.push(...best(official.whole));
  found[isAreaImplied ? 'impliedArea' : 'words'].push(...best(official.words));
  found[isAreaImplied ? 'impliedArea' : 'prefix'].push(...best(official.inWord));
  found.alias.push(...best(other.whole));
  found.aliasPrefix.push(...best(other.words), ...best(other.inWord));
}
