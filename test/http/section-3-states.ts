import assert from 'node:assert/strict';
import type { Job } from '../../src/contract/job.ts';
import { JOB_STATUSES, type JobStatus } from '../../src/contract/values.ts';
import { fixture } from '../fixture.ts';
import { ON_ANY_SERVER } from './any-server.ts';
import { completeListing, contentOf, DAY_MS } from './listing.ts';
import { itemsIn, jobIn, Partner } from './partner.ts';
import {
  assertInvalid,
  assertRefused,
  assertWrongState,
  changingNothing,
  storingNothing,
} from './refusal.ts';
import type { Subject } from './subject.ts';

/** Section 3. Every other transition is refused (decisions 8 and 9). */
const MOVES: Record<'publish' | 'pause' | 'resume' | 'close', Partial<Record<JobStatus, JobStatus>>> = {
  publish: { DRAFT: 'ACTIVE' },
  pause: { ACTIVE: 'PAUSED' },
  resume: { PAUSED: 'ACTIVE' },
  close: { ACTIVE: 'CLOSED', PAUSED: 'CLOSED' },
};
const TRANSITIONS = Object.keys(MOVES) as (keyof typeof MOVES)[];

/** Rows of the specification that some refused transitions also cover. */
const ROWS_OF: Readonly<Record<string, string>> = {
  'EXPIRED close': ' = 3 rule 1,',
  'ACTIVE publish': ' = 3 rule 2,',
  'DRAFT pause': ' = 7 INVALID_TRANSITION:',
  'CLOSED close': ' = 4 Close: INVALID_TRANSITION',
};

/** The specification itself refuses these: section 3 for pause, section 4 for close. */
function isSpecified(from: JobStatus, transition: string): boolean {
  return from !== 'EXPIRED' && (transition === 'pause' || transition === 'close');
}

const MINUTE_MS = 60_000;

