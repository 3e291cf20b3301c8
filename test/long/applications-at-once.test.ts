import assert from 'node:assert/strict';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { openEngine } from '../../src/engine/open.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import type { ApplicantOrder, ApplicantReport } from '../engine/applications/applicant-process.ts';
import { forked } from '../engine/forked.ts';
import { COMPLETE } from '../engine/listing.ts';
import { temporaryDirectory } from '../engine/temporary-directory.ts';

const PROCESSES = 8;
const APPLICATIONS = 20_000;
const UNQUALIFIED_EVERY = 5;
const BID = 1_501;
/** Filled long before the last application, and not a multiple of the bid. */
const JOB_CAP = 9_000 * BID + 700;
const COMPANY_CAP = 8_000 * BID + 1_500;
const PLACES_PATH = fileURLToPath(new URL('../../dist/places.bin', import.meta.url));

interface LedgerRow {
  readonly applicationId: number;
  readonly outcome: string;
  readonly amountCents: number;
  readonly filled: string | null;
}

describe(`${APPLICATIONS} applications of ${PROCESSES} processes at once, to one job under one company budget`, () => {
  const path = temporaryDirectory();
  let reports: ApplicantReport[];
  let qualifiedIds: number[];
  let ledger: LedgerRow[];
  let counts: { pending: number };

  before(async function () {
    this.timeout(600_000);
    const databasePath = path('engine.db');
    const { jobId, fileId, requiredIds } = await publishedJob(databasePath);
    const order = { databasePath, placesPath: PLACES_PATH, jobId, fileId, requiredIds };
    const applicants = await Promise.all(
      Array.from({ length: PROCESSES }, () => forked('applications/applicant-process.ts')),
    );
    const answers = applicants.map(async (one) => (await once(one, 'message'))[0] as ApplicantReport);
    const each = { ...order, count: APPLICATIONS / PROCESSES, unqualifiedEvery: UNQUALIFIED_EVERY };
    for (const [index, applicant] of applicants.entries())
      applicant.send({ ...each, name: String(index) } satisfies ApplicantOrder);
    reports = await Promise.all(answers);
    for (const applicant of applicants) applicant.disconnect();

    // Not through the engine: what it has written is counted anew.
    const file = new Libsql(databasePath, { readonly: true });
    qualifiedIds = column(file, 'select id from applications where is_qualified = 1 order by id');
    ledger = file
      .prepare(
        `select application_id as applicationId, outcome, amount_cents as amountCents,
          filled_target || ' ' || filled_window as filled from charges order by application_id`,
      )
      .all() as LedgerRow[];
    counts = file.prepare('select pending from job_tallies').get() as { pending: number };
    file.close();
  });

  it('are all taken, each once, and none is lost', () => {
    assert.deepEqual(
      reports.map(({ error }) => error).filter((error) => error !== null),
      [],
    );
    const taken = reports.flatMap((report) => report.taken);
    assert.equal(new Set(taken).size, APPLICATIONS);
    assert.equal(counts.pending, APPLICATIONS);
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
    assert.deepEqual(
      ledger.map(({ applicationId, outcome, filled }) => ({ applicationId, outcome, filled })),
      recount,
    );
  });
});

/** A published job under both caps, with a file that applications can name. */
async function publishedJob(databasePath: string) {
  const engine = await openEngine({ database: sqliteFile(databasePath), placesPath: PLACES_PATH });
  const { operator } = engine;
  const { id: companyId } = await operator.companies.create('Acme');
  const { key } = await operator.keys.create(companyId);
  await operator.dashboard.acceptTerms(companyId);
  await operator.dashboard.addCard(companyId);
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

function column(file: Libsql.Database, sql: string): number[] {
  return (file.prepare(sql).raw(true).all() as [number][]).map(([id]) => id);
}
