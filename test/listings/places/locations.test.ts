import assert from 'node:assert/strict';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { LocationInput, LocationSuggestion } from '../../../src/contract/job.ts';
import type { Place, Places } from '../../../src/contract/place-names.ts';
import { openPlaces } from '../../../src/engine/places/open.ts';
import type { LocationSource } from '../../../src/listings/places/locations.ts';
import { createPlaceMemory, resolveLocations } from '../../../src/listings/places/place-problems.ts';
import { PLACES_PATH } from '../../http/subject.ts';
import { fewPlaces, PLACES, placeOf } from '../places.ts';

/** A server whose places are the bundled ones: it need not be asked. */
function sourceOf(places: Places): LocationSource {
  return { places, search: () => assert.fail('the server was asked') };
}

const source = sourceOf(fewPlaces);

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
    const remote: LocationSource = { search: () => assert.fail('the server was asked') };
    for (const [text, fault] of [
      ['x'.repeat(201), /the text has 201 characters; at most 200$/],
      ['a,'.repeat(50), /the text has 50 words; at most 10$/],
      [`101:${'St. '.repeat(11)}`, /the text has 11 words; at most 10$/],
    ] as const) {
      for (const asked of [sourceOf(unsearched), remote]) {
        const error = await refusalOf(resolveLocation(text, asked));
        assert.equal(error.code, 'PLACE_UNKNOWN');
        assert.match(error.message, fault);
        const memory = createPlaceMemory(asked);
        assert.match(JSON.stringify(await memory.textPlace(text)), /at most (?:200|10)/);
      }
    }
  });

  it('never takes a place of another region than the one given', async () => {
    assert.equal((await refusalOf(resolveLocation('Paris, Japan', source))).code, 'PLACE_UNKNOWN');
    assert.equal((await refusalOf(resolveLocation('Munich, TX', source))).code, 'PLACE_UNKNOWN');
  });
});

describe('a place given as text, on a server with places of its own', () => {
  const search = async (q: string) => fewPlaces.search({ q }).map(suggestionOf);

  it('takes the only one of the name, or of the name in the region', async () => {
    assert.equal((await resolveLocation('Munich', { search })).locationId, 2867714);
    assert.equal((await resolveLocation('Austin, TX', { search })).locationId, 4671654);
  });

  it('asks which one where only populations could tell', async () => {
    assert.equal((await refusalOf(resolveLocation('Austin', { search }))).code, 'PLACE_AMBIGUOUS');
  });

  it('looks for the name without what stands around it, and not for what is never a place', async () => {
    assert.equal((await resolveLocation('Hybrid - Austin, TX 78701 (HQ)', { search })).locationId, 4671654);
    const unasked = { search: () => assert.fail('the server was asked') };
    for (const text of ['Remote in USA', 'EMEA', 'Multiple locations']) {
      const { hint } = await refusalOf(resolveLocation(text, unasked));
      assert.match(hint ?? '', /remoteOption REMOTE, remoteCountry "United States"/);
    }
    const both = await refusalOf(resolveLocation('Austin, TX or Oslo', { search: async () => [] }));
    assert.match(both.hint ?? '', /own: "Austin, TX", "Oslo"/);
  });

  it('asks again with the name alone where a search does not know what to do with a region', async () => {
    const asked: string[] = [];
    const byNameOnly = async (q: string) => {
      asked.push(q);
      return PLACES.filter(({ city }) => city.toLowerCase() === q.toLowerCase()).map(suggestionOf);
    };
    assert.equal((await resolveLocation('Springfield, IL', { search: byNameOnly })).locationId, 4250542);
    assert.deepEqual(asked, ['Springfield, IL', 'Springfield']);
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
      assert.equal((await resolveLocation(text, sourceOf(places))).locationId, locationId, text);
    }
  });

  it('is none where several may be meant, or a region', async () => {
    const unclear = 'Springfield|San Jose|Vancouver|Georgia|Jamaica|Brandenburg|TX|, TX|New';
    for (const text of unclear.split('|')) {
      const { code } = await refusalOf(resolveLocation(text, sourceOf(places)));
      assert.equal(code, 'PLACE_AMBIGUOUS', text);
    }
  });
});
