import assert from 'node:assert/strict';
import { encodePlaces } from '../../../scripts/places/encode.ts';
import { type GeoName, gazetteerOf, readRegionNames } from '../../../scripts/places/gazetteer.ts';
import { IndexFile } from '../../../src/places/index/index-file.ts';
import { openPlaces } from '../../../src/places/index/open.ts';
import { REGION_ALIASES } from '../../../src/places/regions.ts';
import { IS_AT_LENGTH } from '../../times.ts';
import { allGeoNames, placesIndex } from './places-index.ts';

const EVERY = IS_AT_LENGTH ? 1 : 36;

describe('The build of the places', () => {
  let geoNames: GeoName[];
  let regionNames: Map<string, string>;
  let places: ReturnType<typeof openPlaces>;

  before(async () => {
    geoNames = await allGeoNames();
    regionNames = await readRegionNames();
    places = openPlaces(await placesIndex());
  });
  after(() => places.close());

  it('takes in each of the 135,233 places', async () => {
    const file = new IndexFile(await placesIndex());
    assert.equal(file.length('ids') / 8, 135_233);
    file.close();
    assert.equal(new Set(geoNames.map(({ id }) => id)).size, 135_233);
  });

  it('names the place, its region and its country as they are called, never by a code', () => {
    const some = geoNames.filter((_, index) => index % EVERY === 0);
    for (const { id, name, population, countryCode, admin1Code } of some) {
      const place = places.byId(id);
      assert.ok(place, `${id} is in the index`);
      const { stateProvince, country } = place;
      const displayName = [name, stateProvince, country].filter((part) => part !== '').join(', ');
      const named = { locationId: id, city: name, population, countryCode };
      assert.deepEqual(place, { ...named, stateProvince, country, displayName });
      assert.ok(['', regionNames.get(`${countryCode}.${admin1Code}`)].includes(stateProvince), displayName);
      assert.ok(country.length > 3, displayName);
    }
  });

  it('gives the country alone where the code of a region has no name, or another one by now', () => {
    const nameless = geoNames.filter(
      ({ countryCode, admin1Code }) => !regionNames.has(`${countryCode}.${admin1Code}`),
    );
    assert.ok(nameless.length > 800);
    for (const { id } of nameless) assert.equal(places.byId(id)?.stateProvince, '');
    assert.equal(places.byId(3133895)?.displayName, 'Tromsø, Norway');
    assert.equal(places.byId(3143244)?.displayName, 'Oslo, Oslo, Norway');
    // Its codes have been numbered anew.
    const vietnam = geoNames.filter(({ countryCode }) => countryCode === 'VN');
    assert.ok(vietnam.length > 600);
    assert.ok(vietnam.every(({ id }) => places.byId(id)?.stateProvince === ''));
    assert.equal(places.byId(1581130)?.displayName, 'Hanoi, Vietnam');
  });

  it('has a name of GeoNames for every alias of a region', () => {
    for (const [country, aliases] of Object.entries(REGION_ALIASES)) {
      const names = [...regionNames]
        .filter(([code]) => code.startsWith(`${country}.`))
        .map(([, name]) => name);
      const unknown = Object.values(aliases).filter((name) => !names.includes(name));
      assert.deepEqual(unknown, [], country);
    }
  });

  it('gives the same bytes for the same places', () => {
    const some = geoNames.filter((_, index) => index % 200 === 0);
    const [one, other] = [some, some.toReversed()].map((rows) =>
      encodePlaces(gazetteerOf(rows, regionNames)),
    );
    assert.ok(one && other && one.equals(other));
  });
});
