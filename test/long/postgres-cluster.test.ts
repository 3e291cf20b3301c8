import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BudgetWindow } from '../../src/contract/values.ts';
import { deriveCsrfToken } from '../../src/engine/dashboard/sessions.ts';
import { type Engine, openEngine } from '../../src/engine/open.ts';
import { newHome } from '../cli/partner.ts';
import { callOf, payingCompany } from '../engine/engine-under-test.ts';
import { COMPLETE } from '../engine/listing.ts';
import { ClusterClient, Tally } from './cluster/client.ts';
import { Fleet } from './cluster/fleet.ts';
import { NO_POSTGRES, type OwnServer, startPostgres } from './cluster/own-servers.ts';
import { type Caps, recount, SHARED } from './cluster/recount.ts';
import { type Tenant, type Told, work } from './cluster/worker.ts';

const PROCESSES = 4;
const CLIENTS = 64;
/** PARTNER_TEST_CLUSTER_SECONDS shortens the run while you work on the test. */
const RUN_MS = Number(process.env.PARTNER_TEST_CLUSTER_SECONDS ?? 60) * 1_000;
const KILL_EVERY_MS = 4_000;
const BID = COMPLETE.bidPerQualifiedApplicantCents;
// These caps fill up early, one after another, and aren't multiples of the bid.
const OF_SHARED_JOBS: readonly Caps[] = [2, 4, 7, 11, 16, 22].map((bids) => ({ WEEKLY: bids * BID + 20 }));
const OF_COMPANIES: readonly Caps[] = [
  { DAILY: 45 * BID + 1, LIFETIME: 45 * BID + 700 },
  { LIFETIME: 80 * BID, isMoved: true },
];
const LOWERED_CENTS = 10 * BID;

const budgetsOf = ({ isMoved: _, ...caps }: Caps) =>
  Object.entries(caps).map(([window, budgetCents]) => ({ window: window as BudgetWindow, budgetCents }));

