import assert from 'node:assert/strict';
import { openPlaces } from '../../../src/engine/places/open.ts';
import { placesIndex } from './places-index.ts';

describe('The search for places', function () {
  this.timeout(60_000);
  let places: ReturnType<typeof openPlaces>;
  const first = (q: string, country?: string): string | undefined =>
    places.search({ q, ...(country === undefined ? {} : { country }) })[0]?.displayName;

  before(async () => {
    places = openPlaces(await placesIndex());
  });
  after(() => places.close());

  const BOSTON = 'Boston, Massachusetts, United States';
  const NEW_YORK = 'New York City, New York, United States';
  const MUNICH = 'Munich, Bavaria, Germany';
  const ST_LOUIS = 'St. Louis, Missouri, United States';
  const COLOGNE = 'Köln, North Rhine-Westphalia, Germany';
  const LONDON = 'London, England, United Kingdom';
  const LONDON_ONTARIO = 'London, Ontario, Canada';
  const PARIS_TEXAS = 'Paris, Texas, United States';
  const SPRINGFIELD = 'Springfield, Illinois, United States';
  const WASHINGTON = 'Washington, D.C., District of Columbia, United States';
  const O_FALLON = "O'Fallon, Missouri, United States";
  const WINSTON_SALEM = 'Winston-Salem, North Carolina, United States';

  const examples: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'completes what is being typed': {
      bost: BOSTON,
      'new y': NEW_YORK,
      münch: MUNICH,
    },
    'knows other names, in every script': {
      NYC: NEW_YORK,
      'new york': NEW_YORK,
      münchen: MUNICH,
      MUENCHEN: MUNICH,
      cologne: COLOGNE,
      bangalore: 'Bengaluru, Karnataka, India',
      東京: 'Tokyo, Tokyo, Japan',
      Москва: 'Moscow, Moscow, Russia',
    },
    'takes no notice of case, diacritics, punctuation and spacing': {
      köln: COLOGNE,
      '  sao   PAULO ': 'São Paulo, São Paulo, Brazil',
      'O’Fallon': O_FALLON,
      ofallon: O_FALLON,
      'winston salem': WINSTON_SALEM,
      lodz: 'Łódź, Łódź Voivodeship, Poland',
      'Ko\u0308ln': COLOGNE,
    },
    'knows how umlauts are written without them': {
      koeln: COLOGNE,
      zuerich: 'Zürich, Zurich, Switzerland',
      aarhus: 'Århus, Central Jutland, Denmark',
    },
    'writes st, ft and mt out': {
      'st. louis': ST_LOUIS,
      'saint louis': ST_LOUIS,
      'st polten': 'Sankt Pölten, Lower Austria, Austria',
      'ft worth': 'Fort Worth, Texas, United States',
      'mt vernon ny': 'Mount Vernon, New York, United States',
    },
    'finds the one in a region or a country, with a comma or without': {
      'springfield, il': SPRINGFIELD,
      'springfield, ill': SPRINGFIELD,
      'paris texas': PARIS_TEXAS,
      'Paris, TX': PARIS_TEXAS,
      'paris, france': 'Paris, Île-de-France, France',
      'london ca': LONDON_ONTARIO,
      'london uk': LONDON,
      'london england': LONDON,
      'Austin, TX, United States of America': 'Austin, Texas, United States',
      'st. petersburg fl': 'St. Petersburg, Florida, United States',
      'Washington, D.C.': WASHINGTON,
      'bost ma': BOSTON,
      'newcastle nsw': 'Newcastle, New South Wales, Australia',
      'münchen, deutschland': MUNICH,
    },
    'takes the larger one first': {
      frankfurt: 'Frankfurt am Main, Hesse, Germany',
      springfield: 'Springfield, Missouri, United States',
      london: LONDON,
    },
  };
  for (const [promise, queries] of Object.entries(examples)) {
    it(promise, () => {
      const answers = Object.fromEntries(Object.keys(queries).map((q) => [q, first(q)]));
      assert.deepEqual(answers, queries);
    });
  }

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
    ]) {
      assert.deepEqual(places.search({ q }), [], JSON.stringify(q.slice(0, 20)));
    }
  });

  it('gives the place of an id, and none for an unknown one', () => {
    assert.deepEqual(places.byId(4930956), {
      locationId: 4930956,
      displayName: BOSTON,
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
      const meant = {
        Bostn: 'Boston, Massachusetts, United States',
        'San Fransisco, CA': 'San Francisco, California, United States',
        'San Fransisco CA': 'San Francisco, California, United States',
        Minneapols: 'Minneapolis, Minnesota, United States',
        Chigaco: 'Chicago, Illinois, United States',
        Philidelphia: 'Philadelphia, Pennsylvania, United States',
        Cincinatti: 'Cincinnati, Ohio, United States',
        'Nue York': 'New York City, New York, United States',
        Munchin: 'Munich, Bavaria, Germany',
        Minneap: 'Minneapolis, Minnesota, United States',
        Москав: 'Moscow, Moscow, Russia',
      };
      const answers = Object.fromEntries(
        Object.keys(meant).map((text) => [text, places.nearest(text, 3)[0]?.displayName]),
      );
      assert.deepEqual(answers, meant);
    });

    it('are found although the first letter is wrong', () => {
      assert.equal(places.nearest('Xlbuquerque', 1)[0]?.city, 'Albuquerque');
    });

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
