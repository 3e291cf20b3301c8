import QuickLRU from 'quick-lru';
import { PLACE_LIMIT_DEFAULT } from '../../contract/values.ts';
import { normalise, type Place, type PlaceArea, type PlaceQuery, type Places } from '../place-names.ts';
import { openIndex, type PlaceIndex } from './gazetteer.ts';
import { KEY_MAX_BYTES } from './index-file.ts';
import type { KeyIndex } from './key-index.ts';
import { nearestPlaces } from './nearest.ts';
import { type Interpretation, intersectRegions, parsePlaceQuery } from './parse-query.ts';
import { largest, type Matches, rank } from './rank.ts';

const KNOWN_PLACES_MAX = 10_000;

/** Opens the index that `scripts/places.ts` builds on first use. Each method throws FILE_UNREADABLE if it's damaged. */
export function openPlaces(path: string): Places & { close(): void } {
  let index: PlaceIndex | undefined;
  const loadIndex = () => {
    index ??= openIndex(path);
    return index;
  };
  const known = new QuickLRU<number, Place>({ maxSize: KNOWN_PLACES_MAX });
  return {
    search: (query) => searchPlaces(loadIndex(), query),
    byId(locationId) {
      const place = known.get(locationId) ?? loadIndex().gazetteer.findById(locationId);
      if (place !== undefined) known.set(locationId, place);
      return place;
    },
    named: (name, area) => findNamedPlaces(loadIndex(), name, area),
    areas: (name) => findAreasByName(loadIndex(), name),
    largestIn(area) {
      const { areas, gazetteer } = loadIndex();
      return gazetteer.findLargest(areas.toRegions([area]));
    },
    nearest: (text, limit, budget) => nearestPlaces(loadIndex(), text, limit, budget),
    close: () => index?.file.close(),
  };
}

const NAMESAKES_MAX = 8;

function findNamedPlaces(
  { names, aliases, areas, gazetteer }: PlaceIndex,
  name: string,
  area: PlaceArea | undefined,
) {
  if (name === '' || Buffer.byteLength(name) > KEY_MAX_BYTES) return { official: [], others: [] };
  const isIn = gazetteer.buildFilter(area && areas.toRegions([area]));
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
  const found = parsePlaceQuery(query.q, index.areas).flatMap((interpretation) => {
    const areas = [interpretation.within, country].filter((regions) => regions !== undefined);
    return findMatches(index, { ...interpretation, within: intersectRegions(areas) }, limit);
  });
  const best = rank(found, (ordinal) => index.gazetteer.population(ordinal), limit);
  return best.map((ordinal) => index.gazetteer.place(ordinal));
}

function findMatches(
  { names, aliases, gazetteer }: PlaceIndex,
  { name, within, isAreaImplied }: Interpretation,
  limit: number,
): Matches[] {
  if (Buffer.byteLength(name) > KEY_MAX_BYTES) return [];
  const isWithin = gazetteer.buildFilter(within);
  const best = (ordinals: Uint32Array) => largest(ordinals, limit, isWithin);
  const official = names.find(name);
  const other = aliases.find(name);
  return [
    ['name', best(official.whole)],
    [isAreaImplied ? 'impliedArea' : 'words', best(official.words)],
    [isAreaImplied ? 'impliedArea' : 'prefix', best(official.inWord)],
    ['alias', best(other.whole)],
    ['aliasPrefix', [...best(other.words), ...best(other.inWord)]],
  ];
}
