import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { csrfTokenOf } from '../../src/engine/dashboard/sessions.ts';
import { type Engine, openEngine } from '../../src/engine/open.ts';
import { newHome } from '../cli/partner.ts';
import { COMPLETE } from '../engine/listing.ts';
import { ClusterClient, Tally } from './cluster/client.ts';
import { Fleet } from './cluster/fleet.ts';
import { NO_POSTGRES, type OwnPostgres, startPostgres } from './cluster/own-postgres.ts';
import { type Caps, recount, SHARED } from './cluster/recount.ts';
import { type Tenant, type Told, work } from './cluster/worker.ts';

const PROCESSES = 4;
const CLIENTS = 64;
/** A minute, unless somebody who works on it is in a hurry. */
const RUN_MS = Number(process.env.PARTNER_TEST_CLUSTER_SECONDS ?? 60) * 1_000;
const KILL_EVERY_MS = 4_000;
const BID = COMPLETE.bidPerQualifiedApplicantCents;
const OWN_JOB_CAPS: Caps = { DAILY: 9_000 };
const FIXED: Caps = { LIFETIME: 400 * BID + 700, DAILY: 300 * BID + 1 };
const SHARED_JOB_CAPS: Caps = { WEEKLY: 150 * BID + 20 };
const LOW_CENTS = 20 * BID;
const HIGH_CENTS = 200 * BID;

const budgetsOf = (caps: Caps) =>
  Object.entries(caps).map(([window, budgetCents]) => ({ window: window as 'DAILY', budgetCents }));

