import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BudgetInput } from '../../../src/contract/job.ts';
import type { SimulationTerms, Tally } from '../../../src/contract/simulation.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../src/contract/values.ts';
import { arrivals } from '../../../src/engine/billing/arrivals.ts';
import { capsBelowBid, simulation } from '../../../src/engine/billing/simulate.ts';
import { windowName } from './recount.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.parse('2026-11-21T16:45:00Z');
const cap = (window: BudgetWindow, budgetCents: number): BudgetInput => ({ window, budgetCents });

function termsOf(job: BudgetInput[], company: BudgetInput[] = [], days = 30): SimulationTerms {
  return { bidCents: 1500, startsAt: START, endsAt: START + days * DAY_MS, budgets: { job, company } };
}

describe('a simulated run', () => {
  it('says when each window filled and what became of whom', () => {
    const run = simulation(termsOf([cap('DAILY', 3000)], [cap('LIFETIME', 4500)], 2));
    for (const [hours, isQualified] of [
      [0, true],
      [1, false],
      [2, true],
      [3, true],
      [8, true],
      [9, true],
      [40, false],
    ] as const) {
      run.arrive(START + hours * 60 * 60 * 1000, isQualified);
    }
    const { windows, days, totals } = run.result();
    const shown = windows.map(({ target, window, startsAt, filledAt, ...tally }) => [
      `${target} ${window}`,
      ...[startsAt, filledAt].map((at) => (at === null ? null : new Date(at).toISOString().slice(0, 16))),
      ...counts(tally),
    ]);
    assert.deepEqual(shown, [
      ['job DAILY', '2026-11-21T00:00', '2026-11-21T18:45', 4, 2, 1, 1, 3000],
      ['job DAILY', '2026-11-22T00:00', null, 2, 1, 1, 0, 1500],
      ['job DAILY', '2026-11-23T00:00', null, 1, 0, 0, 1, 0],
      ['company LIFETIME', null, '2026-11-22T00:45', 7, 3, 2, 2, 4500],
    ]);
    assert.deepEqual(days.map(counts), [
      [4, 2, 1, 1, 3000],
      [2, 1, 1, 0, 1500],
      [1, 0, 0, 1, 0],
    ]);
    assert.deepEqual(counts(totals), [7, 3, 2, 2, 4500]);
  });

  it('begins with its first millisecond and is over at its end', () => {
    const terms = termsOf([cap('DAILY', 0)], [], 1);
    const run = simulation(terms);
    for (const time of [START - 1, START, terms.endsAt - 1, terms.endsAt]) run.arrive(time, true);
    assert.equal(run.result().totals.delivered, 2);
    assert.equal(run.result().outside, 2);
  });

  it('fills a window that not one bid fits into as soon as it begins, and says which caps these are', () => {
    const terms = termsOf([cap('WEEKLY', 1499), cap('DAILY', 0)], [cap('MONTHLY', 1500)], 3);
    const { windows } = simulation(terms).result();
    assert.deepEqual(
      windows.map(({ window, filledAt }) => [window, filledAt]),
      [
        ['DAILY', START],
        ['DAILY', Date.parse('2026-11-22T00:00Z')],
        ['DAILY', Date.parse('2026-11-23T00:00Z')],
        ['DAILY', Date.parse('2026-11-24T00:00Z')],
        ['WEEKLY', START],
        ['WEEKLY', Date.parse('2026-11-23T00:00Z')],
        ['MONTHLY', null],
      ],
    );
    assert.deepEqual(capsBelowBid(terms), [
      { target: 'job', window: 'DAILY', capCents: 0 },
      { target: 'job', window: 'WEEKLY', capCents: 1499 },
    ]);
  });

  const budgets = fc
    .uniqueArray(fc.constantFrom(...BUDGET_WINDOWS))
    .chain((windows) =>
      fc.tuple(
        ...windows.map((window) => fc.integer({ min: 0, max: 9000 }).map((cents) => cap(window, cents))),
      ),
    );
  const applicants = fc.array(
    fc.record({ time: fc.integer({ min: START, max: START + 30 * DAY_MS - 1 }), isQualified: fc.boolean() }),
    { maxLength: 200, size: 'max' },
  );

  it('counts as a recount does, in whatever order the applicants come', () => {
    fc.assert(
      fc.property(budgets, budgets, applicants, (job, company, came) => {
        const terms = termsOf(job, company);
        const run = simulation(terms);
        const charged: number[] = [];
        const spentIn = (window: BudgetWindow, time: number): number =>
          charged.filter((at) => windowName(window, at) === windowName(window, time)).length * 1500;
        for (const { time, isQualified } of came) {
          run.arrive(time, isQualified);
          const fits = [...job, ...company].every(
            ({ window, budgetCents }) => spentIn(window, time) + 1500 <= budgetCents,
          );
          if (isQualified && fits) charged.push(time);
        }
        const { windows, days, totals } = run.result();
        assert.equal(totals.spentCents, charged.length * 1500);
        assert.equal(totals.unqualified, came.filter(({ isQualified }) => !isQualified).length);
        for (const { window, startsAt, spentCents, capCents } of windows) {
          assert.equal(spentCents, spentIn(window, startsAt ?? START), window);
          assert.ok(spentCents <= capCents);
        }
        for (const { startsAt, spentCents } of days) assert.equal(spentCents, spentIn('DAILY', startsAt));
        assert.equal(
          days.reduce((sum, { delivered }) => sum + delivered, 0),
          came.length,
        );
      }),
      { numRuns: 100 },
    );
  });
});