/** Section 3, one test per row, plus the transitions it doesn't list. */
export function section3(subject: () => Subject): void {
  describe('3 States and transitions', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));

    it('3 (none) → create without publish → DRAFT: any subset of fields, omitted fields stay empty', async () => {
      const listing = completeListing();
      for (const field of Object.keys(listing) as (keyof typeof listing)[]) {
        const subset = { [field]: listing[field] };
        const job = await partner.draft(subset);
        assert.equal(job.status, 'DRAFT');
        const empty = contentOf(await partner.draft());
        assert.deepEqual(contentOf(job), { ...empty, ...subset });
      }
    });

    it('3 (none) → create with publish false → DRAFT: a complete listing is not published by itself @any-server', async () => {
      const job = await partner.draft(completeListing({ publish: false }));
      assert.equal(job.status, 'DRAFT');
      assert.deepEqual([job.publishedAt, job.expiresAt, job.closedAt], [null, null, null]);
    });

    it('3 (none) → create with `publish: true`, all gates pass → ACTIVE: publishedAt and expiresAt set = 2.2 publish: boolean, default false, create only @any-server', async () => {
      const job = jobIn(await partner.create(completeListing({ publish: true })), 201);
      assert.equal(job.status, 'ACTIVE');
      assert.ok(job.publishedAt && job.expiresAt);
      assert.deepEqual(await partner.job(job.id), job);
    });

    it('3 (none) → create with `publish: true`, completeness fails → nothing is created, the mended payload is = 7 rule 1: completeness @any-server', async () => {
      const fresh = await Partner.of(subject());
      const payload = completeListing({ publish: true });
      const attempt = () => fresh.create({ ...payload, jobLevel: null });
      assertInvalid(await storingNothing(fresh, attempt), 'jobLevel');
      assert.equal(jobIn(await fresh.create(payload), 201).status, 'ACTIVE');
    });

    for (const [lack, missing, settle, status, code, gate] of [
      ['terms not accepted', 'terms', 'acceptTerms', 409, 'AGREEMENT_OUTDATED', 2],
      ['no card', 'card', 'addCard', 402, 'PAYMENT_METHOD_REQUIRED', 3],
    ] as const)
      it(`3 (none) → create with \`publish: true\`, ${lack} → nothing is created, the same payload is once that is settled = 4 createJob: ${status} ${code} = 4 Publish: ${status} ${code} = 7 ${status} ${code}: = 8 gate ${gate}`, async () => {
        const fresh = await Partner.of(subject(), { [missing]: false });
        const payload = completeListing({ publish: true });
        assertRefused(await storingNothing(fresh, () => fresh.create(payload)), status, code);
        const draft = await fresh.draft(completeListing());
        const publish = () => fresh.move(draft.id, 'publish');
        assertRefused(await changingNothing(fresh, draft, publish), status, code);
        await subject()[settle](fresh.companyId);
        assert.equal(jobIn(await fresh.create(payload), 201).status, 'ACTIVE');
        assert.equal(itemsIn(await fresh.list('?status=ACTIVE')).length, 1);
      });

    it('3 DRAFT → publish → ACTIVE: the listing runs 30 days, and says the same as the draft = 4 Publish a draft: POST {base_url}/jobs/{id}/publish @any-server', async () => {
      const draft = await partner.jobThatIs('DRAFT');
      const job = jobIn(await partner.call('POST', `/jobs/${draft.id}/publish`), 200);
      assert.equal(job.status, 'ACTIVE');
      assert.equal(Date.parse(job.expiresAt ?? '') - Date.parse(job.publishedAt ?? ''), 30 * DAY_MS);
      const { publishedAt, expiresAt } = job;
      assert.deepEqual(job, { ...draft, status: 'ACTIVE', publishedAt, expiresAt });
      assert.deepEqual(await partner.job(draft.id), job);
    });

    it('3 ACTIVE → pause → PAUSED: listing hidden temporarily, nothing else changes @any-server', async () => {
      const live = await partner.live();
      assert.deepEqual(await partner.moved(live.id, 'pause'), { ...live, status: 'PAUSED' });
      assert.equal((await partner.job(live.id)).status, 'PAUSED');
    });

    it('3 PAUSED → resume → ACTIVE (decision 1): visible again, expiresAt unchanged = 4 note 2: pause and resume are operations (decision 2) @any-server', async () => {
      const live = await partner.live();
      await partner.moved(live.id, 'pause');
      const resumed = await partner.moved(live.id, 'resume');
      // The specification doesn't define the resulting status.
      if (subject().remote) return;
      assert.deepEqual(resumed, live);
      assert.equal((await partner.job(live.id)).status, 'ACTIVE');
    });

    for (const from of ['ACTIVE', 'PAUSED'] as const)
      it(`3 ${from} → close → CLOSED: terminal, closedAt set, nothing else changes = 4 Close a job: POST {base_url}/jobs/{id}/close @any-server`, async () => {
        const job = await partner.jobThatIs(from);
        const closed = jobIn(await partner.call('POST', `/jobs/${job.id}/close`), 200);
        assert.ok(closed.closedAt);
        assert.deepEqual(closed, { ...job, status: 'CLOSED', closedAt: closed.closedAt });
        assert.deepEqual(await partner.job(job.id), closed);
      });

    for (const from of ['ACTIVE', 'PAUSED'] as const) {
      const why = from === 'PAUSED' ? ' (decision 3: the days run on)' : '';
      it(`3 ${from} → 30 days after publication → EXPIRED${why}, not a minute earlier = 8.1`, async () => {
        const fresh = await Partner.of(subject());
        const { id } = await fresh.jobThatIs(from);
        await subject().passTime(fresh.companyId, 30 * DAY_MS - MINUTE_MS);
        assert.equal((await fresh.job(id)).status, from);
        await subject().passTime(fresh.companyId, MINUTE_MS);
        const expired = await fresh.job(id);
        assert.equal(expired.status, 'EXPIRED');
        assert.equal(expired.closedAt, null);
        assert.deepEqual(itemsIn(await fresh.list('?status=EXPIRED')), [expired]);
        assert.deepEqual(itemsIn(await fresh.list(`?status=${from}`)), []);
      });
    }

    it('3 a DRAFT and a CLOSED job never expire', async () => {
      const fresh = await Partner.of(subject());
      const draft = await fresh.jobThatIs('DRAFT');
      const closed = await fresh.jobThatIs('CLOSED');
      await subject().passTime(fresh.companyId, 400 * DAY_MS);
      assert.equal((await fresh.job(draft.id)).status, 'DRAFT');
      assert.equal((await fresh.job(closed.id)).status, 'CLOSED');
    });

    it('3 the 30 days are counted from the publication, not from the creation, and no pause lengthens them', async () => {
      const fresh = await Partner.of(subject());
      const { id } = await fresh.jobThatIs('DRAFT');
      await subject().passTime(fresh.companyId, 20 * DAY_MS);
      await fresh.moved(id, 'publish');
      await subject().passTime(fresh.companyId, 20 * DAY_MS);
      await fresh.moved(id, 'pause');
      await subject().passTime(fresh.companyId, 9 * DAY_MS);
      assert.equal((await fresh.moved(id, 'resume')).status, 'ACTIVE');
      await subject().passTime(fresh.companyId, DAY_MS);
      assert.equal((await fresh.job(id)).status, 'EXPIRED');
    });

    it('3 two publications of one draft at once: one succeeds, the other finds it ACTIVE', async () => {
      const { id } = await partner.jobThatIs('DRAFT');
      const answers = await Promise.all([1, 2, 3, 4].map(() => partner.move(id, 'publish')));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
      const [winner] = answers.filter(({ status }) => status === 200);
      assert.deepEqual(await partner.job(id), winner?.body);
    });
  });

  describe('3 moves that the table does not have', () => {
    /** Each job gets a separate company, because time passes for all jobs of a company. */
    async function jobThatIs(status: JobStatus): Promise<readonly [Partner, Job]> {
      const partner = await Partner.of(subject());
      return [partner, await partner.jobThatIs(status)];
    }

    for (const transition of TRANSITIONS) {
      for (const from of JOB_STATUSES.filter((status) => MOVES[transition][status] === undefined)) {
        const tag = isSpecified(from, transition) ? ON_ANY_SERVER : '';
        it(`3 ${from} → ${transition}: INVALID_TRANSITION, unchanged (decisions 7, 8 and 9)${ROWS_OF[`${from} ${transition}`] ?? ''}${tag}`, async () => {
          const [partner, job] = await jobThatIs(from);
          const answer = await changingNothing(partner, job, () => partner.move(job.id, transition));
          const { message } = assertWrongState(answer);
          if (answer.isRemote) return;
          if (transition === 'pause') assert.match(message, /only active jobs can be paused/i);
          if (transition === 'publish') assert.match(message, new RegExp(`\\b${from}\\b`));
        });
      }
    }

    for (const from of ['CLOSED', 'EXPIRED'] as const) {
      const tag = from === 'CLOSED' ? ON_ANY_SERVER : '';
      it(`3 rule 5, an edit of a job that is ${from} is refused and changes nothing: INVALID_TRANSITION, whatever is sent (decision 10)${tag}`, async () => {
        const [partner, job] = await jobThatIs(from);
        for (const changes of [{ title: 'Other' }, {}, { title: job.title }, { salaryMin: null }]) {
          const answer = await changingNothing(partner, job, () => partner.update(job.id, changes));
          if (answer.isRemote) return assert.ok(answer.status >= 400 && answer.status < 500);
          assertWrongState(answer);
        }
      });
    }
  });
}
