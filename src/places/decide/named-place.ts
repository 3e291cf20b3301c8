import { normalise, type Place, type PlaceArea, type Places } from '../place-names.ts';
import knownNames from './known-names.json' with { type: 'json' };
import type { PlaceMeaning } from './place-meaning.ts';
import type { NamePart } from './place-text.ts';
import { findCounty } from './subdivisions.ts';
import words from './words.json' with { type: 'json' };

const KNOWN_NAMES = new Map(Object.entries<number>(knownNames));
const AREA_NAMES = new Map(
  Object.entries<string[]>(words.areaNames).flatMap(([area, names]) =>
    names.map((name) => [name, normalise(area)] as const),
  ),
);
const CITY_STATES = new Set(words.cityStates);
/** Countries where a name shared by a region and a city usually means the region (`Oklahoma`, not `Oklahoma City`). */
const REGIONS_FIRST = new Set(['US', 'CA', 'AU']);
const UNCLEAR_ALONE = new Set(words.unclearAlone);
/** Most jobs are in these countries. A town elsewhere makes a name ambiguous only if it's large. */
const FAMILIAR = new Set(words.familiarCountries);

/** Areas that aren't in the region table, such as `bay area` and `emea`. */
const WIDE_AREAS = new Map<string, PlaceMeaning>([
  ...Object.entries<Record<string, string[]>>(words.regions).flatMap(([country, regions]) =>
    Object.entries(regions).flatMap(([region, names]) =>
      names.map((name) => [name, { kind: 'region', region, country }] as const),
    ),
  ),
  ...Object.entries<string[]>(words.continents).flatMap(([continent, names]) =>
    names.map((name) => [name, { kind: 'continent', name: continent }] as const),
  ),
]);

/** Population ratio at which the largest place with a name wins over the next one. */
const TIMES = { anywhere: 9, country: 4, region: 2 };
/** Minimum population if the name is a single word, which rarely means a small place. */
const LEAST_PEOPLE = { anywhere: 5_000, country: 0, region: 0 };
/** Aliases need a higher population, because there are many and most are obscure. */
const LEAST_PEOPLE_OF_ALIAS = { anywhere: 50_000, country: 5_000, region: 1_000 };
export const KNOWN_PEOPLE = 100_000;
export const GREAT_CITY_PEOPLE = 1_000_000;

export type PlaceDecision = Extract<PlaceMeaning, { kind: 'place' | 'ambiguous' }>;

export function isKnownName(name: string): boolean {
  return KNOWN_NAMES.has(name) || WIDE_AREAS.has(name);
}

export function findWideArea(part: NamePart): PlaceMeaning | undefined {
  const [area] = listAreaNames(part).flatMap((name) => WIDE_AREAS.get(name) ?? []);
  return area;
}

export function findAreasByName(name: string, places: Places): PlaceArea[] {
  if (name.length < 2) return [];
  const areas = places.areas(AREA_NAMES.get(name) ?? name);
  const other = name.replace(' and ', ' ').replace(/^co /, 'county ');
  return areas.length > 0 || other === name ? areas : places.areas(other);
}

export function findAreas(part: NamePart, places: Places): PlaceArea[] {
  for (const name of listAreaNames(part)) {
    const nation = findCounty(name)?.nation;
    const areas = [...findAreasByName(name, places), ...(nation ? places.areas(normalise(nation)) : [])];
    if (areas.length > 0) return areas;
  }
  return [];
}

/** Keeps `Kuwait City` from matching the country Kuwait. */
function listAreaNames({ names }: NamePart): readonly string[] {
  return names[0]?.endsWith(' city') ? names.slice(0, 1) : names;
}

