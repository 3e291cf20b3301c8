import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { JobSchema } from '../../../src/contract/job.ts';
import { JOB_STATUSES, type JobStatus } from '../../../src/contract/values.ts';
import { openClock } from '../../../src/engine/clock.ts';
import { createCompanyRow } from '../../../src/engine/companies/company.ts';
import { keyRow } from '../../../src/engine/companies/keys.ts';
import { createDraft, type JobState, withExpiry } from '../../../src/engine/lifecycle/job-state.ts';
import type { JobFilter } from '../../../src/engine/store/jobs.ts';
import { openSqlite } from '../../../src/engine/store/sqlite.ts';
import { settleExpiry } from '../../../src/engine/store/store.ts';
import { fixture } from '../../fixture.ts';
import { COMPLETE } from '../listing.ts';
import { AUSTIN } from '../some-places.ts';
import { storeApplication } from '../stored-application.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { databaseFor, describeOnEach } from './dialects.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const TIME = new Date(NOW).toISOString();

describeOnEach('the store', (kind) => {
  const database = databaseFor('all tests', kind);
  let companyId: string;
  let otherId: string;

  const store = fixture('all tests', () => database().openStore());

  beforeEach(async () => {
    await store.clear();
    [companyId, otherId] = await Promise.all([company('Acme'), company('Other')]);
  });

  async function company(name: string): Promise<string> {
    const row = createCompanyRow(name, NOW);
    await store.write(({ companies }) => companies.insert(row));
    return row.id;
  }

  const insert = (changes: Partial<JobState> = {}, owner = companyId) =>
    store.write(({ jobs }) => jobs.insert({ ...createDraft(owner, {}), ...changes }, NOW));

  const apply = (jobId: number, status: 'pending' | 'accepted' | 'rejected', time = TIME) =>
    store.write((queries) => storeApplication(queries, jobId, status, time));

  it('gives the job that is asked for, also after a read that waited for a transaction', async () => {
    const [one, other] = [await insert(), await insert()];
    const waiting: Promise<unknown>[] = [];
    await store.write(async () => void waiting.push(store.read.jobs.find(companyId, one.id)));
    await Promise.all(waiting);
    assert.equal((await store.read.jobs.find(companyId, other.id))?.id, other.id);
  });

  it('finds jobs by a part of their titles in any case, and takes wildcards literally', async () => {
    for (const title of ['Night nurse', 'Day NURSE', '50%_off\\', '500 off']) await insert({ title });
    const find = async (title: string) =>
      (await store.read.jobs.list({ companyId, title, limit: 9 })).map((job) => job.title);
    assert.deepEqual(await find('Nurse'), ['Day NURSE', 'Night nurse']);
    for (const wildcard of ['50%', '%_', '\\']) assert.deepEqual(await find(wildcard), ['50%_off\\']);
    assert.deepEqual(await store.read.jobs.list({ companyId: otherId, title: 'nurse', limit: 9 }), []);
  });

  it('gives a job back as it was stored, with every field of section 2.1 in its order', async () => {
    const stored = await insert({
      ...COMPLETE,
      locations: [AUSTIN],
      qualifications: COMPLETE.qualifications.map((entry, index) => ({ id: `q${index}`, ...entry })),
      questions: COMPLETE.questions.map((entry, index) => ({ id: `s${index}`, ...entry })),
      budgets: [{ window: 'LIFETIME', budgetCents: Number.MAX_SAFE_INTEGER, notes: null }],
      status: 'CLOSED',
      description: 'Quotes \' " \\ and 🛠️ and\nlines',
      opportunityId: 'OPP-1',
      atsJobUrl: 'https://ats.example/jobs/1',
      salaryMin: 0,
      salaryMax: Number.MAX_SAFE_INTEGER,
      bidPerQualifiedApplicantCents: Number.MAX_SAFE_INTEGER,
      publishedAt: TIME,
      expiresAt: TIME,
      closedAt: TIME,
    });
    const found = await store.read.jobs.find(companyId, stored.id);
    assert.deepEqual(found, stored);
    assert.deepEqual(Object.keys(found ?? {}), Object.keys(JobSchema.shape));
  });

  it("never reaches another company's job", async () => {
    const job = await insert();
    assert.equal(await store.read.jobs.find(otherId, job.id), undefined);
    assert.equal(await store.write(({ jobs }) => jobs.findForChange(otherId, job.id)), undefined);
    assert.deepEqual(await store.read.jobs.list({ companyId: otherId, limit: 10 }), []);
    await store.write(({ jobs }) => jobs.replace({ ...job, companyId: otherId, title: 'taken' }));
    assert.deepEqual(await store.read.jobs.find(companyId, job.id), job);
  });

  it('gives candidates the ACTIVE jobs of every company with its name and caps, newest first', async () => {
    const expiresAt = new Date(NOW + 1).toISOString();
    const first = await insert({ status: 'ACTIVE', expiresAt });
    await insert({ status: 'ACTIVE', expiresAt: TIME });
    await insert({ status: 'PAUSED', expiresAt });
    const budgets = [{ window: 'DAILY', budgetCents: 1 }] as const;
    await store.write(({ companies }) => companies.change(otherId, { budgets: JSON.stringify(budgets) }));
    const last = await insert({ status: 'ACTIVE', expiresAt }, otherId);
    const { openings } = store.read;
    const listed = async (beforeId?: number) =>
      (await openings.list({ limit: 10, beforeId }, NOW)).map(
        ({ id, company_budgets }) => `${id} ${company_budgets}`,
      );
    const [newest, oldest] = [`${last.id} ${JSON.stringify(budgets)}`, `${first.id} []`];
    assert.deepEqual(await listed(), [newest, oldest]);
    assert.deepEqual(await listed(last.id), [oldest]);
    assert.equal((await openings.find(first.id))?.company, 'Acme');
    assert.equal(await openings.find(last.id + 1), undefined);
  });

  it('undoes a transaction that throws, as for a job of no company', async () => {
    const failing = store.write(async ({ jobs }) => {
      await jobs.insert(createDraft(companyId, {}), NOW);
      await jobs.insert(createDraft('cmp_none', {}), NOW);
    });
    await assert.rejects(failing);
    assert.deepEqual(await store.read.jobs.list({ companyId, limit: 10 }), []);
  });

  it('loses no write of transactions that run at once', async () => {
    const { id } = await insert({ salaryMin: 0 });
    const raise = () =>
      store.write(async ({ jobs }) => {
        const job = await jobs.findForChange(companyId, id);
        assert.ok(job);
        await jobs.replace({ ...job, salaryMin: (job.salaryMin ?? 0) + 1 });
      });
    await Promise.all(Array.from({ length: 20 }, raise));
    assert.equal((await store.read.jobs.find(companyId, id))?.salaryMin, 20);
  });

  it('lists newest first, page after page, all jobs or those of one opportunity', async () => {
    const ids: number[] = [];
    for (const opportunityId of ['OPP-1', 'OPP-2', null, 'OPP-1', null])
      ids.unshift((await insert({ opportunityId })).id);
    await insert({ opportunityId: 'OPP-1' }, otherId);
    const listed = async (filter: Partial<JobFilter>) =>
      (await store.read.jobs.list({ companyId, limit: 9, ...filter })).map(({ id }) => id);
    assert.deepEqual(await listed({ limit: 2 }), ids.slice(0, 2));
    assert.deepEqual(await listed({ beforeId: ids[1] }), ids.slice(2));
    assert.deepEqual(await listed({ opportunityId: 'OPP-1' }), [ids[1], ids[4]]);
  });

  it('filters and counts states as the lifecycle has them, at the very moment of expiry too', async () => {
    const stored: JobStatus[] = ['DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED'];
    for (const status of stored) await insert({ status, expiresAt: status === 'DRAFT' ? null : TIME });
    for (const now of [NOW - 1, NOW, NOW + 1, NOW, NOW - 1]) {
      await settleExpiry(store, () => now, 0);
      const all = (await store.read.jobs.list({ companyId, limit: 10 })).map((job) => withExpiry(job, now));
      const counts = await store.read.jobs.countByStatus(companyId);
      for (const status of JOB_STATUSES) {
        const expected = all.filter((job) => job.status === status).map(({ id }) => id);
        const listed = await store.read.jobs.list({ companyId, status, limit: 10 });
        const actual = listed.map(({ id }) => id);
        assert.deepEqual(actual, expected, `${status} at ${now - NOW}`);
        assert.equal(counts[status] ?? 0, expected.length);
      }
    }
  });

  it('counts applications by state and as new since the job was last opened, and freezes with the first', async () => {
    const { id, isFrozen } = await insert();
    assert.equal(isFrozen, false);
    const found = async () => store.read.jobs.find(companyId, id);
    await apply(id, 'rejected', '2026-03-01T00:00:00.000Z');
    assert.equal((await found())?.isFrozen, true);
    await apply(id, 'pending', '2026-03-03T00:00:00.000Z');
    assert.equal((await found())?.newApplicantCount, 2);
    await store.write(({ applications }) => applications.forgetUnseen(id));
    assert.equal((await found())?.newApplicantCount, 0);
    await apply(id, 'pending', '2026-03-04T00:00:00.000Z');
    assert.equal((await found())?.newApplicantCount, 1);
    assert.deepEqual((await found())?.applicationCounts, { pending: 2, accepted: 0, rejected: 1 });
  });

  it('never gives an id twice, not even after everything was emptied', async () => {
    const { id } = await insert();
    await store.clear();
    companyId = await company('Acme');
    assert.ok((await insert()).id > id);
  });

  it('makes the default company once, however many ask at once', async () => {
    const rows = Array.from({ length: 5 }, (_, index) => createCompanyRow(`Default ${index}`, NOW));
    await Promise.all(rows.map((row) => store.write(({ companies }) => companies.insertDefault(row))));
    const defaults = (await store.read.companies.list()).filter(({ is_default }) => is_default !== null);
    assert.equal(defaults.length, 1);
    assert.deepEqual(await store.read.companies.findDefault(), defaults[0]);
  });

  it('moves the clock on from where each before has put it', async () => {
    const clock = await openClock(store, () => NOW);
    await Promise.all([1, 2, 3].map(() => clock.advance(1000)));
    assert.equal(await store.read.clock.offsetMs(), 3000);
  });

  it('knows a key by its digest, and keeps the date of its first revocation', async () => {
    const row = keyRow('sk_ext_some', companyId, NOW);
    await store.write(({ keys }) => keys.insert(row));
    assert.equal(await store.write(({ keys }) => keys.revoke(row.id, TIME)), true);
    assert.equal(await store.write(({ keys }) => keys.revoke(row.id, '2027-01-01T00:00:00.000Z')), true);
    assert.deepEqual(await store.read.keys.findByDigest(row.digest), { ...row, revoked_at: TIME });
    assert.equal(await store.read.keys.findByDigest('0'), undefined);
    assert.equal(await store.write(({ keys }) => keys.revoke('key_none', TIME)), false);
  });

  it('gives a stored answer back until it is too old, then takes another in its place', async () => {
    const answer = { request_digest: 'd1', answer_status: 201, answer_body: '{"id":1}' };
    const find = (since: string) => store.write(({ idempotency }) => idempotency.find(companyId, 'k', since));
    await store.write(({ idempotency }) => idempotency.put(companyId, 'k', answer, TIME));
    assert.deepEqual(await find('2026-03-02T08:59:59.999Z'), answer);
    assert.equal(await find(TIME), undefined);
    assert.equal(await store.read.idempotency.find(otherId, 'k', '2026-01-01T00:00:00.000Z'), undefined);

    const later = { ...answer, request_digest: 'd2' };
    await store.write(({ idempotency }) =>
      idempotency.put(companyId, 'k', later, '2026-03-03T09:00:00.000Z'),
    );
    assert.deepEqual(await find(TIME), later);
    await store.write(({ idempotency }) => idempotency.deleteOlder('2026-03-03T09:00:00.000Z'));
    assert.equal(await find(TIME), undefined);
  });

  it('lets one of many use a sign-in link, and none once its time has come', async () => {
    const later = new Date(NOW + 1).toISOString();
    const link = (digest: string) =>
      store.write(({ sessions }) => sessions.insertLink({ digest, company_id: otherId, expires_at: later }));
    const use = (digest: string, at = TIME) => store.write(({ sessions }) => sessions.useLink(digest, at));
    await Promise.all([link('used'), link('late')]);
    const got = await Promise.all(Array.from({ length: 8 }, () => use('used')));
    assert.deepEqual(got.filter(Boolean), [otherId]);
    assert.equal(await use('late', later), undefined);
    assert.equal(await use('unknown'), undefined);
  });

  it('knows a session until it is over, deleted or swept up, and sweeps up nobody else', async () => {
    const later = new Date(NOW + 1).toISOString();
    const insert = (digest: string, expiresAt: string) =>
      store.write(({ sessions }) =>
        sessions.insert({ digest, company_id: companyId, expires_at: expiresAt }),
      );
    await Promise.all([
      insert('short', later),
      insert('long', '2027-01-01T00:00:00.000Z'),
      insert('out', later),
    ]);
    const { sessions } = store.read;
    assert.equal(await sessions.findCompanyId('short', TIME), companyId);
    assert.equal(await sessions.findCompanyId('short', later), undefined);
    await store.write((queries) => queries.sessions.delete('out'));
    assert.equal(await sessions.findCompanyId('out', TIME), undefined);
    await store.write((queries) => queries.sessions.sweep(later));
    assert.equal(await sessions.findCompanyId('short', TIME), undefined);
    assert.equal(await sessions.findCompanyId('long', later), companyId);
  });
});

describe('the store on sqlite', () => {
  const path = temporaryDirectory();

  it('writes through to the disk at every commit, and holds foreign keys', async () => {
    const db = await openSqlite(path('pragmas.db'));
    const pragma = async (name: string) =>
      Object.values((await sql<object>`pragma ${sql.raw(name)}`.execute(db)).rows[0] ?? {})[0];
    assert.equal(await pragma('journal_mode'), 'wal');
    assert.equal(await pragma('synchronous'), 2);
    assert.equal(await pragma('foreign_keys'), 1);
    await db.destroy();
  });

  it('gives rows nothing but their columns', async () => {
    const db = await openSqlite(path('columns.db'));
    await db.insertInto('companies').values(createCompanyRow('Acme', NOW)).execute();
    const row = await db.selectFrom('companies').select('name').executeTakeFirst();
    assert.deepEqual(row, { name: 'Acme' });
    await db.destroy();
  });
});
