import assert from 'node:assert/strict';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { LocationInput, LocationSuggestion } from '../../../src/contract/job.ts';
import type { Place, Places } from '../../../src/contract/place-names.ts';
import { openPlaces } from '../../../src/engine/places/open.ts';
import type { LocationSource } from '../../../src/listings/places/locations.ts';
import { createPlaceMemory, resolveLocations } from '../../../src/listings/places/place-problems.ts';
import { PLACES_PATH } from '../../http/subject.ts';
import { fewPlaces, PLACES, placeOf } from '../places.ts';

const source: LocationSource = { places: fewPlaces };

/** A server with these places, which keeps the queries it gets. */
function serverOf(has: readonly LocationSuggestion[], bundled = fewPlaces) {
  const asked: string[] = [];
  const search = async (q: string) => {
    asked.push(q);
    return has.filter(({ city, displayName }) => city === q || displayName === q);
  };
  return { asked, search, bundledPlaces: async () => bundled };
}

/** As a server answers it: without population and country code. */
function suggestionOf({ population: _, countryCode: __, ...suggestion }: Place): LocationSuggestion {
  return suggestion;
}

async function resolveLocation(text: string, from: LocationSource): Promise<LocationInput> {
  const value = await resolveLocations({ locations: [text] }, from);
  return (value as { locations: [LocationInput] }).locations[0];
}

async function refusalOf(promise: Promise<unknown>): Promise<PartnerError> {
  const error = await promise.then(
    (value) => assert.fail(`resolved to ${JSON.stringify(value)}`),
    (reason) => reason,
  );
  assert.ok(error instanceof PartnerError);
  return error;
}

/** Texts with the id of the place that they mean. */
const CLEAR = idsOf(
  'Austin, TX=4671654 | austin tx=4671654 | Austin, Texas, United States=4671654 | Austin, MN=5016884',
  'Austin=4671654 | Boston=4930956 | Boston, UK=2655138 | Boston, England=2655138',
  'Springfield, IL=4250542 | Springfield Massachusetts=4951788 | Paris=2988507 | Paris, FR=2988507',
  'paris texas=4717560 | New York=5128581 | New York, NY=5128581 | NYC=5128581 | München=2867714',
  'St Louis, MO=4407066 | Saint Louis, Missouri=4407066 | Ontario, CA=5379439 | Singapore=1880252',
  ' 4717560 =4717560',
);

function idsOf(...rows: string[]): [text: string, locationId: number][] {
  return rows
    .flatMap((row) => row.split(' | '))
    .map((pair) => [pair.split('=')[0] ?? '', Number(pair.split('=')[1])]);
}

describe('a place given as text', () => {
  it('is the place that it clearly means', async () => {
    for (const [text, locationId] of CLEAR) {
      const { city, stateProvince, country } = placeOf(locationId);
      const location = { locationId, city, stateProvince, country };
      assert.deepEqual(await resolveLocation(text, source), location, text);
    }
  });

  for (const [text, why] of [
    ['Springfield', 'there are several of a size'],
    ['Bost', 'a name that is only begun'],
    ['Texas', 'the state, and not Texas City'],
    ['Ontario', 'the province, and not Ontario in California'],
  ] as const) {
    it(`does not take "${text}" for a place: ${why}`, async () => {
      assert.equal((await refusalOf(resolveLocation(text, source))).code, 'PLACE_AMBIGUOUS');
    });
  }

  it('names the candidates with id and population, best first, and how to say which', async () => {
    const error = await refusalOf(resolveLocation('Springfield', source));
    assert.deepEqual(error.fields, {
      'id 4409896': 'Springfield, Missouri, United States (166,810 people)',
      'id 4951788': 'Springfield, Massachusetts, United States (154,341 people)',
      'id 4250542': 'Springfield, Illinois, United States (116,565 people)',
    });
    assert.match(error.hint ?? '', /"Springfield, Missouri".*4409896/);
    assert.equal(error.exit, 3);
  });

  it('says what an unknown place was most likely meant to be', async () => {
    const error = await refusalOf(resolveLocation('Munchkin', source));
    assert.equal(error.code, 'PLACE_UNKNOWN');
    assert.match(error.hint ?? '', /did you mean Munich, Bavaria, Germany/);
  });

  it('looks no text up that is larger than a search may be, and says so', async () => {
    const unsearched: Places = { ...fewPlaces, search: () => assert.fail(), nearest: () => assert.fail() };
    const remote = serverOf([], unsearched);
    for (const [text, fault] of [
      ['x'.repeat(201), /the text has 201 characters; at most 200$/],
      ['a,'.repeat(50), /the text has 50 words; at most 10$/],
      [`101:${'St. '.repeat(11)}`, /the text has 11 words; at most 10$/],
    ] as const) {
      for (const asked of [{ places: unsearched }, remote]) {
        const error = await refusalOf(resolveLocation(text, asked));
        assert.equal(error.code, 'PLACE_UNKNOWN');
        assert.match(error.message, fault);
        const memory = createPlaceMemory(asked);
        assert.match(JSON.stringify(await memory.textPlace(text)), /at most (?:200|10)/);
      }
    }
    assert.deepEqual(remote.asked, []);
  });

  it('never takes a place of another region than the one given', async () => {
    assert.equal((await refusalOf(resolveLocation('Paris, Japan', source))).code, 'PLACE_UNKNOWN');
    assert.equal((await refusalOf(resolveLocation('Munich, TX', source))).code, 'PLACE_UNKNOWN');
  });
});

