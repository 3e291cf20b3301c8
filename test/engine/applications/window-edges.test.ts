import assert from 'node:assert/strict';
import type { BudgetWindow } from '../../../src/contract/values.ts';
import { receiveApplication } from '../../../src/engine/applications/receive.ts';
import { draftOf } from '../../../src/engine/lifecycle/job-state.ts';
import { type EngineUnderTest, engineOn } from '../engine-under-test.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { somebodyElse } from './somebody.ts';
import { storeFileRow } from './stored-file.ts';

const BID = 700;

/** Midnights (UTC): what begins anew there, and what does not. */
const MIDNIGHTS: readonly (readonly [midnight: string, what: string, anew: readonly BudgetWindow[]])[] = [
  ['2026-03-04', 'a Wednesday', ['DAILY']],
  ['2026-03-09', 'a Monday after a Sunday', ['DAILY', 'WEEKLY']],
  ['2026-03-08', 'a Sunday, on which clocks go forward in New York', ['DAILY']],
  ['2026-11-01', 'a Sunday and the 1st, on which clocks go back in New York', ['DAILY', 'MONTHLY']],
  ['2026-03-01', 'the 1st after a 28th', ['DAILY', 'MONTHLY']],
  ['2028-02-29', 'a leap day', ['DAILY']],
  ['2028-03-01', 'the 1st after a leap day', ['DAILY', 'MONTHLY']],
  [
    '2100-03-01',
    'a Monday, the 1st after the 28th of a year that is no leap year',
    ['DAILY', 'WEEKLY', 'MONTHLY'],
  ],
  ['2026-05-01', 'the 1st after a 30th', ['DAILY', 'MONTHLY']],
  ['2026-07-31', 'a 31st after a 30th', ['DAILY']],
  ['2026-09-01', 'the 1st after a 31st', ['DAILY', 'MONTHLY']],
  ['2026-01-01', 'a Thursday on which a year begins', ['DAILY', 'MONTHLY']],
  ['2029-01-01', 'a Monday on which a year begins', ['DAILY', 'WEEKLY', 'MONTHLY']],
];

/** The machine's own time zone has no say: far ahead, far behind, with daylight saving and without. */
const ZONES = ['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Australia/Lord_Howe'];

describe('the windows of a budget', () => {
  const path = temporaryDirectory();
  const zone = process.env.TZ;
  let engine: EngineUnderTest;
  const somebody = somebodyElse();

  before(async () => {
    engine = await engineOn(path('engine.db'));
    await engine.store.write((queries) => storeFileRow(queries));
  });
  after(() => engine.store.close());
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('are looked at in zones that the machine really takes', () => {
    const days = ZONES.map((TZ) => {
      process.env.TZ = TZ;
      return new Date('2026-03-08T12:00:00.000Z').getDate();
    });
    assert.deepEqual(days, [8, 8, 9, 8]);
  });

  for (const [midnight, what, anew] of MIDNIGHTS) {
    it(`at ${midnight}, ${what}: ${anew.join(', ')} begin anew at 00:00:00.000 UTC, and nothing does before`, async () => {
      const time = Date.parse(`${midnight}T00:00:00.000Z`);
      for (const TZ of ZONES) {
        process.env.TZ = TZ;
        for (const window of ['DAILY', 'WEEKLY', 'MONTHLY', 'LIFETIME'] as const) {
          const jobId = await jobWithCapOfOneBid(window, time);
          const outcomes = [];
          for (const at of [time - 1, time - 1, time]) outcomes.push(await outcomeAt(jobId, at));
          const after = anew.includes(window) ? 'charged' : 'skipped';
          assert.deepEqual(outcomes, ['charged', 'skipped', after], `${window} in ${TZ}`);
        }
      }
    });
  }

  async function jobWithCapOfOneBid(window: BudgetWindow, time: number): Promise<number> {
    const job = await engine.store.write(({ jobs }) =>
      jobs.insert(
        {
          ...draftOf(engine.companyId, {}),
          status: 'ACTIVE',
          bidPerQualifiedApplicantCents: BID,
          budgets: [{ window, budgetCents: BID }],
          expiresAt: new Date(time + 1_000).toISOString(),
        },
        time - 1_000,
      ),
    );
    return job.id;
  }

  async function outcomeAt(jobId: number, time: number): Promise<string> {
    const { charge } = await engine.store.write((queries) =>
      receiveApplication(queries, jobId, somebody(), time),
    );
    return charge.outcome;
  }
});
