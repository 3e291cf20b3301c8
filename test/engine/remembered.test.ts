import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { withExpiry } from '../../src/engine/lifecycle/job-state.ts';
import { type Engine, openEngine } from '../../src/engine/open.ts';
import { formatJobJson } from '../../src/engine/store/jobs.ts';
import { Remembered } from '../../src/engine/store/remembered.ts';
import { anyText } from '../any-text.ts';
import { PLACES_PATH } from '../http/subject.ts';
import { PDF } from './applications/documents.ts';
import { somebodyElse } from './applications/somebody.ts';
import { callOf, engineFor } from './engine-under-test.ts';
import { COMPLETE } from './listing.ts';
import { databaseFor, describeOnEach } from './store/dialects.ts';

const HOUR_MS = 60 * 60 * 1000;
const START = Date.parse('2026-03-02T09:00:00.000Z');
const ORIGIN = 'http://engine.test';

describeOnEach('of two processes on one database', (kind) => {
  const database = databaseFor('each test', kind);
  const opened: Engine[] = [];
  let elapsedMs = 0;
  let first: Engine;
  let second: Engine;
  let companyId: string;
  let key: string;
  let keyId: string;

  async function open(): Promise<Engine> {
    const engine = await openEngine({
      database: database().address,
      store: await database().openStore(),
      placesPath: PLACES_PATH,
      clock: () => START,
      elapsedMs: () => elapsedMs,
      reportBug: assert.ifError,
    });
    opened.push(engine);
    return engine;
  }

  beforeEach(async () => {
    [first, second] = [await open(), await open()];
    const { companies, keys, dashboard } = first.operator;
    ({ id: companyId } = await companies.create('Acme'));
    ({ key, id: keyId } = await keys.create(companyId));
    await dashboard.acceptTerms(companyId);
    await dashboard.addCard(companyId);
    // The engine caches the key and the clock from now on.
    assert.equal(await status(), 200);
  });
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close();
  });

  const call = (engine: Engine, method: string, where: string, body?: unknown, headers = {}) =>
    callOf(engine.fetch, key, method, where, body, headers);
  const status = async () => (await call(first, 'GET', '/jobs')).status;
  const visit = (engine: Engine, where: string, init: RequestInit = {}) =>
    engine.fetch(new Request(`${ORIGIN}${where}`, { redirect: 'manual', ...init }));
  /** On a PostgreSQL server, changes by other processes may take a second to be visible. */
  const passTheSecond = () => {
    if (kind !== 'sqlite') elapsedMs += 1_000;
  };

  it('each refuses a key that it has revoked, from when that is committed', async () => {
    await first.operator.keys.revoke(keyId);
    assert.equal(await status(), 401);
  });

  it('each refuses a key that the other one has revoked, and follows the clock: at once on SQLite, within a second on a server', async () => {
    await second.clock.advance(HOUR_MS);
    passTheSecond();
    assert.equal(await status(), 200);
    assert.equal(first.clock.now(), START + HOUR_MS);
    await second.operator.keys.revoke(keyId);
    passTheSecond();
    assert.equal(await status(), 401);
  });

  it('each refuses a key that is gone with everything', async () => {
    await first.operator.reset();
    assert.equal(await status(), 401);
  });

  it('each refuses to create anything under a key that has just gone with everything in the other one', async () => {
    await second.operator.reset();
    for (const [body, headers] of [
      [{}, {}],
      [{ ...COMPLETE, publish: true }, {}],
      [{}, { 'idempotency-key': 'some' }],
    ]) {
      const refused = await call(first, 'POST', '/jobs', body, headers);
      assert.deepEqual([refused.status, refused.body.error.code], [401, 'INVALID_SERVICE_KEY']);
    }
    passTheSecond();
    assert.equal(await status(), 401);
  });

  it('the second replays the answer that the first has stored under an idempotency key', async () => {
    const under = { 'idempotency-key': 'the-same' };
    const created = await call(first, 'POST', '/jobs', COMPLETE, under);
    const again = await call(second, 'POST', '/jobs', COMPLETE, under);
    assert.equal(again.headers.get('idempotency-status'), 'replayed');
    assert.deepEqual(again.body, created.body);
    const other = await call(second, 'POST', '/jobs', { title: 'Another' }, under);
    assert.equal(other.body.error.code, 'IDEMPOTENCY_CONFLICT');
  });

  it('the second goes on with a list by the cursor of the first', async () => {
    for (const title of ['one', 'two', 'three']) await call(first, 'POST', '/jobs', { title });
    const { nextCursor } = (await call(first, 'GET', '/jobs?limit=1')).body;
    const [here, there] = await Promise.all(
      [first, second].map((engine) => call(engine, 'GET', `/jobs?limit=1&cursor=${nextCursor}`)),
    );
    assert.equal(here?.body.items[0].title, 'two');
    assert.deepEqual(there?.body, here?.body);
  });

  it('the second knows a key that the first has issued, and none that it has revoked before', async () => {
    const { keys } = first.operator;
    const [issued, revoked] = [await keys.create(companyId), await keys.create(companyId)];
    await keys.revoke(revoked.id);
    assert.equal((await callOf(second.fetch, issued.key, 'GET', '/jobs')).status, 200);
    assert.equal((await callOf(second.fetch, revoked.key, 'GET', '/jobs')).status, 401);
  });

  it('one that starts later has the clock, and what has expired by it', async () => {
    const { body: job } = await call(first, 'POST', '/jobs', { ...COMPLETE, publish: true });
    await first.clock.advance(31 * 24 * HOUR_MS);
    const late = await open();
    assert.equal(late.clock.state().offsetMs, 31 * 24 * HOUR_MS);
    assert.equal((await call(late, 'GET', `/jobs/${job.id}`)).body.status, 'EXPIRED');
  });

  it('the second has the session of the first in the dashboard, its forms, and a link that was used up', async () => {
    const { path: link } = await first.signInLink(companyId);
    const cookie = (await visit(first, link)).headers.get('set-cookie')?.split(';')[0] ?? '';
    assert.equal((await visit(second, link)).status, 403);
    const form = await (await visit(first, '/dashboard/billing', { headers: { cookie } })).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(form)?.[1] ?? '';
    const signOut = (engine: Engine, token: string) =>
      visit(engine, '/dashboard/sign-out', {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ csrf: token }).toString(),
      });
    assert.equal((await signOut(second, 'forged')).status, 403);
    assert.equal((await signOut(second, csrf)).status, 200);
    assert.equal((await visit(first, '/dashboard', { headers: { cookie } })).status, 401);
  });

  it('the second takes an application with a file that the first has received', async () => {
    const { body: job } = await call(first, 'POST', '/jobs', { ...COMPLETE, questions: [], publish: true });
    const sent = { method: 'POST', body: PDF as BodyInit };
    const { fileId } = (await (await visit(first, '/candidate/v1/files?name=cv.pdf', sent)).json()) as {
      fileId: string;
    };
    assert.deepEqual(Buffer.from((await second.operator.fileContent(fileId)) ?? []), PDF);
    const { id } = await second.operator.applications.apply(job.id, {
      ...somebodyElse()({ resume: fileId }),
      ...{ answers: {}, meets: [] },
    });
    const [file] = (await first.operator.application(companyId, id)).files;
    assert.equal(file?.fileId, fileId);
  });
});

