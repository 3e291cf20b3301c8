import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { encodePlaces } from '../../../scripts/places/encode.ts';
import { type GeoName, gazetteerOf, readRegionNames } from '../../../scripts/places/gazetteer.ts';
import { officialSpellings, spellings } from '../../../scripts/places/spellings.ts';
import { openPlaces } from '../../../src/places/index/open.ts';
import { normalise } from '../../../src/places/place-names.ts';
import { temporaryDirectory } from '../../engine/temporary-directory.ts';
import { times } from '../../times.ts';
import { allGeoNames } from './places-index.ts';

interface Row {
  readonly geoName: GeoName;
  readonly names: readonly string[];
  readonly aliases: readonly string[];
  /** Its region and its country, normalised. */
  readonly areas: readonly string[];
}

/** Decision 4 by looking at every place: what the index has to answer, however it does it. */
function bruteForce(rows: readonly Row[], wholes: readonly string[], limit: number): number[] {
  const starts = (keys: readonly string[], after: string) =>
    wholes.some((whole) => keys.some((key) => key !== whole && key.startsWith(whole + after)));
  const is = (keys: readonly string[]) => wholes.some((whole) => keys.includes(whole));
  const tests: readonly (readonly [weight: number, fits: (row: Row) => boolean])[] = [
    [10_000, ({ names }) => is(names)],
    [300, ({ names }) => starts(names, ' ')],
    [30, ({ names }) => starts(names, '')],
    [100, ({ aliases }) => is(aliases)],
    [1, ({ aliases }) => starts(aliases, '')],
  ];
  const sorted = rows.toSorted(
    (a, b) => b.geoName.population - a.geoName.population || a.geoName.id - b.geoName.id,
  );
  const order: number[] = [];
  let lead: number | undefined;
  let most = 0;
  for (const [weight, fits] of tests) {
    for (const row of sorted.filter(fits)) {
      if (weight * row.geoName.population > most) {
        most = weight * row.geoName.population;
        lead = row.geoName.id;
      }
      // A prefix at a word's end leads more easily, but has no better place in the order than any other.
      if (weight !== 300) order.push(row.geoName.id);
    }
  }
  return [...new Set(lead === undefined ? order : [lead, ...order])].slice(0, limit);
}

const MINUTES_MS = 600_000;

const RUNS = times(10, 500);

/** The suite that asks the index so many questions of each kind, and looks at every place for the answer. */
describe('The index of places', function () {
  this.timeout(MINUTES_MS + 100 * RUNS);
  const path = temporaryDirectory()('places.bin');
  let places: ReturnType<typeof openPlaces>;
  let rows: Row[];

  before(async () => {
    // Every 17th place: few enough to look at all of them, enough for many blocks of every index.
    const geoNames = (await allGeoNames()).filter((_, index) => index % 17 === 0);
    const gazetteer = gazetteerOf(geoNames, await readRegionNames());
    await writeFile(path, encodePlaces(gazetteer));
    places = openPlaces(path);
    rows = geoNames.map((geoName) => {
      const place = places.byId(geoName.id);
      assert.ok(place, `${geoName.id} is in the index`);
      const names = [geoName.name, geoName.asciiName].flatMap(officialSpellings);
      const aliases = geoName.alternateNames.flatMap(spellings).filter((alias) => !names.includes(alias));
      return { geoName, names, aliases, areas: [place.stateProvince, place.country].map(normalise) };
    });
  });
  after(() => places.close());

  const idsOf = (q: string, limit: number, country?: string) =>
    places
      .search({ q, limit, ...(country === undefined ? {} : { country }) })
      .map(({ locationId }) => locationId);

  const typed = () =>
    fc
      .record({ index: fc.nat(), which: fc.nat(), length: fc.integer({ min: 1, max: 12 }) })
      .map(({ index, which, length }) => {
        const row = rows[index % rows.length];
        assert.ok(row);
        const keys = [...row.names, ...row.aliases];
        const text = [...(keys[which % keys.length] ?? '')].slice(0, length).join('').trim();
        return { text, row };
      })
      // The last word would be taken both ways, and two words in a row as an area: other tests hold that.
      .filter(({ text }) => normalise(text) === text && text !== '' && !text.includes(' '));
  const limits = fc.constantFrom(1, 2, 10, 50);

  it('answers what looking at every place answers', () => {
    const promise = fc.property(typed(), limits, ({ text }, limit) => {
      assert.deepEqual(idsOf(text, limit), bruteForce(rows, [text], limit), text);
    });
    fc.assert(promise, { numRuns: RUNS });
  });

  it('answers the same within a country', () => {
    const promise = fc.property(typed(), limits, ({ text, row }, limit) => {
      const { countryCode } = row.geoName;
      const inside = rows.filter(({ geoName }) => geoName.countryCode === countryCode);
      assert.deepEqual(idsOf(text, limit, countryCode), bruteForce(inside, [text], limit), text);
    });
    fc.assert(promise, { numRuns: RUNS });
  });

  it('answers the same behind a comma with a region or a country', () => {
    const american = () => typed().filter(({ row }) => row.geoName.countryCode === 'US');
    const promise = fc.property(american(), limits, fc.boolean(), ({ text, row }, limit, isRegion) => {
      const area = row.areas[isRegion ? 0 : 1] ?? '';
      const inside = rows.filter(({ areas }) => areas.includes(area));
      const actual = idsOf(`${text}, ${area}`, limit);
      assert.deepEqual(actual, bruteForce(inside, [text], limit), `${text}, ${area}`);
    });
    fc.assert(promise, { numRuns: RUNS });
  });

  it('finds every place by each of its names and aliases, given its country', () => {
    const sample = rows.filter((_, index) => index % 40 === 0);
    for (const { geoName, names, aliases } of sample) {
      for (const q of [geoName.name, geoName.asciiName, ...geoName.alternateNames, ...names, ...aliases]) {
        if (normalise(q) === '') continue;
        const found = idsOf(q, 500, geoName.countryCode);
        assert.ok(found.includes(geoName.id), `${q} finds ${geoName.id}`);
      }
    }
  });
});
