import assert from 'node:assert/strict';
import type { Place } from '../../../src/contract/places.ts';
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
      minneap: 'Minneapolis, Minnesota, United States',
      'new y': NEW_YORK,
      stock: 'Stockholm, Stockholm, Sweden',
      münch: MUNICH,
    },
    'knows other names, in every script': {
      NYC: NEW_YORK,
      'new york': NEW_YORK,
      münchen: MUNICH,
      munich: MUNICH,
      MUENCHEN: MUNICH,
      cologne: COLOGNE,
      bangalore: 'Bengaluru, Karnataka, India',
      bombay: 'Mumbai, Maharashtra, India',
      東京: 'Tokyo, Tokyo, Japan',
      Москва: 'Moscow, Moscow, Russia',
      서울: 'Seoul, Seoul, South Korea',
    },
    'takes no notice of case, diacritics, punctuation and spacing': {
      köln: COLOGNE,
      KOLN: COLOGNE,
      'são paulo': 'São Paulo, São Paulo, Brazil',
      '  sao   PAULO ': 'São Paulo, São Paulo, Brazil',
      "o'fallon": O_FALLON,
      'O’Fallon': O_FALLON,
      'o fallon': O_FALLON,
      ofallon: O_FALLON,
      'winston-salem': WINSTON_SALEM,
      'winston salem': WINSTON_SALEM,
      łódź: 'Łódź, Łódź Voivodeship, Poland',
      lodz: 'Łódź, Łódź Voivodeship, Poland',
      'Ko\u0308ln': COLOGNE,
    },
    'knows how umlauts are written without them': {
      koeln: COLOGNE,
      duesseldorf: 'Düsseldorf, North Rhine-Westphalia, Germany',
      zuerich: 'Zürich, Zurich, Switzerland',
      aarhus: 'Århus, Central Jutland, Denmark',
    },
    'writes st, ft and mt out': {
      'st louis': ST_LOUIS,
      'st. louis': ST_LOUIS,
      'saint louis': ST_LOUIS,
      'saint petersburg': 'Saint Petersburg, St.-Petersburg, Russia',
      'st polten': 'Sankt Pölten, Lower Austria, Austria',
      'ft worth': 'Fort Worth, Texas, United States',
      'mt vernon ny': 'Mount Vernon, New York, United States',
    },
    'finds the one in a region or a country, with a comma or without': {
      'springfield, il': SPRINGFIELD,
      'springfield il': SPRINGFIELD,
      'Springfield, Illinois': SPRINGFIELD,
      'springfield, ill': SPRINGFIELD,
      'paris texas': PARIS_TEXAS,
      'Paris, TX': PARIS_TEXAS,
      'paris, france': 'Paris, Île-de-France, France',
      'london on': LONDON_ONTARIO,
      'london, ontario, canada': LONDON_ONTARIO,
      'london ca': LONDON_ONTARIO,
      'london uk': LONDON,
      'london england': LONDON,
      'austin tx usa': 'Austin, Texas, United States',
      'Austin, TX, United States of America': 'Austin, Texas, United States',
      'st. petersburg fl': 'St. Petersburg, Florida, United States',
      'new york ny': NEW_YORK,
      'washington dc': WASHINGTON,
      'Washington, D.C.': WASHINGTON,
      'billings mt': 'Billings, Montana, United States',
      'bost ma': BOSTON,
      'newcastle nsw': 'Newcastle, New South Wales, Australia',
      'münchen bayern': MUNICH,
      'münchen, deutschland': MUNICH,
      'rio de janeiro rj': 'Rio de Janeiro, Rio de Janeiro, Brazil',
    },
    'takes the larger one first': {
      frankfurt: 'Frankfurt am Main, Hesse, Germany',
      springfield: 'Springfield, Missouri, United States',
      london: LONDON,
      york: 'York, England, United Kingdom',
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

  it('answers exact names, then prefixes, then aliases, each by population', () => {
    const found = places.search({ q: 'springfield', limit: 50 });
    const kindOf = ({ city }: Place) =>
      city === 'Springfield' ? 'name' : city.startsWith('Springfield') ? 'prefix' : 'alias';
    const kinds = found.map(kindOf);
    assert.deepEqual([...new Set(kinds)], ['name', 'prefix', 'alias']);
    assert.deepEqual(
      kinds,
      kinds.toSorted((a, b) => 'npa'.indexOf(a[0] ?? '') - 'npa'.indexOf(b[0] ?? '')),
    );
    const exact = found.filter((place) => kindOf(place) === 'name').map(({ population }) => population);
    assert.ok(exact.length > 10);
    assert.deepEqual(
      exact,
      exact.toSorted((a, b) => b - a),
    );
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

  it('finds each place by the name under which it is shown', () => {
    for (const id of [5128581, 2867714, 1581130, 498817, 4140963, 3133895, 1880252, 3871336]) {
      const place = places.byId(id);
      assert.ok(place);
      assert.deepEqual(places.search({ q: place.displayName })[0], place);
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
});
