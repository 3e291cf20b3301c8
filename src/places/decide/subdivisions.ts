import type { Place, Places } from '../place-names.ts';
import districts from './districts.json' with { type: 'json' };
import subdivisions from './subdivisions.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

const DISTRICTS: Readonly<Record<string, string>> = districts;
/** Numbered city districts: `3e arrondissement`, `Sector 4`, `VIII. kerület`. */
const NUMBER = '(?:\\d{1,2}[a-z]{0,4}|[ivx]{1,5})';
const DISTRICT_WORD = `(?:${words.districtWords.join('|')})`;
const DISTRICT_NUMBER = new RegExp(`^(?:${NUMBER}(?: ${DISTRICT_WORD})?|${DISTRICT_WORD} ${NUMBER})$`);

const COUNTIES = new Map(Object.entries(subdivisions.counties));
/** Postcode areas of larger British towns, and of those that share their name with a town in the same nation. */
const BRITISH_AREAS = new Map(Object.entries(subdivisions.british));
const PREFIXES: Readonly<Record<string, Readonly<Record<string, string>>>> = subdivisions.postcodes;
const DIGITS = new Map(Object.entries(subdivisions.digits));
const FORMS = subdivisions.forms.map(([form = '', countries = '']) => ({
  form: new RegExp(form),
  countries,
}));
export const DIVIDED_CITY_PEOPLE = 100_000;
const FRENCH = new Set(['FR', 'RE', 'GP', 'MQ', 'GF', 'YT']);

export function isInCounty({ locationId, countryCode, stateProvince }: Place, names: readonly string[]) {
  const county = names.map(findCounty).find((found) => found !== undefined);
  const own = BRITISH_AREAS.get(`${locationId}`);
  const isNear = own === undefined || own.split(' ').some((area) => isListedWord(area, county?.areas));
  return county && countryCode === 'GB' && stateProvince === county.nation && isNear;
}

export function findCounty(name: string) {
  return COUNTIES.get(name) ?? COUNTIES.get(name.replace(/^co /, 'county '));
}

function isListedWord(word: string, words = ''): boolean {
  return words.split(' ').includes(word);
}

export function agreesWithCode(place: Place, code: string): boolean {
  const [, country, digits] = /^([A-Z]{1,2})-(\d{4,6}(?:-\d{3})?)$/.exec(code) ?? [];
  if (country !== undefined) return isCountry(place, country) && agreesWithCode(place, digits ?? '');
  const found = FORMS.find(({ form }) => form.test(code));
  if (found) return isListedWord(place.countryCode, found.countries) && isInPrefix(place, code);
  const plain = code.replace(/\D/g, '');
  if (plain.length < 4) return isDistrictNumber(place, plain);
  const length = DIGITS.get(place.countryCode) ?? 5;
  return (plain.length === length || code.includes('-')) && isInPrefix(place, plain);
}

function isCountry({ countryCode }: Place, letters: string): boolean {
  const codes: Readonly<Record<string, string>> = subdivisions.vehicleCodes;
  return (codes[letters] ?? letters) === countryCode;
}

/** True if the number is the department or a district of the city: `Lyon (69)`, `Lyon 3e`, `Dublin 2`. */
function isDistrictNumber(place: Place, digits: string): boolean {
  const isDivided = place.population >= DIVIDED_CITY_PEOPLE;
  if (!FRENCH.has(place.countryCode)) return isDivided;
  return isInPrefix(place, digits) || (isDivided && Number(digits) <= 20);
}

function isInPrefix({ countryCode, stateProvince, locationId }: Place, code: string): boolean {
  const prefixes = PREFIXES[countryCode]?.[stateProvince];
  if (prefixes === undefined) return true;
  const area = /^[A-Z]{1,2}(?=\d)/.exec(code)?.[0];
  if (area !== undefined && countryCode === 'GB') {
    return isListedWord(area, prefixes) && isListedWord(area, BRITISH_AREAS.get(`${locationId}`) ?? area);
  }
  return prefixes.split(' ').some((prefix) => {
    const [first = '', last = first] = prefix.split('-');
    const start = code.slice(0, first.length);
    return start >= first && start <= last;
  });
}

export function isDistrict({ locationId, population }: Place, names: readonly string[]): boolean {
  return names.some(
    (name) =>
      hasDistrict(locationId, name) || (population >= DIVIDED_CITY_PEOPLE && DISTRICT_NUMBER.test(name)),
  );
}

function hasDistrict(locationId: number | string, name: string): boolean {
  return ` | ${DISTRICTS[locationId] ?? ''} | `.includes(` | ${name} | `);
}

export function listCitiesOfDistrict(names: readonly string[], places: Places): Place[] {
  const ids = Object.keys(DISTRICTS).filter((id) => names.some((name) => hasDistrict(id, name)));
  return ids.flatMap((id) => places.byId(Number(id)) ?? []);
}