export function findNameMeaning(part: NamePart, places: Places): PlaceMeaning {
  for (const [at, name] of part.names.entries()) {
    const isOnlyArea = part.isArea && at > 0;
    const known = isOnlyArea ? undefined : findKnownPlace(name, places);
    if (UNCLEAR_ALONE.has(name)) {
      const largest = findAreasByName(name, places).flatMap((area) => places.largestIn(area) ?? []);
      return {
        kind: 'ambiguous',
        candidates: known ? [known] : [...largest, ...listNamesakes(name, places)],
      };
    }
    if (known) return toLikely(known);
    const wide = WIDE_AREAS.get(name);
    if (wide) return wide;
    if (findCounty(name)) {
      const city = decidePlace(name, places, undefined, false);
      const candidates = city?.kind === 'place' ? [city.place] : (city?.candidates ?? []);
      if (candidates.length > 0) return { kind: 'ambiguous', candidates };
      return { kind: 'region', region: part.text, country: 'United Kingdom' };
    }
    const areas = findAreasByName(name, places);
    const meaning =
      areas.length > 0 ? findAreasMeaning(name, areas, places, isOnlyArea || part.isCode) : undefined;
    const decided = meaning ?? (isOnlyArea ? undefined : decidePlace(name, places, undefined, part.isCode));
    if (decided) return decided;
  }
  return { kind: 'unknown' };
}

/** Finds a place by nickname (`ATL`), or by a name that means it and none of its namesakes (`Barcelona`). */
export function findKnownPlace(name: string, places: Places, area?: PlaceArea): Place | undefined {
  const id = KNOWN_NAMES.get(name);
  const place = id === undefined ? undefined : places.byId(id);
  return place && (area === undefined || isInArea(place, area)) ? place : undefined;
}

export function listNamesakes(name: string, places: Places, area?: PlaceArea): Place[] {
  const { official, others } = places.named(name, area);
  const ids = new Set(official.map(({ locationId }) => locationId));
  return [
    ...official,
    ...others.filter((other) => !ids.has(other.locationId) && !isOldName(name, other, places)),
  ];
}

export function isFirstAnArea({ region, countryCode }: PlaceArea): boolean {
  return region === '' || REGIONS_FIRST.has(countryCode);
}

export function isInArea(place: Place, { region, countryCode }: PlaceArea): boolean {
  return place.countryCode === countryCode && (region === '' || place.stateProvince === region);
}

function findAreasMeaning(
  name: string,
  areas: readonly PlaceArea[],
  places: Places,
  isOnlyArea: boolean,
): PlaceMeaning | undefined {
  const country = areas.find(({ region }) => region === '');
  const american = areas.find(({ region, countryCode }) => region !== '' && countryCode === 'US');
  if (country && CITY_STATES.has(country.countryCode)) {
    const [city] = places.named(name, country).official;
    if (city) return { kind: 'place', place: city, sure: 'exact' };
  }
  if (american === undefined && country) return { kind: 'country', country: country.country };
  const area = american ?? areas[0];
  if (area === undefined) return undefined;
  const region = { kind: 'region', region: area.region, country: area.country } as const;
  if (isOnlyArea) return region;
  const main = findMainPlace(name, area, places, true);
  if (REGIONS_FIRST.has(area.countryCode)) return main ? toLikely(main) : region;
  const [namesake] = places.named(name).official.filter(({ locationId }) => locationId !== main?.locationId);
  if (main && isFar(main, namesake, 3)) return toLikely(main);
  // Many little-known regions share their name with a well-known city elsewhere.
  const elsewhere = decidePlace(name, places, undefined, false);
  const isGreat =
    elsewhere?.kind === 'place'
      ? elsewhere.place.population >= KNOWN_PEOPLE && (namesake !== undefined || main !== undefined)
      : main !== undefined;
  return (isGreat && elsewhere) || region;
}

