import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { Parser } from '@oclif/core';
import type { ServerJob } from '../../../src/client/client.ts';
import {
  readApplicantTimes,
  runSimulation,
  simulationFlags,
} from '../../../src/commands/budgets/simulation.ts';
import * as billing from '../../../src/engine/billing/simulate.ts';
import { partnerError } from '../../cli/settings/partner-error.ts';
import sample from './simulation.json' with { type: 'json' };

type Given = Partial<Record<keyof typeof simulationFlags, string>>;

const NOW = Date.parse('2026-11-21T16:45:00.000Z');
const JOB = sample.job as ServerJob;

describe('a simulation', () => {
  const run = async (flags: Given, { job, csv }: { job?: ServerJob; csv?: string } = {}) => {
    const times =
      csv === undefined
        ? undefined
        : await readApplicantTimes('-', { stdin: Readable.from([Buffer.from(csv)]) });
    const argv = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const { flags: read } = await Parser.parse(argv, { flags: simulationFlags });
    return runSimulation(read, { job, times, now: NOW, billing });
  };

  it('has a bid of somebody and else says what it assumed: 20 a day, all qualified, 30 days from now, seed 1', async () => {
    const { assumed, totals } = await run({ 'bid-cents': '1500' });
    assert.deepEqual(assumed, sample.assumed);
    assert.equal(totals.spentCents, totals.delivered * 1500);
  });

  it('takes bid, caps and days from a job', async () => {
    const { assumed } = await run({ job: '12', 'company-monthly-cents': '50000' }, { job: JOB });
    assert.equal(assumed.jobId, 12);
    assert.equal(assumed.bidCents, 1800);
    assert.deepEqual([assumed.startsAt, assumed.endsAt], [JOB.publishedAt, JOB.expiresAt]);
    assert.deepEqual(assumed.budgets, {
      job: [
        { window: 'DAILY', budgetCents: 4000 },
        { window: 'WEEKLY', budgetCents: 9000 },
      ],
      company: [{ window: 'MONTHLY', budgetCents: 50_000 }],
    });
  });

  it('takes a flag before what the job has', async () => {
    const flags = { job: '12', 'bid-cents': '100', 'daily-cents': '0', start: '2026-12-01', rate: '2/hour' };
    const { assumed } = await run(flags, { job: JOB });
    assert.equal(assumed.bidCents, 100);
    const expected = [
      { window: 'DAILY', budgetCents: 0 },
      { window: 'WEEKLY', budgetCents: 9000 },
    ];
    assert.deepEqual(assumed.budgets.job, expected);
    assert.deepEqual([assumed.startsAt, assumed.endsAt], ['2026-12-01T00:00:00.000Z', JOB.expiresAt]);
    assert.equal(assumed.ratePerDay, 48);
    const { assumed: short } = await run({ job: '12', days: '2' }, { job: JOB });
    assert.equal(short.endsAt, '2026-11-12T08:00:00.000Z');
  });

  it('has its windows and days with ISO times, cents and null for what there is not', async () => {
    const csv =
      'time,qualified\n2026-12-01T09:30Z,true\n2026-12-01T09:31Z,true\n2026-12-01T09:32Z,false\n2020-01-01,true\n';
    const flags = { 'bid-cents': '1500', times: '-', start: '2026-12-01', days: '1' };
    const document = await run({ ...flags, 'lifetime-cents': '1500' }, { csv });
    assert.deepEqual(document.items, sample.windows);
    const tally = { delivered: 3, charged: 1, free: 1, unqualified: 1, spentCents: 1500 };
    assert.deepEqual(document.days, [{ day: '2026-12-01', ...tally }]);
    assert.deepEqual(document.totals, { ...tally, outside: 1 });
    assert.equal(document.most.inAllCents, 1500);
    const { ratePerDay, qualifiedShare, seed, file } = document.assumed;
    const expected = { ratePerDay: null, qualifiedShare: null, seed: null, file: '-' };
    assert.deepEqual({ ratePerDay, qualifiedShare, seed, file }, expected);
    assert.equal((await run(flags, { csv })).most.perDayCents, null);
  });

  it('of a file begins with its first time, and draws who is qualified where the file does not say', async () => {
    const csv = Array.from({ length: 500 }, (_, at) => new Date(NOW - at * 60_000).toISOString()).join('\n');
    const flags = { 'bid-cents': '1500', times: '-', qualified: '0.5' };
    const { assumed, totals } = await run(flags, { csv });
    assert.equal(assumed.startsAt, new Date(NOW - 499 * 60_000).toISOString());
    assert.deepEqual([assumed.qualifiedShare, assumed.seed], [0.5, 1]);
    assert.ok(totals.charged > 200 && totals.charged < 300, `${totals.charged}`);
    assert.equal(totals.charged + totals.unqualified, 500);
  });

  for (const { flags, says } of sample.refused)
    it(`refuses ${JSON.stringify(flags)}`, () =>
      assert.rejects(async () => run(flags as Given), partnerError('USAGE', new RegExp(says, 's'))));

  it('refuses a job without a bid, and ends after ten years at the latest', async () => {
    const noBid = { ...JOB, bidPerQualifiedApplicantCents: null } as ServerJob;
    await assert.rejects(run({ job: '12' }, { job: noBid }), partnerError('USAGE', /job 12 has no bid/));
    const endless = { ...JOB, expiresAt: '9999-01-01T00:00:00Z' } as ServerJob;
    assert.equal((await run({ job: '12' }, { job: endless })).assumed.endsAt, '2036-11-17T08:00:00.000Z');
  });
});
