import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { openEngine } from '../src/engine/open.ts';
import type { App } from '../src/engine/parts.ts';
import { sqliteFile } from '../src/engine/store/address.ts';
import { PLACES_PATH, post } from './calls.ts';
import { median, tell } from './figures.ts';
import { resolvedListing } from './listings.ts';
import { openCopy, rawSeconds } from './raw-inserts.ts';

const APPLICATIONS = 6_000;
const WARM_UP = 500;
const AT_ONCE = 64;
const ROUNDS = 5;
const FEW_CHARGES = 10;
const MANY_CHARGES = 1_000_000;

const RAW_SHARE_LEAST = 0.4;
const GROWTH_LEAST = 0.9;

/** Tables that get a row for each application, in insertion order. */
const INSERTED = ['applications', 'charges'] as const;

interface Prepared {
  readonly databasePath: string;
  readonly jobId: number;
  readonly fileId: string;
  readonly requiredIds: readonly string[];
}

interface Round {
  readonly perSecond: number;
  readonly rawShare: number;
  /** Compared with raw inserts that share commits, like the engine's inserts. */
  readonly sharedRawShare: number;
}

/** Compares qualified, charged applications through the engine with raw inserts of the same rows. */
export async function bench(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-bench-'));
  try {
    const few = await prepare(join(scratch, 'few.db'), FEW_CHARGES);
    const many = await prepare(join(scratch, 'many.db'), MANY_CHARGES);
    console.log(
      `Node ${process.version}, ${APPLICATIONS} applications, ${AT_ONCE} at a time, medians of ${ROUNDS} rounds`,
    );
    const rounds: { few: Round; many: Round }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ few: await measure(scratch, few), many: await measure(scratch, many) });
    }
    tellRounds(
      `with ${FEW_CHARGES} earlier charges`,
      rounds.map((round) => round.few),
    );
    tellRounds(
      `with ${MANY_CHARGES} earlier charges`,
      rounds.map((round) => round.many),
    );
    const growth = median(rounds.map((round) => round.many.perSecond / round.few.perSecond));
    tell(
      `rate with ${MANY_CHARGES} earlier charges`,
      growth,
      `of the rate with ${FEW_CHARGES}`,
      GROWTH_LEAST,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function tellRounds(what: string, rounds: readonly Round[]): void {
  const of = (figure: keyof Round) => median(rounds.map((round) => round[figure]));
  tell(
    `applications ${what}`,
    of('rawShare'),
    'of the rate of raw inserts with one commit each',
    RAW_SHARE_LEAST,
  );
  console.log(`  ${of('sharedRawShare').toFixed(2)} of the rate of raw inserts with ${AT_ONCE} per commit`);
  console.log(`  ${of('perSecond').toFixed(0)} applications/s`);
}

/** Creates a database with a published job, caps for the job and the company, and `charges` earlier charges. */
async function prepare(databasePath: string, charges: number): Promise<Prepared> {
  const engine = await openEngine({ database: sqliteFile(databasePath), placesPath: PLACES_PATH });
  const { operator } = engine;
  const { id: companyId } = await operator.companies.create('Bench');
  const { key } = await operator.keys.create(companyId);
  await operator.dashboard.acceptTerms(companyId);
  await operator.dashboard.addCard(companyId);
  const unreached = Number.MAX_SAFE_INTEGER;
  await operator.dashboard.setBudgets(companyId, () => [{ window: 'MONTHLY', budgetCents: unreached }]);
  const listing = { ...resolvedListing(0), budgets: [{ window: 'LIFETIME', budgetCents: unreached }] };
  const job = await post(engine.fetch, '/v1/jobs', { ...listing, questions: [], publish: true }, key);
  const { fileId } = await post(engine.fetch, '/candidate/v1/files?name=cv.txt', 'Welder since 2012.', key);
  await engine.close();
  chargeBefore(databasePath, { jobId: job.id, companyId, charges });
  const requiredIds = job.qualifications
    .filter(({ kind }: { kind: string }) => kind === 'REQUIRED')
    .map(({ id }: { id: string }) => id);
  return { databasePath, jobId: job.id, fileId, requiredIds };
}

/** Inserts earlier charges directly into the tables, because a million applications would take too long. */
function chargeBefore(
  databasePath: string,
  { jobId, companyId, charges }: { jobId: number; companyId: string; charges: number },
): void {
  const file = new Libsql(databasePath);
  file.exec('begin');
  const application = file.prepare(
    `insert into applications (job_id, status, received_at, basics, email_key, answers, met, is_qualified)
      values (?, 'pending', ?, '{"firstName":"Ada","lastName":"Lovelace"}', ?, '[]', '[]', 1)`,
  );
  const charge = file.prepare(
    `insert into charges (application_id, job_id, company_id, decided_at, outcome, amount_cents)
      values (?, ?, ?, ?, 'charged', 100)`,
  );
  for (let made = 0; made < charges; made++) {
    const time = new Date(Date.now() - (charges - made) * 1_000).toISOString();
    const { lastInsertRowid } = application.run(jobId, time, `before.${made}@example.com`);
    charge.run(lastInsertRowid, jobId, companyId, time);
  }
  file.prepare('insert into job_tallies values (?, ?, 0, 0, 0)').run(jobId, charges);
  file.exec('commit');
  // Moves the write-ahead log into the database file, because only that file is copied.
  file.exec('pragma wal_checkpoint(truncate)');
  file.close();
}

async function measure(scratch: string, prepared: Prepared): Promise<Round> {
  const databasePath = join(scratch, 'round.db');
  copyFileSync(prepared.databasePath, databasePath);
  const engine = await openEngine({ database: sqliteFile(databasePath), placesPath: PLACES_PATH });
  // Not measured, because the first application computes the totals of all windows, and the code is cold.
  await applyMany(engine.fetch, prepared, 0, WARM_UP);
  const startedAt = performance.now();
  await applyMany(engine.fetch, prepared, WARM_UP, APPLICATIONS);
  const seconds = (performance.now() - startedAt) / 1000;
  await engine.close();

  const rows = insertedRows(databasePath);
  const raw = (perCommit: number): number => {
    const copyPath = join(scratch, 'raw.db');
    copyFileSync(prepared.databasePath, copyPath);
    const copy = openCopy(copyPath);
    const spent = rawSeconds(copy, { tables: INSERTED, rows, perCommit });
    copy.close();
    remove(copyPath);
    return spent;
  };
  const round = {
    perSecond: APPLICATIONS / seconds,
    rawShare: raw(1) / seconds,
    sharedRawShare: raw(AT_ONCE) / seconds,
  };
  remove(databasePath);
  return round;
}

async function applyMany(
  fetch: App,
  { jobId, fileId, requiredIds }: Prepared,
  from: number,
  count: number,
): Promise<void> {
  let next = from;
  const applyInTurn = async (): Promise<void> => {
    while (next < from + count) {
      const number = next++;
      const body = {
        firstName: 'Grace',
        lastName: 'Hopper',
        email: `grace.${number}@example.com`,
        phone: '+1 512 555 0100',
        location: 'Austin, TX',
        resume: fileId,
        meets: requiredIds,
      };
      await post(fetch, `/candidate/v1/jobs/${jobId}/applications`, body);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, applyInTurn));
}

/** Returns one row pair per application. Throws if an application wasn't charged, because the rate would be wrong. */
function insertedRows(databasePath: string): unknown[][][] {
  const file = new Libsql(databasePath, { readonly: true });
  const [applications = [], charges = []] = INSERTED.map((table) =>
    (
      file
        .prepare(`select * from ${table} order by id desc limit ${APPLICATIONS}`)
        .raw(true)
        .all() as unknown[][]
    ).reverse(),
  );
  const charged = file
    .prepare("select count(*) as charged from charges where outcome = 'charged' and amount_cents > 100")
    .get() as { charged: number };
  file.close();
  if (charged.charged !== APPLICATIONS + WARM_UP)
    throw new Error(`${charged.charged} applications were charged, expected ${APPLICATIONS + WARM_UP}`);
  return applications.map((application, index) => [application, charges[index] ?? []]);
}

function remove(databasePath: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(databasePath + suffix, { force: true });
}
