import assert from 'node:assert/strict';
import { openPlaces } from '../../../src/places/index/open.ts';
import { fixture } from '../../fixture.ts';
import { placesIndex } from './places-index.ts';
import cases from './search.json' with { type: 'json' };

describe('The search for places', () => {
  const first = (q: string, country?: string) =>
    places.search({ q, ...(country === undefined ? {} : { country }) })[0]?.displayName;

  const places = fixture('all tests', async () => openPlaces(await placesIndex()));

  const LONDON_ONTARIO = 'London, Ontario, Canada';

  for (const [promise, queries] of Object.entries(cases.searches))
    it(promise, () => {
      const answers = Object.fromEntries(Object.keys(queries).map((q) => [q, first(q)]));
      assert.deepEqual(answers, queries);
    });

  it('finds for `san` San Diego or a larger San, not the small town called just that', () => {
    const [lead, second] = places.search({ q: 'san' });
    const [sanDiego] = places.search({ q: 'san diego' });
    assert.match(lead?.city ?? '', /^San /);
    assert.ok((lead?.population ?? 0) >= (sanDiego?.population ?? 0));
    assert.equal(second?.displayName, 'San, Ségou, Mali');
  });

  it('stays within the country asked for, by code or by name', () => {
    for (const country of ['CA', 'ca', 'Canada', 'CAN', 'canadá']) {
      const found = places.search({ q: 'london', country });
      assert.equal(found[0]?.displayName, LONDON_ONTARIO, country);
      assert.ok(found.every(({ countryCode }) => countryCode === 'CA'));
    }
    assert.equal(first('newport', 'England')?.includes('England'), true);
    assert.equal(first('san', 'ML'), 'San, Ségou, Mali');
    assert.equal(first('newport', 'UK'), 'Newport, Wales, United Kingdom');
  });

  it('finds nothing in an unknown country, for an unknown name, or without a letter', () => {
    assert.deepEqual(places.search({ q: 'boston', country: 'Narnia' }), []);
    assert.deepEqual(places.search({ q: 'boston', country: '' }), []);
    assert.deepEqual(places.search({ q: 'qqqqzzzz' }), []);
    for (const q of [
      '',
      ' ',
      '-',
      ', ,',
      '\u0000',
      '\ud800',
      'x'.repeat(5000),
      'us '.repeat(500),
      ','.repeat(99),
    ])
      assert.deepEqual(places.search({ q }), [], JSON.stringify(q.slice(0, 20)));
  });

  it('gives the place of an id, and none for an unknown one', () => {
    assert.deepEqual(places.byId(4930956), {
      locationId: 4930956,
      displayName: 'Boston, Massachusetts, United States',
      city: 'Boston',
      stateProvince: 'Massachusetts',
      country: 'United States',
      countryCode: 'US',
      population: 667137,
    });
    for (const id of [0, 1, -5, 4930957, 2 ** 40, 1.5, Number.NaN]) assert.equal(places.byId(id), undefined);
  });

  describe('for the nearest places', () => {
    it('are what a mistyped place was most likely meant to be', () => {
      const answers = Object.fromEntries(
        Object.keys(cases.nearest).map((text) => [text, places.nearest(text, 3)[0]?.displayName]),
      );
      assert.deepEqual(answers, cases.nearest);
    });

    it('are found although the first letter is wrong', () =>
      assert.equal(places.nearest('Xlbuquerque', 1)[0]?.city, 'Albuquerque'));

    it('lie in the area given, also where that is misspelled, and elsewhere where it holds none', () => {
      const nearest = (text: string) => places.nearest(text, 1)[0]?.displayName;
      assert.equal(nearest('Springfeild, IL'), 'Springfield, Illinois, United States');
      assert.equal(nearest('Springfeild, Ilinois'), 'Springfield, Illinois, United States');
      assert.equal(nearest('Bostn, Massachusets, United States'), 'Boston, Massachusetts, United States');
      assert.equal(nearest('Bostn, XX'), 'Boston, Massachusetts, United States');
      assert.equal(nearest('Reykjavk, Texas'), 'Reykjavík, Capital Region, Iceland');
    });

    it('are at most as many as asked for, each once, and none where nothing is near', () => {
      const near = places.nearest('Sringfield', 5);
      assert.equal(near.length, 5);
      assert.equal(new Set(near.map(({ locationId }) => locationId)).size, 5);
      for (const text of ['', ' , ', 'xqzxqzxqzxqz', 'y'.repeat(2000)])
        assert.deepEqual(places.nearest(text, 5), []);
    });
  });
});