describe('a place given as text, on a server with places of its own', () => {
  const ALL = PLACES.map(suggestionOf);
  const springfields = ALL.filter(({ city }) => city === 'Springfield');

  /** A place with an ID of this server. */
  function own(locationId: number, city: string, stateProvince: string, country = 'United States') {
    return { locationId, displayName: `${city}, ${stateProvince}, ${country}`, city, stateProvince, country };
  }

  it('is decided by the bundled places, and confirmed by ID with one search for the name', async () => {
    for (const [text, locationId] of CLEAR.filter(([text]) => !/\d/.test(text))) {
      const server = serverOf(ALL);
      assert.equal((await resolveLocation(text, server)).locationId, locationId, text);
      assert.deepEqual(server.asked, [placeOf(locationId).city]);
    }
  });

  it('is sent with the ID and spelling of the only suggestion of the same names', async () => {
    const server = serverOf([own(7, 'AUSTIN', 'Texas'), own(8, 'Austin', 'Minnesota')]);
    const search = async (q: string) => server.search(q.toUpperCase());
    const sent = { locationId: 7, city: 'AUSTIN', stateProvince: 'Texas', country: 'United States' };
    assert.deepEqual(await resolveLocation('Austin', { ...server, search }), sent);
  });

  it('is searched for by its whole name if the list for the name doesn’t contain it', async () => {
    const server = serverOf(ALL);
    const search = async (q: string) =>
      (await server.search(q)).filter(({ locationId }) => q.includes(',') || locationId !== 4250542);
    assert.equal((await resolveLocation('Springfield, IL', { ...server, search })).locationId, 4250542);
    assert.deepEqual(server.asked, ['Springfield', 'Springfield, Illinois, United States']);
  });

  it('is never another place: the refusal names the place and what the server offers', async () => {
    for (const others of [
      [own(1, 'Springfield', 'Ohio'), own(2, 'Springfield', 'Missouri'), own(3, 'Springfield', 'Maine')],
      [own(4, 'Springfield', 'Illinois'), own(5, 'Springfield', 'Illinois')],
      [own(6, 'Springfield', 'Illinois', 'Canada')],
      springfields.filter(({ locationId }) => locationId !== 4250542),
    ]) {
      const error = await refusalOf(resolveLocation('Springfield, IL', serverOf(others)));
      const offers = others.map(({ locationId, displayName }) => `${locationId} ${displayName}`).join(' · ');
      assert.equal(error.code, 'PLACE_UNKNOWN');
      assert.equal(
        error.message,
        `the server doesn't have Springfield, Illinois, United States; it offers: ${offers}`,
      );
      assert.match(error.hint ?? '', new RegExp(`"${others[0]?.locationId}:Springfield"`));
    }
    const none = await refusalOf(resolveLocation('Munich', serverOf([])));
    assert.equal(none.message, "the server doesn't have Munich, Bavaria, Germany");
    assert.match(none.hint ?? '', /locations search/);
  });

  it('is not a namesake in the same region that the bundled places tell from it', async () => {
    const twin = { ...placeOf(4250542), locationId: 77 };
    const both = { ...fewPlaces, byId: (id: number) => (id === 77 ? twin : fewPlaces.byId(id)) };
    const server = serverOf([suggestionOf(twin)], both);
    const error = await refusalOf(resolveLocation('Springfield, IL', server));
    assert.match(error.message, /it offers: 77 Springfield/);
  });

  it('is sent to no server if it is unclear or no place', async () => {
    const server = serverOf(ALL);
    const unclear = await refusalOf(resolveLocation('Springfield', server));
    assert.equal(unclear.code, 'PLACE_AMBIGUOUS');
    assert.equal(unclear.fields?.['Springfield, Illinois, United States'], '(116,565 people)');
    for (const text of ['Remote in USA', 'EMEA', 'Multiple locations', 'Texas', 'Bost']) {
      await refusalOf(resolveLocation(text, server));
    }
    const both = await refusalOf(resolveLocation('Austin, TX or Oslo', server));
    assert.match(both.hint ?? '', /own: "Austin, TX", "Oslo"/);
    assert.deepEqual(server.asked, []);
  });

  it('may be known to the server alone if its city, region and country are those of one suggestion', async () => {
    const ours = own(9, 'Nováves', 'Bohemia', 'Czechia');
    const resolve = (text: string, ...more: LocationSuggestion[]) =>
      resolveLocation(text, serverOf([ours, ...more]));
    assert.equal((await resolve('Nováves, Bohemia, Czechia')).locationId, 9);
    for (const text of ['Nováves', 'Nováves, Czechia', 'Nováves, Bohemia', 'Old Nováves, Bohemia, Czechia']) {
      assert.match((await refusalOf(resolve(text))).message, /no place is called/);
    }
    const twice = refusalOf(resolve('Nováves, Bohemia, Czechia', { ...ours, locationId: 10 }));
    assert.match((await twice).message, /it offers: 9 .* · 10 /);
  });

  it('is decided and confirmed once a run, however many texts mean it', async () => {
    const server = serverOf(ALL);
    const memory = createPlaceMemory(server);
    const texts = ['Austin', 'Austin, TX', 'Austin, Texas, United States', 'Austin'];
    const found = await Promise.all(texts.map((text) => memory.textPlace(text)));
    const ids = found.map((place) => 'location' in place && place.location.locationId);
    assert.deepEqual([ids, server.asked], [texts.map(() => 4671654), ['Austin']]);
  });
});

