import type { Place } from '../../contract/places.ts';
import { PLACE_WORDS } from './format.ts';
import type { IndexFile } from './index-file.ts';
import type { Regions } from './parse-query.ts';

/** The places themselves. A place's ordinal is its place by population, 0 the largest. */
export class Gazetteer {
  readonly #file: IndexFile;

  constructor(file: IndexFile) {
    this.#file = file;
  }

  place(ordinal: number): Place {
    const row = PLACE_WORDS * ordinal;
    const words = this.#file.words('places', row, row + 2 * PLACE_WORDS);
    const [locationId, population, region, nameStart] = words as unknown as [number, number, number, number];
    const nameEnd = words[2 * PLACE_WORDS - 1] as number;
    const city = this.#file.bytes('placeNames', nameStart, nameEnd).toString();
    const { stateProvince, country, countryCode } = this.#region(region);
    const displayName = [city, stateProvince, country].filter((part) => part !== '').join(', ');
    return { locationId, displayName, city, stateProvince, country, countryCode, population };
  }

  population(ordinal: number): number {
    return this.#file.words('places', PLACE_WORDS * ordinal + 1, PLACE_WORDS * ordinal + 2)[0] as number;
  }

  /** Tells whether a place lies in the given regions. */
  isWithin(regions: Regions): (ordinal: number) => boolean {
    const bytes = this.#file.whole('placeRegions');
    const regionOf = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
    return (ordinal) => regions[regionOf[ordinal] as number] === 1;
  }

  /** The ordinal of the place with this GeoNames id. */
  ordinalOf(locationId: number): number | undefined {
    let low = 0;
    let high = this.#file.length('ids') / 8;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const [id, ordinal] = this.#file.words('ids', 2 * middle, 2 * middle + 2) as unknown as [
        number,
        number,
      ];
      if (id === locationId) return ordinal;
      if (id < locationId) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  #region(region: number): Pick<Place, 'stateProvince' | 'country' | 'countryCode'> {
    const [start, end] = this.#file.words('regions', region, region + 2) as unknown as [number, number];
    const text = this.#file.bytes('regionTexts', start, end).toString();
    const [stateProvince = '', countryCode = '', country = ''] = text.split('\t');
    return { stateProvince, country, countryCode };
  }
}
