import assert from 'node:assert/strict';
import type { JobContent, LocationSuggestion } from '../../src/contract/job.ts';
import { SIZED } from '../contract/sizes.ts';
import { fixture } from '../fixture.ts';
import { completeListing, contentOf, locationInput } from './listing.ts';
import { itemsIn, jobIn, Partner } from './partner.ts';
import { assertInputRefused, assertRefused, changingNothing, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

const BODY_BYTES = 1024 * 1024;

/** Decision 15 (section 8, rule 7): each maximum, and one more. */
export function decisionsOnLimits(subject: () => Subject): void {
  describe('8.7 and decision 15, maximum sizes', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));
    const refused = fixture('all tests', () => Partner.of(subject()));
    const kept = fixture('all tests', () => refused.draft(completeListing()));

    // Locations must exist, so they have a separate test below.
    for (const { field, limit, withSize } of SIZED.filter(({ field }) => !field.startsWith('locations')))
      it(`8.7 ${field}: ${limit} are accepted and kept whole, ${limit + 1} are refused (decision 15)`, async () => {
        const name = field.split('[')[0] as keyof JobContent;
        const inputOf = (size: number) => ({ [name]: withSize(size)[name] });
        const { id } = await partner.draft(inputOf(limit));
        assert.deepEqual({ [name]: contentOf(await partner.job(id))[name] }, inputOf(limit));
        await storingNothing(refused, () => assertInputRefused(refused, kept, inputOf(limit + 1), field));
      });

    it('8.7 title: its characters are counted as people count them, 500 signs of two code units too (decision 15)', async () => {
      await partner.draft({ title: '🛠'.repeat(500) });
      const attempt = () => assertInputRefused(refused, kept, { title: '🛠'.repeat(501) }, 'title');
      await storingNothing(refused, attempt);
    });

    it('8.7 the number of locations: 50 are accepted, 51 are refused (decision 15)', async () => {
      const found = itemsIn<LocationSuggestion>(await partner.search('?q=san&limit=50'));
      const more = itemsIn<LocationSuggestion>(await partner.search('?q=bo&limit=1'));
      const locations = [...found, ...more].map(locationInput);
      assert.equal((await partner.draft({ locations: locations.slice(0, 50) })).locations.length, 50);
      await storingNothing(refused, () => assertInputRefused(refused, kept, { locations }, 'locations'));
    });

    it('8.7 the number of budgets: 51 are refused for their number too (decision 15)', async () => {
      const budgets = Array(51).fill({ window: 'DAILY', budgetCents: 1 });
      const answer = await storingNothing(refused, () => refused.create({ budgets }));
      const { fields } = assertRefused(answer, 422, 'VALIDATION_FAILED');
      assert.match(fields?.budgets ?? '', /50/);
    });

    it('8.7 the body: 1 MiB is read, a byte more is 413 PAYLOAD_TOO_LARGE (decision 15)', async () => {
      const padded = (bytes: number) => '{"title":"x"}'.padEnd(bytes, ' ');
      jobIn(await partner.callWithText('POST', '/jobs', padded(BODY_BYTES)), 201);
      const create = () => refused.callWithText('POST', '/jobs', padded(BODY_BYTES + 1));
      assertRefused(await storingNothing(refused, create), 413, 'PAYLOAD_TOO_LARGE');
      const update = () => refused.callWithText('PATCH', `/jobs/${kept.id}`, padded(BODY_BYTES + 1));
      assertRefused(await changingNothing(refused, kept, update), 413, 'PAYLOAD_TOO_LARGE');
    });

    it('8.7 the body: its bytes are counted, not its characters (decision 15)', async () => {
      const body = `{"title":"x","note":"${'ü'.repeat(BODY_BYTES / 2)}"}`;
      const create = () => refused.callWithText('POST', '/jobs', body);
      assertRefused(await storingNothing(refused, create), 413, 'PAYLOAD_TOO_LARGE');
    });
  });
}