describe(`${PROCESSES} engine processes on one PostgreSQL, called by ${CLIENTS} clients`, function () {
  this.timeout(RUN_MS * 3 + 180_000);
  const tally = new Tally();
  const told: Told = { jobs: [], applications: [], files: [], unknown: new Set() };
  let postgres: OwnServer;
  let engine: Engine;
  let fleet: Fleet;

  before(async function () {
    if (NO_POSTGRES !== undefined) {
      console.log(`      ${NO_POSTGRES}`);
      return this.skip();
    }
    postgres = await startPostgres();
    const placesPath = fileURLToPath(new URL('../../dist/places.bin', import.meta.url));
    engine = await openEngine({ database: { dialect: 'postgres', url: postgres.url }, placesPath });
    const flags = `--database ${postgres.url} --candidate-rate-limit 1000000`;
    fleet = new Fleet(await newHome(), PROCESSES, flags);
    await fleet.allUp();
  });
  after(async () => {
    await fleet?.stop();
    await engine?.close();
    await postgres?.stop();
  });

  it('lose nothing that they acknowledged while processes are killed and the database goes away', async () => {
    const tenants = await Promise.all(OF_COMPANIES.map(tenantOf));
    const workers = Array.from({ length: CLIENTS }, (_, index) =>
      work(`worker ${index}`, tenants[index % tenants.length] as Tenant, { fleet, tally, told }),
    );
    const budgets = moveBudgets(tenants[1] as Tenant);
    await disturb();
    tally.isOver = true;
    await Promise.all([...workers, budgets]);
    await fleet.allUp();

    const caps = new Map<string, Caps>();
    for (const [index, { companyId, shared }] of tenants.entries()) {
      caps.set(`company:${companyId}`, OF_COMPANIES[index] as Caps);
      for (const [number, { id }] of shared.entries()) caps.set(`job:${id}`, OF_SHARED_JOBS[number] as Caps);
    }
    const capsOf = (target: string) => caps.get(target) ?? { DAILY: 9_000 };
    const wrong = [...tally.anomalies, ...fleet.ends, ...(await recount(postgres.url, told, capsOf))];
    report();
    if (wrong.length > 0)
      console.log(fleet.notes.slice(-30).join('\n'), (await postgres.log()).slice(-3_000));
    assert.deepEqual(wrong.slice(0, 40), [], `${wrong.length} faults`);
    const now = await Promise.all(tenants.map(sharedJobs));
    assert.deepEqual(
      now,
      tenants.map(({ shared }) => shared.map(asked)),
    );
    assert.deepEqual(
      await fleet.stop(),
      Array.from({ length: PROCESSES }, () => 0),
    );
  });

  async function disturb(): Promise<void> {
    const rounds = Math.max(3, Math.floor(RUN_MS / KILL_EVERY_MS));
    const losses = new Map([
      [Math.ceil(rounds / 3), postgres.restart],
      [Math.ceil((rounds * 2) / 3), postgres.crash],
    ]);
    for (let round = 1; round <= rounds; round++) {
      await pause(RUN_MS / rounds);
      // Waits for all processes, because on a slow machine the kills would leave none that serves.
      const lose = losses.get(round) ?? (() => fleet.allUp());
      await lose();
      await fleet.killOne();
      tally.count(losses.has(round) ? `kill, and ${lose.name} of the database` : 'kill');
    }
  }

  async function moveBudgets({ companyId }: Tenant): Promise<void> {
    const high = budgetsOf(OF_COMPANIES[1] as Caps);
    const low = high.map((budget) => ({ ...budget, budgetCents: LOWERED_CENTS }));
    for (let isLow = true; !tally.isOver; isLow = !isLow) {
      await engine.operator.dashboard
        .setBudgets(companyId, () => (isLow ? low : high))
        .catch((error) => {
          tally.count(`operator: ${error.code}`);
          if (error.code !== 'DATABASE_UNUSABLE') tally.wrong(`setBudgets: ${error.stack}`);
        });
      await pause(200);
    }
  }

  async function tenantOf(caps: Caps): Promise<Tenant> {
    const { dashboard, applications } = engine.operator;
    const { companyId, key } = await payingCompany(engine.operator);
    await dashboard.setBudgets(companyId, () => budgetsOf(caps));
    const client = new ClusterClient(fleet, tally);
    const signedIn = await client.until('GET', (await engine.signInLink(companyId)).path);
    const session = /=(\w+);/.exec(String(signedIn.headers['set-cookie']))?.[1] ?? '';
    const shared = [];
    for (const [number, ofJob] of OF_SHARED_JOBS.entries()) {
      const title = `${SHARED} ${number} of ${companyId}`;
      const body = { ...COMPLETE, title, budgets: budgetsOf(ofJob), publish: true };
      const headers = { authorization: `Bearer ${key}` };
      const { body: job } = await client.until('POST', '/v1/jobs', { headers, body });
      // The first application freezes the job's questions and qualifications.
      const bounds = { signal: new AbortController().signal, onProgress: () => {} };
      await applications.applyMany(job.id, { count: 1, qualifiedShare: 1, seed: number }, bounds);
      shared.push(job);
    }
    await client.close();
    return { companyId, key, session, csrf: deriveCsrfToken(session), shared };
  }

  async function sharedJobs({ key, shared }: Tenant) {
    const jobs = shared.map(({ id }) => callOf(engine.fetch, key, 'GET', `/jobs/${id}`));
    return (await Promise.all(jobs)).map(({ body }) => asked(body));
  }

  function report(): void {
    const counts = [...tally.counts].sort().map(([what, count]) => `${what} ${count}`);
    console.log(`      ${tally.requests} requests, ${tally.acknowledged} writes acknowledged:
        ${told.jobs.length} jobs, ${told.applications.length} applications, ${told.files.length} files
      ${counts.join(', ')}`);
  }
});

function asked({ questions, qualifications }: Record<'questions' | 'qualifications', unknown>) {
  return { questions, qualifications };
}
