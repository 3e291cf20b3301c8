import assert from 'node:assert/strict';
import { JobSchema } from '../../src/contract/job.ts';
import { fixture } from '../fixture.ts';
import { DATE_TIME } from './documented.ts';
import jobFields from './job-fields.json' with { type: 'json' };
import { BOSTON, contentOf, DAY_MS, fullListing, shown } from './listing.ts';
import { itemsIn, Partner } from './partner.ts';
import type { Subject } from './subject.ts';

const FULL = fullListing();

/** Field, type, value once set, and value in a draft created from `{}`. */
const SET_FIELDS = [
  ['title', 'string', FULL.title, ''],
  ['description', 'string', FULL.description, ''],
  ['remoteOption', 'string or null', 'HYBRID', null],
  ['remoteCountry', 'string or null', 'United States', null],
  ['jobType', 'string or null', 'CONTRACT', null],
  ['jobLevel', 'string or null', 'SENIOR', null],
  ['salaryMin', 'integer or null', 34, null],
  ['salaryMax', 'integer or null', 46, null],
  ['salaryPeriod', 'string or null', 'HOURLY', null],
  ['bidPerQualifiedApplicantCents', 'integer or null', 1800, null],
  ['opportunityId', 'string or null', FULL.opportunityId, null],
  ['atsJobUrl', 'string (URI) or null', FULL.atsJobUrl, null],
] as const;

const ARRAY_FIELDS = ['locations', 'qualifications', 'questions', 'budgets'] as const;

const OTHER_FIELDS = jobFields.others;

export function section21(subject: () => Subject): void {
  describe('2.1 Job (response shape)', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));
    const full = fixture('all tests', () => partner.draft(partner.fullListing()));
    const empty = fixture('all tests', () => partner.draft());

    it('2.1 the job has exactly the fields of the table, in a create, a read and a list', async () => {
      const expected = [...SET_FIELDS.map(([field]) => field), ...ARRAY_FIELDS, ...OTHER_FIELDS].sort();
      for (const job of [full, empty, await partner.job(full.id), ...itemsIn(await partner.list())])
        assert.deepEqual(Object.keys(job).sort(), expected);
    });

    it('2.1 a create, a read and a list answer the same job = 4 note 5: all but a create answer 200 (decision 6)', async () => {
      assert.deepEqual(await partner.job(full.id), full);
      assert.deepEqual(await partner.job(empty.id), empty);
      assert.deepEqual(itemsIn(await partner.list()), [empty, full]);
    });

    it('2.1 id: an integer, stable over every change, used as {id} in paths', async () => {
      assert.ok(Number.isSafeInteger(full.id) && full.id > 0);
      assert.notEqual(full.id, empty.id);
      const { id } = await partner.draft(fullListing());
      assert.equal((await partner.updated(id, { title: 'Other' })).id, id);
      for (const transition of ['publish', 'pause', 'resume', 'close'] as const)
        assert.equal((await partner.moved(id, transition)).id, id);
      assert.equal((await partner.job(id)).id, id);
    });

    it('2.1 a create and a read answer the same job, with every field of the table in its type @any-server', async () => {
      for (const job of [full, empty]) {
        assert.deepEqual(await partner.job(job.id), job);
        const { error } = JobSchema.safeParse(job);
        assert.deepEqual(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [], []);
      }
    });

    for (const [field, type, set, unset] of SET_FIELDS)
      it(`2.1 ${field}: ${type} - ${shown(set)} as it was set, ${shown(unset)} in an empty draft @any-server`, async () => {
        assert.strictEqual(full[field], set);
        assert.strictEqual((await partner.job(full.id))[field], set);
        const mark = { ...subject().remote?.mark };
        assert.strictEqual(empty[field], field in mark ? set : unset);
      });

    it('2.1 companyId: a string, the owning company @any-server', () => {
      assert.equal(typeof full.companyId, 'string');
      assert.equal(full.companyId, partner.companyId);
    });

    it('2.1 locations: an array of LocationSuggestion', () => {
      assert.deepEqual(empty.locations, []);
      const displayName = 'Boston, Massachusetts, United States';
      assert.deepEqual(full.locations[0], { ...BOSTON, displayName });
      assert.deepEqual(contentOf(full).locations, FULL.locations);
    });

    for (const field of ['qualifications', 'questions'] as const)
      it(`2.1 ${field}: an array of the inputs plus \`id\` (string), each its own @any-server`, () => {
        assert.deepEqual(empty[field], []);
        assert.deepEqual(contentOf(full)[field], FULL[field]);
        const ids = full[field].map((entry) => entry.id);
        for (const id of ids) assert.ok(typeof id === 'string' && id !== '');
        assert.equal(new Set(ids).size, ids.length);
      });

    it('2.1 budgets: an array of Budget @any-server', () => {
      assert.deepEqual(empty.budgets, []);
      assert.deepEqual(contentOf(full).budgets, FULL.budgets);
    });

    it('2.1 applicationCounts: the integers pending, accepted and rejected = 2.1 isFrozen: true once the job has applications = 2.1 newApplicantCount: counts them, and reading does not reset it (decision 18)', async () => {
      assert.deepEqual(full.applicationCounts, { pending: 0, accepted: 0, rejected: 0 });
      const { id, isFrozen, newApplicantCount } = await partner.live();
      assert.deepEqual([isFrozen, newApplicantCount], [false, 0]);
      await subject().apply(id);
      await subject().apply(id);
      for (const job of [await partner.job(id), await partner.job(id)]) {
        assert.deepEqual(job.applicationCounts, { pending: 2, accepted: 0, rejected: 0 });
        assert.deepEqual([job.isFrozen, job.newApplicantCount], [true, 2]);
      }
    });

    const assertNow = (time: string | null) => {
      const apartMs = subject().remote ? 10 * 60_000 : 2_000;
      assert.match(time ?? '', DATE_TIME);
      assert.ok(Math.abs(Date.parse(time ?? '') - subject().now()) < apartMs, `${time} is not now`);
    };

    it('2.1 publishedAt: null in a draft, then the time of the publication = 2.1 expiresAt: 30 days after it = 2.1 closedAt: null until the job is closed, then the time of the closing @any-server', async () => {
      assert.deepEqual([full.publishedAt, full.expiresAt], [null, null]);
      const { id, publishedAt, expiresAt, closedAt } = await partner.live();
      assertNow(publishedAt);
      assert.match(expiresAt ?? '', DATE_TIME);
      assert.equal(Date.parse(expiresAt ?? '') - Date.parse(publishedAt ?? ''), 30 * DAY_MS);
      assert.strictEqual(closedAt, null);
      assertNow((await partner.moved(id, 'close')).closedAt);
    });
  });
}
