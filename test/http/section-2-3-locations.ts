import assert from 'node:assert/strict';
import type { LocationInput, LocationSuggestion } from '../../src/contract/job.ts';
import { fixture } from '../fixture.ts';
import { AUSTIN, allShown, BOSTON, contentOf, locationInput, MUNICH } from './listing.ts';
import { itemsIn, Partner } from './partner.ts';
import { assertInputRefused, changingNothing, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

const NO_SUCH_PLACE = 999_999_999;

const ROWS = [
  ['locationId', 'integer', [4930956.5, '4930956', null, true, -4930956, 0, 2 ** 53]],
  ['city', 'string', [7, null, ['Boston']]],
  ['stateProvince', 'string', [7, null, ['Massachusetts']]],
  ['country', 'string', [7, null, ['United States']]],
] as const;

/** Section 2.3. */
export function section23(subject: () => Subject): void {
  describe('2.3 LocationInput and LocationSuggestion', () => {
    let place: LocationInput;
    const partner = fixture('all tests', () => Partner.of(subject()));
    const kept = fixture('all tests', () => {
      [place = BOSTON] = partner.places();
      return partner.draft({ locations: [place] });
    });

    /** Returns the message. */
    async function assertLocationsRefused(locations: unknown, ...fields: string[]): Promise<string> {
      const refuse = () => assertInputRefused(partner, kept, { locations }, ...fields);
      return Object.values((await storingNothing(partner, refuse)).fields ?? {}).join('\n');
    }

    for (const [field, type, refuses] of ROWS)
      it(`2.3 LocationInput ${field}: ${type}, required - refuses ${allShown([...refuses, undefined])} @any-server`, async () =>
        await storingNothing(partner, async () => {
          for (const value of [...refuses, undefined]) {
            const locations = [{ ...place, [field]: value }];
            await assertInputRefused(partner, kept, { locations }, `locations[0].${field}`);
          }
        }));

    it('2.3 LocationInput: every fault of every entry is named at once', async () => {
      const { country: _, ...countryless } = AUSTIN;
      await assertLocationsRefused(
        [{ ...BOSTON, city: 7, locationId: '1' }, MUNICH, countryless],
        'locations[0].city',
        'locations[0].locationId',
        'locations[2].country',
      );
    });

    it('2.3 LocationInput: each entry comes from the location search - a free-typed place is refused (decision 12) = 4 note 1: = 7 rule 3:', async () => {
      const { locationId: _, ...freeTyped } = BOSTON;
      await assertLocationsRefused([freeTyped], 'locations[0].locationId');
      const unknown = { ...BOSTON, city: 'Bostn', locationId: 999_999_999 };
      const message = await assertLocationsRefused([AUSTIN, unknown], 'locations[1].locationId');
      assert.match(message, /Boston/);
    });

    it('4 note 1: a job takes a place that the search gives, as it gave it, and rejects one with an id that it has not @any-server', async () => {
      const suggestions = await partner.placesFound();
      const same = suggestions.filter(({ locationId }) => locationId === place.locationId);
      assert.deepEqual(kept.locations, same);
      const locations = [{ ...place, locationId: NO_SUCH_PLACE }];
      const answer = await changingNothing(partner, kept, () => partner.update(kept.id, { locations }));
      assert.ok(answer.status >= 400 && answer.status < 500, `answered ${answer.status}`);
    });

    it('2.3 LocationInput: is stored as the search gives it, whatever case and diacritics it was sent in', async () => {
      const sent = { ...MUNICH, city: 'MUNICH', stateProvince: 'bavária', country: 'germany' };
      assert.deepEqual(contentOf(await partner.draft({ locations: [sent] })).locations, [MUNICH]);
    });

    for (const [field, value] of [
      ['city', 'Austin'],
      ['stateProvince', 'Texas'],
      ['country', 'Canada'],
    ] as const)
      it(`2.3 LocationInput: an id whose ${field} does not match is refused, and the place it means is named (decision 12)`, async () => {
        const message = await assertLocationsRefused(
          [{ ...BOSTON, [field]: value }],
          'locations[0].locationId',
        );
        assert.match(message, /Boston/);
      });

    it('2.3 LocationInput: two places of one name are told apart by their id', async () => {
      const [first, second] = itemsIn<LocationSuggestion>(await partner.search('?q=springfield&country=US'));
      assert.ok(first && second);
      const sent = { ...locationInput(first), locationId: second.locationId };
      await assertLocationsRefused([sent], 'locations[0].locationId');
    });

    for (const [field, isIt] of [
      ['locationId', Number.isSafeInteger],
      ['displayName', isText],
      ['city', isText],
      ['stateProvince', isText],
      ['country', isText],
    ] as const)
      it(`2.3 LocationSuggestion ${field}: ${field === 'locationId' ? 'integer' : 'string'}, in a search and inside a Job @any-server`, async () => {
        const found = await partner.placesFound();
        assert.ok(found.length > 0);
        for (const each of [...found, ...kept.locations]) assert.ok(isIt(each[field]), String(each[field]));
      });

    it('2.3 LocationSuggestion: exactly these five fields, the same in a search and inside a Job', async () => {
      const found = itemsIn<LocationSuggestion>(await partner.search('?q=boston&limit=50'));
      const names = ['city', 'country', 'displayName', 'locationId', 'stateProvince'];
      for (const place of found) assert.deepEqual(Object.keys(place).sort(), names);
      const boston = found.find((place) => place.locationId === BOSTON.locationId);
      assert.deepEqual(kept.locations, [boston]);
    });

    it('2.3 LocationSuggestion displayName: "city, state/province, country", without the part that is empty', async () => {
      for (const query of ['boston', 'singapore', 'monaco', 'munich']) {
        for (const place of itemsIn<LocationSuggestion>(await partner.search(`?q=${query}`))) {
          const parts = [place.city, place.stateProvince, place.country].filter((part) => part !== '');
          assert.equal(place.displayName, parts.join(', '));
        }
      }
    });

    it('2.3 whatever the search gives is accepted in a job, also places without a state or province', async () => {
      for (const query of ['singapore', 'monaco', 'reykjavik', 'sao paulo', 'st louis', 'tokyo']) {
        const found = itemsIn<LocationSuggestion>(await partner.search(`?q=${query}&limit=50`));
        const locations = found.map(locationInput);
        const job = await partner.draft({ locations });
        assert.deepEqual(contentOf(job).locations, locations);
      }
    });
  });
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