/** The city that shares its name with its region, such as Querétaro or New York (but not Oklahoma City). */
export function findMainPlace(name: string, area: PlaceArea, places: Places, isAlone: boolean) {
  const { official, others } = places.named(name, area);
  const place = findKnownPlace(name, places, area) ?? official[0] ?? others[0];
  if (place === undefined || place.population >= GREAT_CITY_PEOPLE) return place;
  if (official.length > 0 && isAlone && normalise(place.city) === name) return place;
  if (REGIONS_FIRST.has(area.countryCode) && official.length === 0) return undefined;
  const largest = places.largestIn(area);
  const times = official.length > 0 ? 3 : 1;
  return largest && place.population * times >= largest.population ? place : undefined;
}

/** Returns the place that outweighs its namesakes, or all candidates. Undefined if no place is likely. */
export function decidePlace(
  name: string,
  places: Places,
  area: PlaceArea | undefined,
  isCode: boolean,
): PlaceDecision | undefined {
  const scope = area === undefined ? 'anywhere' : area.region === '' ? 'country' : 'region';
  const { official } = places.named(name, area);
  const [first, second] = official;
  const rival = first && official.slice(1).find((other) => isRival(other, first));
  const all = listNamesakes(name, places, area);
  const aliases = all.slice(official.length);
  const [other, nextOther] = aliases;
  const isShort = /^[a-z]{1,3}$/.test(name);
  // "Dulles, VA" may not mean the small "Dulles Town Center".
  const isPart = area?.countryCode === 'US' && / \S+ /.test(other?.city.slice(name.length) ?? '');
  const isOtherFar =
    !isShort &&
    other !== undefined &&
    other.population >= LEAST_PEOPLE_OF_ALIAS[isPart ? 'country' : scope] &&
    isFar(other, nextOther, 4);
  if (first === undefined) {
    if (other === undefined || isCode || isShort) return undefined;
    return isOtherFar ? toLikely(other) : { kind: 'ambiguous', candidates: aliases };
  }
  // A large city's alias outweighs a village's official name (`Querétaro, Mexico` isn't the village in Chiapas).
  if (isOtherFar && first.population < 25_000 && isFar(other, first, 8)) {
    const isClear = area || first.population < 2_000 || ` ${normalise(other.city)} `.includes(` ${name} `);
    return isClear ? toLikely(other) : { kind: 'ambiguous', candidates: [other, first] };
  }
  const least = isCode ? KNOWN_PEOPLE : name.includes(' ') ? 0 : LEAST_PEOPLE[scope];
  if (first.population >= least && isFar(first, rival, TIMES[scope])) {
    return { kind: 'place', place: first, sure: second === undefined ? 'exact' : 'likely' };
  }
  const isObscure = area === undefined && first.population < 4 * least;
  return isCode || isObscure ? undefined : { kind: 'ambiguous', candidates: second ? official : all };
}

function isRival(other: Place, first: Place): boolean {
  const isInRegion = other.countryCode === first.countryCode && other.stateProvince === first.stateProvince;
  // GeoNames lists some cities twice, such as San Pedro Garza García. Real namesakes differ in size.
  if (isInRegion && other.population >= 50_000 && !isFar(first, other, 1.1)) return false;
  const isFamiliar = other.countryCode === first.countryCode || FAMILIAR.has(other.countryCode);
  return isFamiliar || other.population >= KNOWN_PEOPLE || first.population < KNOWN_PEOPLE;
}

/** A former name doesn't count if other places have that name now (`Milan, NY` isn't Syracuse). */
function isOldName(name: string, place: Place, places: Places): boolean {
  if (!REGIONS_FIRST.has(place.countryCode) || normalise(place.city).includes(name)) return false;
  const namesakes = places.named(name).official;
  return namesakes.some((other) => other.countryCode === place.countryCode || isFar(other, place, 1));
}

export function toLikely(place: Place): Extract<PlaceDecision, { kind: 'place' }> {
  return { kind: 'place', place, sure: 'likely' };
}

export function isFar(large: Place, small: Place | undefined, times: number): boolean {
  return small === undefined || large.population >= times * Math.max(small.population, 1);
}
