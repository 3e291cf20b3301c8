import { normalise, type Place, type PlaceArea, type Places } from '../../contract/place-names.ts';
import knownNames from './known-names.json' with { type: 'json' };
import type { PlaceMeaning } from './place-meaning.ts';
import type { NamePart } from './place-text.ts';
import { countyCalled } from './subdivisions.ts';
import words from './words.json' with { type: 'json' };

const KNOWN_NAMES = new Map(Object.entries<number>(knownNames));
const AREA_NAMES = wordsFor(words.areaNames);
const CITY_STATES = new Set(words.cityStates);
/** Countries where a name that a region has means the region, and a city of that name is said to be one. */
const REGIONS_FIRST = new Set(['US', 'CA', 'AU']);
const UNCLEAR_ALONE = new Set(words.unclearAlone);
/** Most jobs are in these countries: a town elsewhere must be large to make a city's name unclear. */
const FAMILIAR = new Set(words.familiarCountries);

/** Areas that are in no table of regions: `bay area`, `emea`. */
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

/** How many times as many people the largest of a name must have than the next one. */
const TIMES = { anywhere: 9, country: 4, region: 2 };
/** A small place whose name is one word is seldom meant by this word alone. */
const LEAST_PEOPLE = { anywhere: 5_000, country: 0, region: 0 };
/** Other names are many, and most are obscure. */
const LEAST_PEOPLE_OF_ALIAS = { anywhere: 50_000, country: 5_000, region: 1_000 };
/** A city that most people know: it may be named without its area. */
export const KNOWN_PEOPLE = 100_000;
export const GREAT_CITY_PEOPLE = 1_000_000;

export type PlaceDecision = Extract<PlaceMeaning, { kind: 'place' | 'ambiguous' }>;

export function isKnownName(name: string): boolean {
  return KNOWN_NAMES.has(name) || WIDE_AREAS.has(name);
}

export function wideAreaOf(part: NamePart): PlaceMeaning | undefined {
  return areaNamesOf(part)
    .map((name) => WIDE_AREAS.get(name))
    .find((area) => area !== undefined);
}

export function areasCalled(name: string, places: Places): PlaceArea[] {
  if (name.length < 2) return [];
  const areas = places.areas(AREA_NAMES.get(name) ?? name);
  const other = name.replace(' and ', ' ').replace(/^co /, 'county ');
  return areas.length > 0 || other === name ? areas : places.areas(other);
}

/** What a part may be beside a city. */
export function areasOf(part: NamePart, places: Places): PlaceArea[] {
  for (const name of areaNamesOf(part)) {
    const nation = countyCalled(name)?.nation;
    const areas = [...areasCalled(name, places), ...(nation ? places.areas(normalise(nation)) : [])];
    if (areas.length > 0) return areas;
  }
  return [];
}

/** "Kuwait City" is no country. */
function areaNamesOf({ names }: NamePart): readonly string[] {
  return names[0]?.endsWith(' city') ? names.slice(0, 1) : names;
}

/** From each of the ways to write it to the name of an area. */
function wordsFor(areas: Readonly<Record<string, string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(areas).flatMap(([area, names]) => names.map((name) => [name, normalise(area)] as const)),
  );
}

/** What a name means where no area is given with it. */
export function meaningOfName(part: NamePart, places: Places): PlaceMeaning {
  for (const [at, name] of part.names.entries()) {
    const isOnlyArea = part.isArea && at > 0;
    const known = isOnlyArea ? undefined : knownPlace(name, places);
    if (UNCLEAR_ALONE.has(name)) {
      const largest = areasCalled(name, places).flatMap((area) => places.largestIn(area) ?? []);
      return { kind: 'ambiguous', candidates: known ? [known] : [...largest, ...namesakes(name, places)] };
    }
    if (known) return likely(known);
    const wide = WIDE_AREAS.get(name);
    if (wide) return wide;
    if (countyCalled(name)) {
      const city = decide(name, places, undefined, false);
      const candidates = city?.kind === 'place' ? [city.place] : (city?.candidates ?? []);
      if (candidates.length > 0) return { kind: 'ambiguous', candidates };
      return { kind: 'region', region: part.text, country: 'United Kingdom' };
    }
    const areas = areasCalled(name, places);
    const meaning =
      areas.length > 0 ? meaningOfAreas(name, areas, places, isOnlyArea || part.isCode) : undefined;
    const decided = meaning ?? (isOnlyArea ? undefined : decide(name, places, undefined, part.isCode));
    if (decided) return decided;
  }
  return { kind: 'unknown' };
}

/** A place by a nickname, or by a name that is used for it rather than for its namesakes. */
export function knownPlace(name: string, places: Places, area?: PlaceArea): Place | undefined {
  const id = KNOWN_NAMES.get(name);
  const place = id === undefined ? undefined : places.byId(id);
  return place && (area === undefined || isIn(place, area)) ? place : undefined;
}