describe('what is remembered', () => {
  it('is nothing that was read before a change and came after it', async () => {
    let version = 0;
    const remembered = new Remembered<string>({ version: () => version }, 10, () => 0);
    const read = remembered.read('key', async () => {
      version++;
      return 'as it was';
    });
    assert.equal(await read, 'as it was');
    assert.equal(remembered.get('key'), undefined);
    await remembered.read('key', async () => 'as it is');
    assert.equal(remembered.get('key'), 'as it is');
  });
});

describeOnEach('the text of a stored job', (kind) => {
  const engine = engineFor('all tests', { kind });
  // The API contract refuses NUL, because PostgreSQL can't store it.
  const text = anyText({ maxLength: 40 }).map((any) => any.replaceAll('\0', ''));
  const sets = fc.array(fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null))), {
    maxLength: 3,
  });
  const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  const time = fc.constantFrom(
    '2026-03-02T08:59:59.999Z',
    '2026-03-02T09:00:00.000Z',
    '2026-04-02T09:00:00.000Z',
  );
  const job = fc.record({
    title: text,
    description: text,
    status: fc.constantFrom('DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED'),
    remoteOption: orNull(fc.constantFrom('REMOTE', 'HYBRID')),
    remoteCountry: orNull(text),
    jobType: orNull(fc.constantFrom('FULL_TIME', 'CONTRACT')),
    jobLevel: orNull(fc.constant('MID')),
    salaryMin: orNull(fc.maxSafeNat()),
    salaryMax: orNull(fc.maxSafeNat()),
    salaryPeriod: orNull(fc.constant('ANNUAL')),
    bidPerQualifiedApplicantCents: orNull(fc.maxSafeNat()),
    opportunityId: orNull(text),
    atsJobUrl: orNull(text),
    locations: sets,
    qualifications: sets,
    questions: sets,
    budgets: sets,
    publishedAt: orNull(time),
    expiresAt: orNull(time),
    closedAt: orNull(time),
  });

  it('is that of the parsed job, for every job and at every time', async () => {
    const { store, companyId } = engine;
    const counts = { applicationCounts: { pending: 0, accepted: 0, rejected: 0 }, newApplicantCount: 0 };
    await fc.assert(
      fc.asyncProperty(job, async (content) => {
        const inserted = { ...content, ...counts, companyId, isFrozen: false } as never;
        const { id } = await store.write(({ jobs }) => jobs.insert(inserted, START));
        const [parsed, stored] = [
          await store.read.jobs.find(companyId, id),
          await store.read.jobs.findRow(companyId, id),
        ];
        assert.ok(parsed && stored);
        assert.equal(formatJobJson(stored, START), JSON.stringify(withExpiry(parsed, START)));
      }),
    );
  });
});
