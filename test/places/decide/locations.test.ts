import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { LocationInput, LocationSuggestion } from '../../../src/contract/job.ts';
import { createPlaceMemory, createUndecidedError } from '../../../src/listings/places/place-problems.ts';
import {
  findLocation,
  type LocationSource,
  locationInput,
  placeName,
} from '../../../src/places/decide/locations.ts';
import { openPlaces } from '../../../src/places/index/open.ts';
import { normalise, type Places } from '../../../src/places/place-names.ts';
import { fixture } from '../../fixture.ts';
import { PLACES_PATH } from '../../http/subject.ts';
import { fewPlaces } from '../../listings/places.ts';

const source: LocationSource = { places: fewPlaces };

/** A server with these places (`ID:City|Region|Country`), which keeps the queries it gets. */
function serverOf(written: string, bundled: Places, isListed = (_: LocationSuggestion, __: string) => true) {
  const has = written.split('; ').flatMap((place): LocationSuggestion[] => {
    const [locationId, city = '', stateProvince = '', country = ''] = place.split(/[:|]/);
    const displayName = placeName({ locationId: 0, city, stateProvince, country });
    return place === ''
      ? []
      : [{ locationId: Number(locationId), displayName, city, stateProvince, country }];
  });
  const asked: string[] = [];
  const search = async (q: string) => {
    asked.push(q);
    const isFound = (name: string) => normalise(name) === normalise(q);
    return has.filter((place) => (isFound(place.city) || isFound(place.displayName)) && isListed(place, q));
  };
  return { asked, search, bundledPlaces: async () => bundled };
}

function rowsOf(name: string): string[][] {
  const lines = readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => line.split('\t'));
}

async function resolveLocation(text: string, from: LocationSource): Promise<LocationInput> {
  const choice = await findLocation(text, from);
  if ('clear' in choice) return locationInput(choice.clear);
  throw await createUndecidedError(text, choice, from);
}

async function refusalOf(promise: Promise<unknown>): Promise<PartnerError> {
  const error = await promise.then(
    (value) => assert.fail(`resolved to ${JSON.stringify(value)}`),
    (reason) => reason,
  );
  assert.ok(error instanceof PartnerError);
  return error;
}

describe('a place given as text', () => {
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
    const remote = serverOf('', unsearched);
    for (const [text, fault] of [
      ['x'.repeat(201), /the text must be at most 200 characters, got 201$/],
      ['a,'.repeat(50), /the text must be at most 10 words, got 50$/],
      [`101:${'St. '.repeat(11)}`, /the text must be at most 10 words, got 11$/],
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

describe('a place given as text, among all the places there are', () => {
  const places = fixture('all tests', () => openPlaces(PLACES_PATH));

  for (const [text = '', meant] of rowsOf('clear-places.tsv'))
    it(`"${text}" is ${meant}`, async () => {
      const found = resolveLocation(text, { places });
      if (/\d/.test(`${meant}`)) assert.equal((await found).locationId, Number(meant));
      else assert.equal((await refusalOf(found)).code, meant);
    });

  // Another place is never sent, and no more is asked for than what is needed.
  for (const [text = '', has = '', result = '', queries] of rowsOf('confirmed-places.tsv'))
    it(`"${text}" on a server with ${has || 'no places'} is ${result}`, async () => {
      const server = serverOf(has, places);
      const found = resolveLocation(text, server);
      if (/^\d+$/.test(result)) {
        const { locationId, city, stateProvince, country } = await found;
        assert.ok(`${has};`.includes(`${result}:${city}|${stateProvince}|${country};`));
        assert.equal(locationId, Number(result));
      } else assert.equal((await refusalOf(found)).message, result);
      assert.equal(server.asked.join('; '), queries);
    });

  const SPRINGFIELDS = '4250542:Springfield|Illinois|United States; 4525353:Springfield|Ohio|United States';

  it('is searched for by its whole name if the list for the city doesn’t contain it', async () => {
    const server = serverOf(
      SPRINGFIELDS,
      places,
      ({ stateProvince }, q) => q !== 'Springfield' || stateProvince === 'Ohio',
    );
    assert.equal((await resolveLocation('Springfield, IL', server)).locationId, 4250542);
    assert.deepEqual(server.asked, ['Springfield', 'Springfield, Illinois, United States']);
  });

  it('says how to write what the server offers, and shows no bundled IDs for a server with its own', async () => {
    const offered = await refusalOf(resolveLocation('Springfield, MO', serverOf(SPRINGFIELDS, places)));
    assert.deepEqual([offered.code, offered.exit], ['PLACE_UNKNOWN', 3]);
    assert.match(offered.hint ?? '', /"4250542:Springfield"/);
    const unclear = await refusalOf(resolveLocation('Springfield', serverOf(SPRINGFIELDS, places)));
    assert.equal(unclear.fields?.['Springfield, Illinois, United States'], '(116,565 people)');
    assert.doesNotMatch(JSON.stringify(unclear), /4250542/);
  });

  it('is decided and confirmed once a run, however many texts mean it', async () => {
    const server = serverOf('4671654:Austin|Texas|United States', places);
    const memory = createPlaceMemory(server);
    for (const text of ['Austin', 'Austin, TX', 'Austin, Texas, United States', 'Austin'])
      assert.match(JSON.stringify(await memory.textPlace(text)), /"locationId":4671654/);
    assert.deepEqual(server.asked, ['Austin']);
  });
});
