import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fixture } from '../fixture.ts';
import { completeListing, DAY_MS } from './listing.ts';
import { type Answer, type Headed, itemsIn, jobIn, Partner } from './partner.ts';
import { assertInvalid, assertRefused, changingNothing, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

export function decisionOnIdempotency(subject: () => Subject): void {
  describe('decision 27, idempotency', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));

    const keyed = (): Headed => ({ 'idempotency-key': randomUUID() });
    const statusOf = (answer: Answer) => answer.headers.get('idempotency-status');

    it('decision 27, the first answer is replayed, and nothing is created a second time @any-server', async () => {
      const headers = keyed();
      const first = await partner.create({ title: 'Once' }, headers);
      assert.equal(statusOf(first), 'stored');
      const { id } = jobIn(first, 201);
      await partner.updated(id, { title: 'Changed since' });
      const again = await storingNothing(partner, () => partner.create({ title: 'Once' }, headers));
      assert.deepEqual([again.status, again.body, statusOf(again)], [201, first.body, 'replayed']);
    });

    it('decision 27, the same body under another key, or under none, is another job', async () => {
      const jobs = [
        await partner.create({ title: 'Many' }, keyed()),
        await partner.create({ title: 'Many' }, keyed()),
        await partner.create({ title: 'Many' }),
      ].map((answer) => jobIn(answer, 201));
      assert.equal(new Set(jobs.map(({ id }) => id)).size, 3);
    });

    it('decision 27, another body under the same key is 409 IDEMPOTENCY_CONFLICT, and creates nothing @any-server', async () => {
      const headers = keyed();
      jobIn(await partner.create({ title: 'One' }, headers), 201);
      for (const body of [{ title: 'Two' }, {}, { title: 'One', publish: false }]) {
        const answer = await storingNothing(partner, () => partner.create(body, headers));
        assertRefused(answer, 409, 'IDEMPOTENCY_CONFLICT');
      }
    });

    it('decision 27, a transition too is refused under a key that is taken or above 255 characters', async () => {
      const headers = keyed();
      jobIn(await partner.create({ title: 'Taken' }, headers), 201);
      const { id } = await partner.draft(completeListing());
      for (const transition of ['publish', 'pause', 'resume', 'close'] as const) {
        const move = (key: Headed) =>
          changingNothing(partner, { id }, () => partner.move(id, transition, key));
        assertRefused(await move(headers), 409, 'IDEMPOTENCY_CONFLICT');
        assertInvalid(await move({ 'idempotency-key': 'k'.repeat(256) }), 'Idempotency-Key');
      }
    });

    it('decision 27, a key belongs to one company', async () => {
      const other = await Partner.of(subject());
      const headers = keyed();
      const mine = jobIn(await partner.create({ title: 'Same' }, headers), 201);
      const answer = await other.create({ title: 'Same' }, headers);
      assert.equal(statusOf(answer), 'stored');
      assert.equal(jobIn(answer, 201).companyId, other.companyId);
      assert.notEqual(jobIn(answer, 201).id, mine.id);
    });

    it('decision 27, a transition is replayed too, and one for another job is never answered with the first', async () => {
      const headers = keyed();
      const [one, two] = [await partner.draft(completeListing()), await partner.draft(completeListing())];
      const first = await partner.move(one.id, 'publish', headers);
      const again = await partner.move(one.id, 'publish', headers);
      assert.deepEqual([again.status, again.body, statusOf(again)], [200, first.body, 'replayed']);
      const other = await partner.move(two.id, 'publish', headers);
      if (other.status === 200) assert.equal(jobIn(other, 200).id, two.id);
      else assertRefused(other, 409, 'IDEMPOTENCY_CONFLICT');
    });

    it('decision 27, several creates at once under one key make one job', async () => {
      const company = await Partner.of(subject());
      const headers = keyed();
      const answers = await Promise.all(
        [1, 2, 3, 4, 5].map(() => company.create({ title: 'Race' }, headers)),
      );
      const jobs = itemsIn(await company.list());
      assert.equal(jobs.length, 1);
      for (const answer of answers) assert.equal(jobIn(answer, 201).id, jobs[0]?.id);
      const statuses = answers.map(statusOf).sort();
      assert.deepEqual(statuses, ['replayed', 'replayed', 'replayed', 'replayed', 'stored']);
    });

    it('decision 27, an answer is replayed for 24 hours, and no longer', async () => {
      const company = await Partner.of(subject());
      const headers = keyed();
      const first = jobIn(await company.create({ title: 'Daily' }, headers), 201);
      await subject().passTime(company.companyId, DAY_MS - 60_000);
      assert.equal(jobIn(await company.create({ title: 'Daily' }, headers), 201).id, first.id);
      await subject().passTime(company.companyId, 60_000);
      const next = await company.create({ title: 'Daily' }, headers);
      assert.equal(statusOf(next), 'stored');
      assert.notEqual(jobIn(next, 201).id, first.id);
    });

    it('decision 27, a refused key holds nothing: the right key finds the idempotency key unused', async () => {
      const headers = keyed();
      const answer = await partner.withKey('sk_ext_unknown').create({ title: 'Mine' }, headers);
      assertRefused(answer, 401, 'INVALID_SERVICE_KEY');
      assert.equal(statusOf(await partner.create({ title: 'Mine' }, headers)), 'stored');
    });
  });
}
