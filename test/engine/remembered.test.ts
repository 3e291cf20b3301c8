import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { jobAt } from '../../src/engine/lifecycle/job-state.ts';
import { type Engine, openEngine } from '../../src/engine/open.ts';
import { type DatabaseAddress, sqliteFile } from '../../src/engine/store/address.ts';
import { jobJson } from '../../src/engine/store/jobs.ts';
import { Remembered } from '../../src/engine/store/remembered.ts';
import { callOf, engineFor } from './engine-under-test.ts';
import { newDatabase, POSTGRES_URL } from './store/postgres-server.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const HOUR_MS = 60 * 60 * 1000;
const START = Date.parse('2026-03-02T09:00:00.000Z');

describe('what the engine remembers between requests', () => {
  const path = temporaryDirectory();
  const opened: Engine[] = [];
  let databases = 0;
  let elapsedMs = 0;
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close();
  });

  /** Two engines on one database, as two processes have them; the first has just answered under a key. */
  async function pair(database: DatabaseAddress = sqliteFile(path(`${++databases}.db`))) {
    const open = async () => {
      const reportBug = assert.ifError;
      const clock = () => START;
      const engine = await openEngine({
        database,
        placesPath: '',
        clock,
        elapsedMs: () => elapsedMs,
        reportBug,
      });
      opened.push(engine);
      return engine;
    };
    const [first, second] = [await open(), await open()];
    const { id: companyId } = await first.operator.defaultCompany();
    const { key, id } = await first.operator.keys.create(companyId);
    const status = async () => (await callOf(first.fetch, key, 'GET', '/jobs')).status;
    assert.equal(await status(), 200);
    return { first, second, keyId: id, status };
  }

  it('is no revoked key: it is refused from when the revocation is committed', async () => {
    const { first, keyId, status } = await pair();
    await first.operator.keys.revoke(keyId);
    assert.equal(await status(), 401);
  });

  it('is no key that another process has revoked in the same SQLite file, and no clock that it has moved', async () => {
    const { first, second, keyId, status } = await pair();
    await second.clock.advance(HOUR_MS);
    assert.equal(await status(), 200);
    assert.equal(first.clock.now(), START + HOUR_MS);
    await second.operator.keys.revoke(keyId);
    assert.equal(await status(), 401);
  });

  it('is no key that is gone with everything', async () => {
    const { first, status } = await pair();
    await first.operator.reset();
    assert.equal(await status(), 401);
  });

  it('is no key of PostgreSQL for a second after another process has revoked it, and no clock', async function () {
    // Two processes need a real server: PARTNER_TEST_POSTGRES_URL names one.
    if (POSTGRES_URL === undefined) return this.skip();
    const { url, drop } = await newDatabase();
    try {
      const { first, second, keyId, status } = await pair({ dialect: 'postgres', url });
      await second.clock.advance(HOUR_MS);
      await second.operator.keys.revoke(keyId);
      elapsedMs += 1_000;
      assert.equal(await status(), 401);
      assert.equal(first.clock.now(), START + HOUR_MS);
      for (const engine of opened.splice(0)) await engine.close();
    } finally {
      await drop();
    }
  });

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

describe('the text of a stored job', () => {
  const engine = engineFor('all tests');
  // The contract refuses a NUL, which PostgreSQL cannot store.
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((any) => any.replaceAll('\0', ''));
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
          await store.read.jobs.findStored(companyId, id),
        ];
        assert.ok(parsed && stored);
        assert.equal(jobJson(jobAt(stored, START)), JSON.stringify(jobAt(parsed, START)));
      }),
    );
  });
});
