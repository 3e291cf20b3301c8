import assert from 'node:assert/strict';
import { type Engine, openEngine } from '../../src/engine/open.ts';
import { callOf } from './engine-under-test.ts';
import { COMPLETE } from './listing.ts';
import { databaseFor, describeOnEach } from './store/dialects.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday. */
const START = Date.parse('2026-03-02T09:00:00.000Z');
const LISTING = { ...COMPLETE, locations: [], remoteOption: 'REMOTE', remoteCountry: 'US', publish: true };

describeOnEach('the clock of the engine', (kind) => {
  const database = databaseFor('each test', kind);
  const opened: Engine[] = [];
  let machine = START;
  let elapsedMs = 0;
  const skews: number[] = [];

  beforeEach(() => {
    machine = START;
  });
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close();
  });

  /** Opens another engine on the test's database, as a separate process would. */
  async function open(skewMs = 0): Promise<Engine> {
    const engine = await openEngine({
      database: database().address,
      store: { ...(await database().openStore()), serverTime: async () => machine },
      placesPath: '',
      clock: () => machine - skewMs,
      elapsedMs: () => elapsedMs,
      reportSkew: (found) => skews.push(found),
    });
    opened.push(engine);
    return engine;
  }

  async function withCompany() {
    const engine = await open();
    const { id } = await engine.operator.defaultCompany();
    await engine.operator.dashboard.acceptTerms(id);
    await engine.operator.dashboard.addCard(id);
    const { key } = await engine.operator.keys.create(id);
    const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      callOf(engine.fetch, key, method, path, body, headers);
    return { engine, call, key };
  }

  it("is the machine's until it is moved, and runs on from wherever it was put", async () => {
    const { clock } = await open();
    assert.equal(clock.now(), START);
    await clock.advance(30 * DAY_MS);
    machine += HOUR_MS;
    assert.equal(clock.now(), START + 30 * DAY_MS + HOUR_MS);
    await clock.set(Date.parse('2030-01-01T00:00:00.000Z'));
    machine += 1;
    assert.deepEqual(clock.state(), {
      now: '2030-01-01T00:00:00.001Z',
      offsetMs: Date.parse('2030-01-01T00:00:00.000Z') - START - HOUR_MS,
      machineNow: '2026-03-02T10:00:00.001Z',
    });
    await clock.reset();
    assert.equal(clock.now(), machine);
  });

  it('stands in the database: an engine that was open before follows with its next request, or within a second', async () => {
    const { engine, call } = await withCompany();
    const { body: job } = await call('POST', '/jobs', LISTING);
    const other = await open();
    await other.clock.advance(30 * DAY_MS);
    if (kind !== 'sqlite') elapsedMs += 1_000;
    assert.equal((await call('GET', `/jobs/${job.id}`)).body.status, 'EXPIRED');
    assert.equal(engine.clock.now(), START + 30 * DAY_MS);
  });

  it("is the database server's on machines whose own clocks differ, so that no key is forgotten early", async () => {
    const { engine, call, key } = await withCompany();
    const others = [await open(2 * HOUR_MS), await open(-2 * HOUR_MS), await open(900)];
    assert.deepEqual(skews, [2 * HOUR_MS, -2 * HOUR_MS]);
    const behindMs = others.map(({ clock }) => engine.clock.now() - clock.now());
    assert.deepEqual(behindMs, [0, 0, 900]);
    const { body } = await call('POST', '/jobs', {}, { 'idempotency-key': 'one' });
    machine += DAY_MS - HOUR_MS;
    for (const { fetch } of others)
      assert.deepEqual(
        (await callOf(fetch, key, 'POST', '/jobs', {}, { 'idempotency-key': 'one' })).body,
        body,
      );
  });

  it('tells what became of jobs and windows, on the way back as well', async () => {
    const { engine, call } = await withCompany();
    for (let count = 0; count < 2; count++) await call('POST', '/jobs', LISTING);
    await call('POST', '/jobs', { ...LISTING, publish: false });
    const { expiredJobs, revivedJobs, newWindows, before, now } = await engine.clock.advance(30 * DAY_MS);
    assert.deepEqual([expiredJobs, revivedJobs], [2, 0]);
    assert.deepEqual(newWindows, ['DAILY', 'WEEKLY', 'MONTHLY']);
    assert.deepEqual([before, now], ['2026-03-02T09:00:00.000Z', '2026-04-01T09:00:00.000Z']);
    const back = await engine.clock.reset();
    assert.deepEqual([back.expiredJobs, back.revivedJobs], [0, 2]);
    assert.deepEqual((await engine.clock.advance(HOUR_MS)).newWindows, []);
    assert.deepEqual((await engine.clock.advance(14 * HOUR_MS)).newWindows, ['DAILY']);
  });

  it('goes no further than dates can be written, and stays where it was', async () => {
    const { clock } = await open();
    await assert.rejects(clock.set(Date.parse('9999-01-01T00:00:00.000Z')), { code: 'USAGE' });
    await assert.rejects(clock.advance(-60 * 365 * DAY_MS), { code: 'USAGE' });
    await assert.rejects(clock.advance(Number.MAX_SAFE_INTEGER), { code: 'USAGE' });
    assert.equal(clock.now(), START);
  });

  it('is what the windows of a budget begin by, and the ledger is written by', async () => {
    const { engine, call } = await withCompany();
    const { operator, clock } = engine;
    const { id: companyId } = await operator.defaultCompany();
    const daily = async () =>
      (await operator.dashboard.setBudgets(companyId, () => [{ window: 'DAILY', budgetCents: 1500 }]))
        .budgets[0];
    await call('POST', '/jobs', LISTING);
    assert.equal((await daily())?.resetsAt, '2026-03-03T00:00:00.000Z');
    await clock.advance(DAY_MS);
    assert.equal((await daily())?.resetsAt, '2026-03-04T00:00:00.000Z');
    assert.equal((await operator.dashboard.invoice({ companyId, outcome: 'charged' })).month, '2026-03');
    await clock.advance(30 * DAY_MS);
    assert.equal((await operator.dashboard.invoice({ companyId, outcome: 'charged' })).month, '2026-04');
  });
});
