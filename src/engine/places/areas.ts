import type { IndexFile } from './index-file.ts';
import { KeyIndex } from './key-index.ts';
import type { AreaLookup, Regions } from './parse-query.ts';

/** An area as the index holds it: the regions from `first` up to `end`, and whether it is a country. */
export interface Area {
  readonly first: number;
  readonly end: number;
  readonly isCountry: boolean;
}

const END_SHIFT = 15;
const COUNTRY_SHIFT = 30;
const REGION_MASK = (1 << END_SHIFT) - 1;

/** An area in one 32-bit number. */
export function packArea({ first, end, isCountry }: Area): number {
  return first | (end << END_SHIFT) | (Number(isCountry) << COUNTRY_SHIFT);
}

function unpackArea(packed: number): Area {
  return {
    first: packed & REGION_MASK,
    end: (packed >>> END_SHIFT) & REGION_MASK,
    isCountry: packed >>> COUNTRY_SHIFT === 1,
  };
}

/** The regions and countries of the index. */
export class Areas implements AreaLookup {
  readonly #index: KeyIndex;
  readonly #regionCount: number;

  constructor(file: IndexFile) {
    this.#index = new KeyIndex(file, 'area');
    this.#regionCount = file.length('regions') / 4 - 1;
  }

  called(text: string): Regions | undefined {
    return this.#regionsOf(unpacked(this.#index.find(text).whole));
  }

  startingWith(text: string): Regions | undefined {
    const { words, inWord } = this.#index.find(text);
    return this.#regionsOf([...unpacked(words), ...unpacked(inWord)]);
  }

  /** The country called so; where there is none, the region: England is none, but people write it as one. */
  country(text: string): Regions | undefined {
    const areas = unpacked(this.#index.find(text).whole);
    const countries = areas.filter(({ isCountry }) => isCountry);
    return this.#regionsOf(countries.length > 0 ? countries : areas);
  }

  /** The areas whose names are nearest to a misspelled one, at most `maxEdits` away. */
  nearest(text: string, maxEdits: number): Regions | undefined {
    const near = this.#index.near(text, maxEdits, '');
    const least = Math.min(...near.map(({ edits }) => edits));
    const nearest = near.filter(({ edits }) => edits === least);
    return this.#regionsOf(nearest.flatMap(({ postings }) => unpacked(postings)));
  }

  #regionsOf(areas: readonly Area[]): Regions | undefined {
    if (areas.length === 0) return undefined;
    const regions = new Uint8Array(this.#regionCount);
    for (const { first, end } of areas) regions.fill(1, first, end);
    return regions;
  }
}

function unpacked(postings: Uint32Array): Area[] {
  return Array.from(postings, unpackArea);
}