describe(`${PROCESSES} engine processes on one PostgreSQL, called by ${CLIENTS} clients`, function () {
  this.timeout(RUN_MS * 3 + 120_000);
  let postgres: OwnPostgres;
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
  });
  after(async () => {
    await fleet?.stop();
    await engine?.close();
    await postgres?.stop();
  });

  it('lose nothing that they acknowledged while processes are killed and the database goes away', async () => {
    const tally = new Tally();
    const told: Told = { jobs: [], applications: [], files: [], underKey: new Set(), unknown: new Set() };
    await fleet.allUp();
    const tenants = [await tenantOf(FIXED), await tenantOf({ LIFETIME: HIGH_CENTS })];
    const before = await Promise.all(tenants.map(sharedJobs));
    const workers = Array.from({ length: CLIENTS }, (_, index) =>
      work(`worker ${index}`, tenants[index % tenants.length] as Tenant, fleet, tally, told),
    );
    const budgets = moveBudgets((tenants[1] as Tenant).companyId, tally);
    await disturb(tally);
    tally.isOver = true;
    await Promise.all([...workers, budgets]);
    await fleet.allUp();

    const caps = new Map<string, Caps>(
      tenants.flatMap(({ shared }) => shared.map(({ id }) => [`job:${id}`, SHARED_JOB_CAPS])),
    );
    caps.set(`company:${tenants[0]?.companyId}`, FIXED);
    caps.set(`company:${tenants[1]?.companyId}`, { LIFETIME: HIGH_CENTS, isMoving: 1 } as Caps);
    const wrong = [
      ...tally.anomalies,
      ...(await recount(postgres.url, told, (target) => caps.get(target) ?? OWN_JOB_CAPS)),
    ];
    for (const text of fleet.ends) wrong.push(`a process ended by itself: ${text}`);
    for (const tenant of tenants) wrong.push(...(await miscounted(tenant)));
    report(tally, told);
    if (wrong.length > 0) {
      console.log([...fleet.faults.slice(-20), ...fleet.failedStarts.slice(-5)].join('\n'));
      console.log((await postgres.log()).slice(-3_000));
    }
    assert.deepEqual(wrong.slice(0, 40), [], `${wrong.length} faults`);
    const after = await Promise.all(tenants.map(sharedJobs));
    assert.deepEqual(after.flat().map(asked), before.flat().map(asked));
    assert.deepEqual(
      await fleet.stop(),
      Array.from({ length: PROCESSES }, () => 0),
    );
  });

  /** Kills a process every few seconds, restarts the database once and lets it crash once. */
  async function disturb(tally: Tally): Promise<void> {
    const rounds = Math.max(3, Math.floor(RUN_MS / KILL_EVERY_MS));
    for (let round = 1; round <= rounds; round++) {
      await pause(RUN_MS / rounds);
      const loss = {
        [Math.ceil(rounds / 3)]: postgres.restart,
        [Math.ceil((rounds * 2) / 3)]: postgres.crash,
      };
      await loss[round]?.();
      if (loss[round] !== undefined) tally.databaseBackAt = performance.now();
      await fleet.killOne();
      tally.count('kills');
    }
  }

  async function moveBudgets(companyId: string, tally: Tally): Promise<void> {
    for (let low = true; !tally.isOver; low = !low) {
      const budgetCents = low ? LOW_CENTS : HIGH_CENTS;
      try {
        await engine.operator.dashboard.setBudgets(companyId, () => [{ window: 'LIFETIME', budgetCents }]);
        tally.count('budgets moved');
      } catch (error) {
        const { code } = error as { code?: string };
        tally.count(`operator: ${code}`);
        if (code !== 'DATABASE_UNUSABLE' && code !== 'UNAVAILABLE')
          tally.wrong(`setBudgets: ${(error as Error).stack}`);
      }
      await pause(200);
    }
  }

  async function tenantOf(caps: Caps): Promise<Tenant> {
    const { operator } = engine;
    const { id: companyId } = await operator.companies.create('Acme');
    const { key } = await operator.keys.create(companyId);
    await operator.dashboard.acceptTerms(companyId);
    await operator.dashboard.addCard(companyId);
    await operator.dashboard.setBudgets(companyId, () => budgetsOf(caps));
    const client = new ClusterClient(fleet, new Tally());
    const { headers } = await client.until('GET', (await engine.signInLink(companyId)).path);
    const session = /=(\w+);/.exec(String(headers['set-cookie']))?.[1] ?? '';
    const shared = [];
    for (let made = 0; made < 2; made++) {
      const title = `${SHARED} ${companyId} ${made}`;
      const body = { ...COMPLETE, title, budgets: budgetsOf(SHARED_JOB_CAPS), publish: true };
      const { body: job } = await client.until('POST', '/v1/jobs', {
        headers: { authorization: `Bearer ${key}` },
        body,
      });
      const plan = { count: 1, qualifiedShare: 1, seed: made };
      await operator.applications.applyMany(job.id, plan, {
        signal: new AbortController().signal,
        onProgress: () => {},
      });
      shared.push(job);
    }
    await client.close();
    return { companyId, key, session, csrf: csrfTokenOf(session), shared };
  }

  /** The jobs that all apply to, as one of the processes answers them. */
  async function sharedJobs({ key, shared }: Tenant) {
    const client = new ClusterClient(fleet, new Tally());
    const headers = { authorization: `Bearer ${key}` };
    const answers = await Promise.all(
      shared.map(({ id }) => client.until('GET', `/v1/jobs/${id}`, { headers })),
    );
    await client.close();
    return answers.map(({ body }) => body);
  }

  /** Whether the dashboard counts the jobs of a company as they are. */
  async function miscounted({ companyId }: Tenant): Promise<string[]> {
    const sql = new Client({ connectionString: postgres.url });
    await sql.connect();
    const query = 'select status, count(*)::int as jobs from jobs where company_id = $1 group by status';
    const { rows } = await sql.query(query, [companyId]);
    await sql.end();
    const recounted = { DRAFT: 0, ACTIVE: 0, PAUSED: 0, CLOSED: 0, EXPIRED: 0 };
    for (const { status, jobs } of rows) recounted[status as 'DRAFT'] = jobs;
    const { jobs } = await engine.operator.dashboard.status(companyId);
    const [shown, counted] = [JSON.stringify(jobs), JSON.stringify(recounted)];
    return shown === counted ? [] : [`${companyId} is shown with ${shown} jobs, and has ${counted}`];
  }
});

const asked = ({ questions, qualifications }: typeof COMPLETE) => ({ questions, qualifications });

function report(tally: Tally, { jobs, applications, files }: Told): void {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const counts = [...tally.counts].sort().map(([what, count]) => `${what} ${count}`);
  console.log(`      ${tally.requests} requests in ${seconds(performance.now() - tally.startedAt)}, ${tally.acknowledged} writes acknowledged:
        ${jobs.length} jobs, ${applications.length} applications, ${files.length} files
      the longest that a client went without an answer: ${seconds(tally.longestOutageMs)},
        and once the database was back: ${seconds(tally.longestHealingMs)}
      ${counts.join(', ')}`);
}
