import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Engine, openEngine } from '../src/engine/open.ts';
import { type DatabaseAddress, sqliteFile } from '../src/engine/store/address.ts';
import { call, PLACES_PATH, post } from './calls.ts';
import { median } from './figures.ts';
import { fillStore, type LargeStore } from './large-store.ts';
import { resolvedListing } from './listings.ts';

const FEW = { jobs: 1_000, applications: 100, charges: 0 };
const MANY = { jobs: 1_000_000, applications: 1_000_000, charges: 1_000_000 };
const ROUNDS = 200;
const WARM_UP = 50;

const CALL_MOST = 1.5;
const PAGE_MOST = 2;

const JOBS_A_PAGE = 20;
const PAGE = 1_000;

interface Measured {
  readonly engine: Engine;
  readonly store: LargeStore;
  readonly cookie: string;
}

type Operation = (measured: Measured) => Promise<unknown>;

/** Compares requests and pages with a million jobs and charges to the same ones with 1,000 jobs and no charges. */
export async function bench(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-bench-'));
  try {
    console.log(`Node ${process.version}, medians of ${ROUNDS} alternating rounds`);
    await compare('SQLite', (name) => sqliteFile(join(scratch, `${name}.db`)));
    await onPostgres(scratch, async (newUrl) => {
      const [few, many] = [await newUrl(), await newUrl()];
      await compare('PostgreSQL', (name) => ({ dialect: 'postgres', url: name === 'few' ? few : many }));
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function compare(what: string, address: (name: string) => DatabaseAddress): Promise<void> {
  const startedAt = performance.now();
  const few = await open(address('few'), FEW);
  const many = await open(address('many'), MANY);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`\n${what}: filled in ${seconds.toFixed(0)} s`);
  for (const [name, operation] of Object.entries({ ...CALLS, ...PAGES })) {
    const taken: { few: number; many: number }[] = [];
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const pair = { few: 0, many: 0 };
      // Each database goes first in half of the rounds, so that the order doesn't matter.
      if (round % 2 === 0) pair.few = await timeOf(operation, few);
      pair.many = await timeOf(operation, many);
      if (round % 2 !== 0) pair.few = await timeOf(operation, few);
      if (round >= 0) taken.push(pair);
    }
    const [fewMs, manyMs] = [median(taken.map((pair) => pair.few)), median(taken.map((pair) => pair.many))];
    const ratio = manyMs / fewMs;
    const most = name in PAGES ? PAGE_MOST : CALL_MOST;
    console.log(
      `  ${name}: ${ratio.toFixed(2)} (target: at most ${most}), ${fewMs.toFixed(2)} ms → ${manyMs.toFixed(2)} ms${ratio <= most ? '' : '  MISSED'}`,
    );
  }
  await few.engine.close();
  await many.engine.close();
}

async function open(database: DatabaseAddress, size: typeof FEW): Promise<Measured> {
  const store = await fillStore(database, size);
  const engine = await openEngine({ database, placesPath: PLACES_PATH });
  const { path } = await engine.signInLink(store.companyId);
  const response = await engine.fetch(new Request(`http://127.0.0.1:4650${path}`));
  return { engine, store, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

async function timeOf(operation: Operation, measured: Measured): Promise<number> {
  const startedAt = performance.now();
  await operation(measured);
  return performance.now() - startedAt;
}

const get =
  (path: (store: LargeStore) => string): Operation =>
  ({ engine, store }) =>
    call(engine.fetch, 'GET', path(store), { headers: { authorization: `Bearer ${store.key}` } });

const page =
  (path: (store: LargeStore) => string): Operation =>
  async ({ engine, store, cookie }) => {
    const response = await engine.fetch(
      new Request(`http://127.0.0.1:4650${path(store)}`, { headers: { cookie } }),
    );
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path(store)}: ${response.status}: ${text}`);
  };

function anyId({ ids }: LargeStore): number {
  const [least, greatest] = [ids.CLOSED[0], ids.DRAFT[1]];
  const id = least + Math.floor(Math.random() * (greatest - least));
  // Every 20th job of each status belongs to the other company.
  const first = Object.values(ids).find(([from, to]) => from <= id && id <= to)?.[0] ?? 0;
  return (id - first + 1) % 20 === 0 ? id - 1 : id;
}

const LIST = `/v1/jobs?limit=${JOBS_A_PAGE}`;

const CALLS: Readonly<Record<string, Operation>> = {
  'GET a job': get((store) => `/v1/jobs/${anyId(store)}`),
  'list, page 1': get(() => LIST),
  [`list, page ${PAGE} (last page of the small database)`]: get(({ ids }) => {
    const before = Math.max(ids.CLOSED[0] + JOBS_A_PAGE * 2, ids.DRAFT[1] - PAGE * JOBS_A_PAGE);
    return `${LIST}&cursor=${Buffer.from(`before:${before}`).toString('base64url')}`;
  }),
  ...Object.fromEntries(
    ['DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED', 'EXPIRED'].map((status) => [
      `list ${status}`,
      get(() => `${LIST}&status=${status}`),
    ]),
  ),
  'list CLOSED by opportunityId': get(() => `${LIST}&status=CLOSED&opportunityId=REQ-7`),
  create: ({ engine, store }) =>
    post(engine.fetch, '/v1/jobs', { ...resolvedListing(1), publish: true }, store.key),
  'candidate API list': get(() => `/candidate/v1/jobs?limit=${JOBS_A_PAGE}`),
};

const PAGES: Readonly<Record<string, Operation>> = {
  'dashboard: jobs': page(() => '/dashboard'),
  'dashboard: billing': page(() => '/dashboard/billing'),
  'dashboard: a job': page(({ ids }) => `/dashboard/jobs/${ids.ACTIVE[0]}`),
  'dashboard status': ({ engine, store }) => engine.operator.dashboard.status(store.companyId),
};

/** Uses the server of PARTNER_TEST_POSTGRES_URL, otherwise starts a temporary one. */
async function onPostgres(
  scratch: string,
  work: (newUrl: () => Promise<string>) => Promise<void>,
): Promise<void> {
  const script = fileURLToPath(new URL('../scripts/postgres.sh', import.meta.url));
  const directory = join(scratch, 'postgres');
  const isOurs = !process.env.PARTNER_TEST_POSTGRES_URL;
  if (isOurs) {
    // The server runs as another user, who must be able to open this directory.
    chmodSync(scratch, 0o755);
    const { status, stdout } = spawnSync(script, ['start', directory], { encoding: 'utf8' });
    if (status !== 0) return console.log("\nPostgreSQL was skipped, because it isn't installed.");
    process.env.PARTNER_TEST_POSTGRES_URL = stdout.trim();
  }
  const { newDatabase } = await import('../test/engine/store/postgres-server.ts');
  const databases: Awaited<ReturnType<typeof newDatabase>>[] = [];
  try {
    await work(async () => {
      const database = await newDatabase();
      databases.push(database);
      return database.url;
    });
  } finally {
    for (const { drop } of databases) await drop();
    if (isOurs) spawnSync(script, ['stop', directory]);
  }
}
