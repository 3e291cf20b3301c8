import type { Place } from '../place-names.ts';
import { findLastRow, IndexFile, PLACE_WORDS } from './index-file.ts';
import { KeyIndex } from './key-index.ts';
import type { AreaLookup, Regions } from './parse-query.ts';

export type PlaceIndex = ReturnType<typeof openIndex>;

export function openIndex(path: string) {
  const file = new IndexFile(path);
  return {
    file,
    gazetteer: new Gazetteer(file),
    names: new KeyIndex(file, 'name'),
    aliases: new KeyIndex(file, 'alias'),
    areas: new Areas(file),
  };
}

/** A place's ordinal is its rank by population. 0 is the largest place. */
export class Gazetteer {
  constructor(private readonly file: IndexFile) {}

  place(ordinal: number): Place {
    const row = PLACE_WORDS * ordinal;
    const words = this.file.words('places', row, row + 2 * PLACE_WORDS);
    const [locationId, population, region, nameStart] = words as unknown as [number, number, number, number];
    const nameEnd = words[2 * PLACE_WORDS - 1] as number;
    const city = this.file.bytes('placeNames', nameStart, nameEnd).toString();
    const { stateProvince, country, countryCode } = this.region(region);
    const displayName = [city, stateProvince, country].filter((part) => part !== '').join(', ');
    return { locationId, displayName, city, stateProvince, country, countryCode, population };
  }

  population(ordinal: number): number {
    return this.file.words('places', PLACE_WORDS * ordinal + 1, PLACE_WORDS * ordinal + 2)[0] as number;
  }

  buildFilter(regions: Regions | undefined): ((ordinal: number) => boolean) | undefined {
    const placeRegions = regions && this.#readPlaceRegions();
    return placeRegions && ((ordinal) => regions[placeRegions[ordinal] as number] === 1);
  }

  findLargest(regions: Regions | undefined): Place | undefined {
    const ordinal = this.#readPlaceRegions().findIndex((region) => regions?.[region] === 1);
    return ordinal === -1 ? undefined : this.place(ordinal);
  }

  #readPlaceRegions(): Uint16Array {
    const bytes = this.file.whole('placeRegions');
    return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  }

  findById(locationId: number): Place | undefined {
    const readRow = (row: number) =>
      this.file.words('ids', 2 * row, 2 * row + 2) as unknown as readonly [id: number, ordinal: number];
    const row = findLastRow(this.file.length('ids') / 8, (at) => readRow(at)[0] <= locationId);
    const [id, ordinal] = readRow(row);
    return id === locationId ? this.place(ordinal) : undefined;
  }

  region(region: number): Pick<Place, 'stateProvince' | 'country' | 'countryCode'> {
    const [start, end] = this.file.words('regions', region, region + 2) as unknown as [number, number];
    const text = this.file.bytes('regionTexts', start, end).toString();
    const [stateProvince = '', countryCode = '', country = ''] = text.split('\t');
    return { stateProvince, country, countryCode };
  }
}

export interface Area {
  readonly first: number;
  readonly end: number;
  readonly isCountry: boolean;
}

const END_SHIFT = 15;
const COUNTRY_SHIFT = 30;
const REGION_MASK = (1 << END_SHIFT) - 1;

export function packArea({ first, end, isCountry }: Area): number {
  return first | (end << END_SHIFT) | (Number(isCountry) << COUNTRY_SHIFT);
}

function unpackAreas(postings: Uint32Array): Area[] {
  return Array.from(postings, (packed) => ({
    first: packed & REGION_MASK,
    end: (packed >>> END_SHIFT) & REGION_MASK,
    isCountry: packed >>> COUNTRY_SHIFT === 1,
  }));
}

class Areas implements AreaLookup {
  readonly #index: KeyIndex;
  readonly #regionCount: number;

  constructor(file: IndexFile) {
    this.#index = new KeyIndex(file, 'area');
    this.#regionCount = file.length('regions') / 4 - 1;
  }

  findRegions(text: string): Regions | undefined {
    return this.toRegions(this.listAreas(text));
  }

  listAreas(text: string): Area[] {
    return unpackAreas(this.#index.find(text).whole);
  }

  completeRegions(text: string): Regions | undefined {
    const { words, inWord } = this.#index.find(text);
    return this.toRegions([...unpackAreas(words), ...unpackAreas(inWord)]);
  }

  /** Falls back to a region, because users enter England as a country. */
  country(text: string): Regions | undefined {
    const areas = this.listAreas(text);
    const countries = areas.filter(({ isCountry }) => isCountry);
    return this.toRegions(countries.length > 0 ? countries : areas);
  }

  nearest(text: string, maxEdits: number): Regions | undefined {
    const near = this.#index.near(text, maxEdits, '');
    const least = Math.min(...near.map(({ edits }) => edits));
    const nearest = near.filter(({ edits }) => edits === least);
    return this.toRegions(nearest.flatMap(({ postings }) => unpackAreas(postings)));
  }

  toRegions(areas: readonly Pick<Area, 'first' | 'end'>[]): Regions | undefined {
    if (areas.length === 0) return undefined;
    const regions = new Uint8Array(this.#regionCount);
    for (const { first, end } of areas) regions.fill(1, first, end);
    return regions;
  }
}