describe('the places of a listing', () => {
  it('resolves the texts of a listing and leaves everything else as it is', async () => {
    const given = { locationId: 1, city: 'X', stateProvince: '', country: 'Y' };
    const value = { title: 'Welder', locations: ['Austin, TX', given, 7] };
    const { displayName, countryCode, population, ...austin } = placeOf(4671654);
    assert.deepEqual(await resolveLocations(value, source), {
      title: 'Welder',
      locations: [austin, given, 7],
    });
    for (const other of [null, 5, 'x', [], {}, { locations: 'Austin' }, { locations: [given] }]) {
      assert.equal(await resolveLocations(other, source), other);
    }
  });
});
describe('a place given as text, among all the places there are', () => {
  let places: ReturnType<typeof openPlaces>;
  before(() => {
    places = openPlaces(PLACES_PATH);
  });
  after(() => places.close());

  const more = idsOf(
    'Washington, DC=4140963 | Billings, MT=5640350 | Frankfurt=2925533 | London=2643743',
    'London, ON=6058560 | Perth, WA=2063523 | Vancouver, WA=5814616 | Québec=6325494 | Wien=2761369',
    'Bombay=1275339 | 東京=1850147 | Bethlehem, PA=5180225 | Zion, IL=4917358 | Fortaleza, CE=3399415',
    'Köln, NRW=2886242 | Toronto, CAN=6167865 | Ankara, Turkey=323786 | Portland=5746545 | LA=5368361',
    'Newcastle, UK=2641673 | San Francisco=5391959 | Mountain View, CA=5375480 | Antwerp, Belgium=2803138',
  );
  it('is one place where it is clear', async () => {
    for (const [text, locationId] of [...CLEAR, ...more]) {
      assert.equal((await resolveLocation(text, { places })).locationId, locationId, text);
    }
  });

  it('is none where several may be meant, or a region', async () => {
    const unclear = 'Springfield|San Jose|Vancouver|Georgia|Jamaica|Brandenburg|TX|, TX|New';
    for (const text of unclear.split('|')) {
      const { code } = await refusalOf(resolveLocation(text, { places }));
      assert.equal(code, 'PLACE_AMBIGUOUS', text);
    }
  });
});