describe('made-up applicants', () => {
  const all = (more: Partial<Parameters<typeof arrivals>[0]>) => [
    ...arrivals({
      startsAt: START,
      endsAt: START + 400 * DAY_MS,
      ratePerDay: 50,
      qualifiedShare: 0.6,
      seed: 7,
      ...more,
    }),
  ];

  it('are the same ones for the same seed, and others for another', () => {
    assert.deepEqual(all({}), all({}));
    assert.notDeepEqual(all({ endsAt: START + DAY_MS }), all({ endsAt: START + DAY_MS, seed: 8 }));
  });

  it('come in order within the run, as many as the rate says and as irregularly as a Poisson process', () => {
    const came = all({});
    assert.ok(came.every(({ time }, at) => Number.isInteger(time) && time >= (came[at - 1]?.time ?? START)));
    assert.ok((came.at(-1)?.time ?? 0) < START + 400 * DAY_MS);
    const perDay = new Map<number, number>();
    for (let day = 0; day < 400; day++) perDay.set(day, 0);
    for (const { time } of came) {
      const day = Math.floor((time - START) / DAY_MS);
      perDay.set(day, (perDay.get(day) ?? 0) + 1);
    }
    const counts = [...perDay.values()];
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length;
    assert.ok(Math.abs(mean - 50) < 1.5, `mean ${mean}`);
    // As large as the mean: evenly spaced ones would have none.
    assert.ok(Math.abs(variance / mean - 1) < 0.25, `variance ${variance}`);
  });

  it('are qualified as often as the share says, at times that do not depend on it', () => {
    const came = all({});
    const share = came.filter(({ isQualified }) => isQualified).length / came.length;
    assert.ok(Math.abs(share - 0.6) < 0.02, `share ${share}`);
    const others = all({ qualifiedShare: 1 });
    assert.ok(others.every(({ isQualified }) => isQualified));
    assert.ok(all({ qualifiedShare: 0 }).every(({ isQualified }) => !isQualified));
    assert.deepEqual(
      others.map(({ time }) => time),
      came.map(({ time }) => time),
    );
  });
});

function counts({ delivered, charged, free, unqualified, spentCents }: Tally): number[] {
  return [delivered, charged, free, unqualified, spentCents];
}