export function namesakes(name: string, places: Places, area?: PlaceArea): Place[] {
  const { official, others } = places.named(name, area);
  const ids = new Set(official.map(({ locationId }) => locationId));
  return [
    ...official,
    ...others.filter((other) => !ids.has(other.locationId) && !isOldName(name, other, places)),
  ];
}

/** Whether a name that an area has is hardly another name of a city. */
export function isFirstAnArea({ region, countryCode }: PlaceArea): boolean {
  return region === '' || REGIONS_FIRST.has(countryCode);
}

export function isIn(place: Place, { region, countryCode }: PlaceArea): boolean {
  return place.countryCode === countryCode && (region === '' || place.stateProvince === region);
}

function meaningOfAreas(
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
  const main = mainPlace(name, area, places, true);
  if (REGIONS_FIRST.has(area.countryCode)) return main ? likely(main) : region;
  const [namesake] = places.named(name).official.filter(({ locationId }) => locationId !== main?.locationId);
  if (main && isFar(main, namesake, 3)) return likely(main);
  // Many a region that few know is called as a city that all know.
  const elsewhere = decide(name, places, undefined, false);
  const isGreat =
    elsewhere?.kind === 'place'
      ? elsewhere.place.population >= KNOWN_PEOPLE && (namesake !== undefined || main !== undefined)
      : main !== undefined;
  return (isGreat && elsewhere) || region;
}

/** The city that has its name from its region or gave it: Querétaro and New York, and not Oklahoma City. */
export function mainPlace(
  name: string,
  area: PlaceArea,
  places: Places,
  isAlone: boolean,
): Place | undefined {
  const { official, others } = places.named(name, area);
  const place = knownPlace(name, places, area) ?? official[0] ?? others[0];
  if (place === undefined || place.population >= GREAT_CITY_PEOPLE) return place;
  if (official.length > 0 && isAlone && normalise(place.city) === name) return place;
  if (REGIONS_FIRST.has(area.countryCode) && official.length === 0) return undefined;
  const largest = places.largestIn(area);
  const times = official.length > 0 ? 3 : 1;
  return largest && place.population * times >= largest.population ? place : undefined;
}

/** The place of a name that outweighs its namesakes; undefined where none is called so. */
export function decide(
  name: string,
  places: Places,
  area: PlaceArea | undefined,
  isCode: boolean,
): PlaceDecision | undefined {
  const scope = area === undefined ? 'anywhere' : area.region === '' ? 'country' : 'region';
  const { official } = places.named(name, area);
  const [first, second] = official;
  const rival = first && official.slice(1).find((other) => isRival(other, first));
  const all = namesakes(name, places, area);
  const aliases = all.slice(official.length);
  const [other, nextOther] = aliases;
  const isShort = /^[a-z]{1,3}$/.test(name);
  const isOtherFar =
    !isShort &&
    other !== undefined &&
    other.population >= LEAST_PEOPLE_OF_ALIAS[scope] &&
    isFar(other, nextOther, 4);
  if (first === undefined) {
    if (other === undefined || isCode || isShort) return undefined;
    return isOtherFar ? likely(other) : { kind: 'ambiguous', candidates: aliases };
  }
  // "Querétaro, Mexico" is no village in Chiapas.
  if (isOtherFar && first.population < 25_000 && isFar(other, first, 8)) return likely(other);
  const least = isCode ? KNOWN_PEOPLE : name.includes(' ') ? 0 : LEAST_PEOPLE[scope];
  if (first.population >= least && isFar(first, rival, TIMES[scope])) {
    return { kind: 'place', place: first, sure: second === undefined ? 'exact' : 'likely' };
  }
  const isObscure = area === undefined && first.population < 4 * least;
  return isCode || isObscure ? undefined : { kind: 'ambiguous', candidates: second ? official : all };
}

/** Whether a name that two places have may mean the smaller one. */
function isRival(other: Place, first: Place): boolean {
  const isInRegion = other.countryCode === first.countryCode && other.stateProvince === first.stateProvince;
  // No region has two such cities of one name and size: the source lists San Pedro Garza García twice.
  if (isInRegion && other.population >= 50_000 && !isFar(first, other, 1.1)) return false;
  const isFamiliar = other.countryCode === first.countryCode || FAMILIAR.has(other.countryCode);
  return isFamiliar || other.population >= KNOWN_PEOPLE || first.population < KNOWN_PEOPLE;
}

/** "Milan, NY" is not Syracuse, which was called so once: where others have the name, a town goes by its own. */
function isOldName(name: string, place: Place, places: Places): boolean {
  if (!REGIONS_FIRST.has(place.countryCode) || normalise(place.city).includes(name)) return false;
  const namesakes = places.named(name).official;
  return namesakes.some((other) => other.countryCode === place.countryCode || isFar(other, place, 1));
}

export function likely(place: Place): Extract<PlaceDecision, { kind: 'place' }> {
  return { kind: 'place', place, sure: 'likely' };
}

export function isFar(large: Place, small: Place | undefined, times: number): boolean {
  return small === undefined || large.population >= times * Math.max(small.population, 1);
}
