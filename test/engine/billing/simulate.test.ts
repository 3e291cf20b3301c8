import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BudgetInput } from '../../../src/contract/job.ts';
import type { BudgetWindow } from '../../../src/contract/values.ts';
import type { SimulationTerms } from '../../../src/engine/billing/most.ts';
import { arrivalTimes, drawQualified, simulate, type Tally } from '../../../src/engine/billing/simulate.ts';
import { someCaps, windowName } from './recount.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.parse('2026-11-21T16:45:00Z');
const cap = (window: BudgetWindow, budgetCents: number): BudgetInput => ({ window, budgetCents });

function termsOf(job: BudgetInput[], company: BudgetInput[] = [], days = 30): SimulationTerms {
  return { bidCents: 1500, startsAt: START, endsAt: START + days * DAY_MS, budgets: { job, company } };
}

describe('a simulated run', () => {
  it('says when each window filled and what became of whom', () => {
    const came = [0, 1, 2, 3, 8, 9, 40].map((hours) => ({
      time: START + hours * 60 * 60 * 1000,
      isQualified: hours !== 1 && hours !== 40,
    }));
    const terms = termsOf([cap('DAILY', 3000)], [cap('LIFETIME', 4500)], 2);
    const { windows, days, totals } = simulate(terms, came);
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
    const expected = [
      [4, 2, 1, 1, 3000],
      [2, 1, 1, 0, 1500],
      [1, 0, 0, 1, 0],
    ];
    assert.deepEqual(days.map(counts), expected);
    assert.deepEqual(counts(totals), [7, 3, 2, 2, 4500]);
  });

  it('begins with its first millisecond and is over at its end', () => {
    const terms = termsOf([cap('DAILY', 0)], [], 1);
    const times = [START - 1, START, terms.endsAt - 1, terms.endsAt];
    const { totals, outside } = simulate(
      terms,
      times.map((time) => ({ time, isQualified: true })),
    );
    assert.deepEqual([totals.delivered, outside], [2, 2]);
  });

  it('fills a window that not one bid fits into as soon as it begins, and says which caps these are', () => {
    const terms = termsOf([cap('WEEKLY', 1499), cap('DAILY', 0)], [cap('MONTHLY', 1500)], 3);
    const { windows, capsBelowBid } = simulate(terms, []);
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
    assert.deepEqual(capsBelowBid, [
      { target: 'job', window: 'DAILY', capCents: 0 },
      { target: 'job', window: 'WEEKLY', capCents: 1499 },
    ]);
  });

  const budgets = someCaps(9000);
  const applicants = fc.array(
    fc.record({ time: fc.integer({ min: START, max: START + 30 * DAY_MS - 1 }), isQualified: fc.boolean() }),
    { maxLength: 200, size: 'max' },
  );

  it('counts as a recount does, in whatever order the applicants come', () =>
    fc.assert(
      fc.property(budgets, budgets, applicants, (job, company, came) => {
        const terms = termsOf(job, company);
        const charged: number[] = [];
        const spentIn = (window: BudgetWindow, time: number) =>
          charged.filter((at) => windowName(window, at) === windowName(window, time)).length * 1500;
        for (const { time, isQualified } of came) {
          const fits = [...job, ...company].every(
            ({ window, budgetCents }) => spentIn(window, time) + 1500 <= budgetCents,
          );
          if (isQualified && fits) charged.push(time);
        }
        const { windows, days, totals } = simulate(terms, came);
        assert.equal(totals.spentCents, charged.length * 1500);
        assert.equal(totals.unqualified, came.filter(({ isQualified }) => !isQualified).length);
        for (const { window, startsAt, spentCents, capCents } of windows) {
          assert.equal(spentCents, spentIn(window, startsAt ?? START), window);
          assert.ok(spentCents <= capCents);
        }
        for (const { startsAt, spentCents } of days) assert.equal(spentCents, spentIn('DAILY', startsAt));
        const actual = days.reduce((sum, { delivered }) => sum + delivered, 0);
        assert.equal(actual, came.length);
      }),
      { numRuns: 100 },
    ));
});

describe('made-up applicants', () => {
  const run = { startsAt: START, endsAt: START + 400 * DAY_MS };
  const times = (seed: number) => [...arrivalTimes(run, 50, seed)];

  it('come in order within the run, as many as the rate says', () => {
    const came = times(7);
    assert.ok(came.every((time, at) => Number.isInteger(time) && time >= (came[at - 1] ?? START)));
    assert.ok((came.at(-1) ?? 0) < run.endsAt);
    assert.ok(Math.abs(came.length / 400 - 50) < 1.5, `${came.length}`);
  });

  for (const share of [0, 0.6, 1])
    it(`are qualified as often as a share of ${share} says, at the same times`, () => {
      const came = [...drawQualified(times(7), share, 7)];
      const qualified = came.filter(({ isQualified }) => isQualified).length / came.length;
      assert.ok(Math.abs(qualified - share) < (share === 0.6 ? 0.02 : Number.MIN_VALUE), `${qualified}`);
      const actual = came.map(({ time }) => time);
      assert.deepEqual(actual, times(7));
    });
});

function counts({ delivered, charged, free, unqualified, spentCents }: Tally): number[] {
  return [delivered, charged, free, unqualified, spentCents];
}
