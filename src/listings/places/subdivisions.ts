import type { Place } from '../../contract/place-names.ts';
import districts from './districts.json' with { type: 'json' };
import subdivisions from './subdivisions.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

const DISTRICTS: Readonly<Record<string, string>> = districts;
/** `3e arrondissement`, `Sector 4`, `VIII. kerület`. */
const NUMBER = '(?:\\d{1,2}[a-z]{0,4}|[ivx]{1,5})';
const DISTRICT_WORD = `(?:${words.districtWords.join('|')})`;
const DISTRICT_NUMBER = new RegExp(`^(?:${NUMBER}(?: ${DISTRICT_WORD})?|${DISTRICT_WORD} ${NUMBER})$`);

const COUNTIES = new Map(
  Object.entries<Readonly<Record<string, string>>>(subdivisions.counties).flatMap(([nation, counties]) =>
    Object.entries(counties).map(([name, areas]) => [name, { nation, areas: areas.split(' ') }] as const),
  ),
);
/** Postcode areas of the British towns that have namesakes in their nation, and of the larger ones. */
const BRITISH_AREAS = new Map(
  Object.entries<readonly number[]>(subdivisions.british).flatMap(([areas, ids]) =>
    ids.map((id) => [id, areas.split(' ')] as const),
  ),
);
const LONDON = 2643743;
BRITISH_AREAS.set(LONDON, COUNTIES.get('greater london')?.areas ?? []);

/** From the first characters of postcodes to the regions they are in, by country. */
const PREFIXES: Readonly<Record<string, Readonly<Record<string, string>>>> = subdivisions.postcodes;
const DIGITS = new Map(
  Object.entries(subdivisions.digits).flatMap(([digits, countries]) =>
    countries.split(' ').map((country) => [country, Number(digits)] as const),
  ),
);
const FORMS = [
  { pattern: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/, countries: ['CA'] },
  { pattern: /^(?:[A-Z]\d{2}|D6W) ?[A-Z\d]{4}$/, countries: ['IE'] },
  { pattern: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/, countries: ['GB', 'IM', 'JE', 'GG'] },
  { pattern: /^D\d{1,2}W?$/, countries: ['IE'] },
  { pattern: /^[CKNSVØ]$/, countries: ['DK'] },
  { pattern: /^[A-Z]{1,2}\d[A-Z\d]?$/, countries: ['GB'] },
  { pattern: /^\d{4} ?[A-Z]{2}$/, countries: ['NL'] },
  { pattern: /^\d{2}-\d{3}$/, countries: ['PL'] },
];
export const DIVIDED_CITY_PEOPLE = 100_000;

/** Countries whose departments have numbers. */
const FRENCH = new Set(['FR', 'RE', 'GP', 'MQ', 'GF', 'YT']);

/** Whether a British county has the place; undefined if none of the names is a county. */
export function isInCounty(place: Place, names: readonly string[]): boolean | undefined {
  const county = names.map(countyCalled).find((found) => found !== undefined);
  if (county === undefined) return undefined;
  const areas = BRITISH_AREAS.get(place.locationId);
  const isNear = areas === undefined || areas.some((area) => county.areas.includes(area));
  return place.countryCode === 'GB' && place.stateProvince === county.nation && isNear;
}

export function countyCalled(name: string): { nation: string; areas: readonly string[] } | undefined {
  return COUNTIES.get(name) ?? COUNTIES.get(name.replace(/^co /, 'county '));
}

/** Whether a postcode, or the number of a department or district, can be one of the place. */
export function agreesWithCode(place: Place, code: string): boolean {
  const [, country, digits] = /^([A-Z]{1,2})-(\d{4,6}(?:-\d{3})?)$/.exec(code) ?? [];
  if (country !== undefined) return isCountry(place, country) && agreesWithCode(place, digits ?? '');
  const form = FORMS.find(({ pattern }) => pattern.test(code));
  if (form !== undefined) return form.countries.includes(place.countryCode) && isInPrefix(place, code);
  const plain = code.replace(/\D/g, '');
  if (plain.length < 4) return isDistrictNumber(place, plain);
  const length = DIGITS.get(place.countryCode) ?? 5;
  return (plain.length === length || code.includes('-')) && isInPrefix(place, plain);
}

function isCountry({ countryCode }: Place, letters: string): boolean {
  const codes: Readonly<Record<string, string>> = subdivisions.vehicleCodes;
  return (codes[letters] ?? letters) === countryCode;
}

/** `Lyon (69)`, `Lyon 3e`, `Dublin 2`. */
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
    return prefixes.split(' ').includes(area) && BRITISH_AREAS.get(locationId)?.includes(area) !== false;
  }
  return prefixes.split(' ').some((prefix) => {
    const [first = '', last = first] = prefix.split('-');
    const start = code.slice(0, first.length);
    return start >= first && start <= last;
  });
}

export function isDistrict({ locationId, population }: Place, names: readonly string[]): boolean {
  const known = ` | ${DISTRICTS[locationId] ?? ''} | `;
  return names.some(
    (name) =>
      known.includes(` | ${name} | `) || (population >= DIVIDED_CITY_PEOPLE && DISTRICT_NUMBER.test(name)),
  );
}
