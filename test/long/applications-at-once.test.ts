import assert from 'node:assert/strict';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { openEngine } from '../../src/engine/open.ts';
import { type DatabaseAddress, sqliteFile } from '../../src/engine/store/address.ts';
import type { ApplicantOrder, ApplicantReport } from '../engine/applications/applicant-process.ts';
import { payingCompany } from '../engine/engine-under-test.ts';
import { forked } from '../engine/forked.ts';
import { COMPLETE } from '../engine/listing.ts';
import * as postgresServer from '../engine/store/postgres-server.ts';
import { temporaryDirectory } from '../engine/temporary-directory.ts';

const PROCESSES = 8;
const APPLICATIONS = 20_000;
const UNQUALIFIED_EVERY = 5;
const BID = 1_501;
/** Fills up long before the last application, and isn't a multiple of the bid. */
const JOB_CAP = 9_000 * BID + 700;
const COMPANY_CAP = 8_000 * BID + 1_500;
const PLACES_PATH = fileURLToPath(new URL('../../dist/places.bin', import.meta.url));

const TITLE = `${APPLICATIONS} applications of ${PROCESSES} processes at once, to one job under one company budget`;

describe(`${TITLE}, on SQLite`, () => {
  const path = temporaryDirectory();
  atOnceSuite(async () => sqliteFile(path('engine.db')));
});

postgresServer.describeOnServer(`${TITLE}, on a PostgreSQL server`, () => {
  let made: postgresServer.TestDatabase | undefined;
  after(() => made?.drop());
  atOnceSuite(async () => {
    made = await postgresServer.newDatabase();
    return { dialect: 'postgres', url: made.url };
  });
});

function atOnceSuite(newAddress: () => Promise<DatabaseAddress>): void {
  let reports: ApplicantReport[];
  let qualifiedIds: number[];
  let ledger: { applicationId: number; outcome: string; amountCents: number; filled: string | null }[];
  let pending: number;

  before(async function () {
    this.timeout(600_000);
    const database = await newAddress();
    const { jobId, fileId, requiredIds } = await publishedJob(database);
    const order = { database, placesPath: PLACES_PATH, jobId, fileId, requiredIds };
    const applicants = await Promise.all(
      Array.from({ length: PROCESSES }, () => forked('applications/applicant-process.ts')),
    );
    const answers = applicants.map(async (one) => (await once(one, 'message'))[0] as ApplicantReport);
    const each = { ...order, count: APPLICATIONS / PROCESSES, unqualifiedEvery: UNQUALIFIED_EVERY };
    for (const [index, applicant] of applicants.entries())
      applicant.send({ ...each, name: String(index) } satisfies ApplicantOrder);
    reports = await Promise.all(answers);
    for (const applicant of applicants) applicant.disconnect();

    // Reads the table directly because the engine's own totals are under test.
    const qualified = await rowsOf(
      database,
      'select id from applications where is_qualified = 1 order by id',
    );
    qualifiedIds = qualified.map(({ id }) => Number(id));
    const charges = await rowsOf(
      database,
      `select application_id, outcome, amount_cents, filled_target || ' ' || filled_window as filled
        from charges order by application_id`,
    );
    ledger = charges.map((row) => ({
      applicationId: Number(row.application_id),
      outcome: String(row.outcome),
      amountCents: Number(row.amount_cents),
      filled: row.filled as string | null,
    }));
    pending = Number((await rowsOf(database, 'select pending from job_tallies'))[0]?.pending);
  });

  it('are all taken, each once, and none is lost', () => {
    const errors = reports.map(({ error }) => error).filter((error) => error !== null);
    assert.deepEqual(errors, []);
    const taken = reports.flatMap((report) => report.taken);
    assert.equal(new Set(taken).size, APPLICATIONS);
    assert.equal(pending, APPLICATIONS);
  });

  it('are charged for to the last bid that fits under the caps, and not a cent beyond', () => {
    const charged = ledger.filter(({ outcome }) => outcome === 'charged');
    const cents = charged.reduce((sum, { amountCents }) => sum + amountCents, 0);
    assert.equal(charged.length, Math.floor(Math.min(JOB_CAP, COMPANY_CAP) / BID));
    assert.ok(cents <= Math.min(JOB_CAP, COMPANY_CAP));
    assert.ok(charged.every(({ amountCents }) => amountCents === BID));
  });

  it('have each a row of the ledger, where qualified, that an independent recount decides as well', () => {
    let spent = 0;
    const recount = qualifiedIds.map((applicationId) => {
      const fits = spent + BID <= COMPANY_CAP && spent + BID <= JOB_CAP;
      if (fits) spent += BID;
      const [outcome, filled] = fits ? ['charged', null] : ['skipped', 'company LIFETIME'];
      return { applicationId, outcome, filled };
    });
    assert.equal(qualifiedIds.length, APPLICATIONS - APPLICATIONS / UNQUALIFIED_EVERY);
    const actual = ledger.map(({ applicationId, outcome, filled }) => ({ applicationId, outcome, filled }));
    assert.deepEqual(actual, recount);
  });
}

async function publishedJob(database: DatabaseAddress) {
  const engine = await openEngine({ database, placesPath: PLACES_PATH });
  const { operator } = engine;
  const { companyId, key } = await payingCompany(operator);
  await operator.dashboard.setBudgets(companyId, () => [{ window: 'LIFETIME', budgetCents: COMPANY_CAP }]);
  const send = async (address: string, type: string, body: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const response = await engine.fetch(
      new Request(`http://engine.test${address}`, { method: 'POST', headers, body }),
    );
    assert.equal(response.status, 201);
    // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects to find
    return (await response.json()) as any;
  };
  const listing = {
    ...COMPLETE,
    ...{ remoteOption: 'REMOTE', remoteCountry: 'United States', locations: [], questions: [] },
    budgets: [{ window: 'LIFETIME', budgetCents: JOB_CAP }],
    bidPerQualifiedApplicantCents: BID,
    publish: true,
  };
  const job = await send('/v1/jobs', 'application/json', JSON.stringify(listing));
  const { fileId } = await send('/candidate/v1/files?name=cv.txt', 'text/plain', 'Welder since 2012.');
  await engine.close();
  const requiredIds = job.qualifications
    .filter(({ kind }: { kind: string }) => kind === 'REQUIRED')
    .map(({ id }: { id: string }) => id);
  return { jobId: job.id as number, fileId: fileId as string, requiredIds };
}

async function rowsOf(database: DatabaseAddress, sql: string): Promise<Record<string, unknown>[]> {
  if (database.dialect === 'postgres') return postgresServer.onDatabase(database.url, sql);
  const file = new Libsql(database.path, { readonly: true });
  const rows = file.prepare(sql).all() as Record<string, unknown>[];
  file.close();
  return rows;
}
