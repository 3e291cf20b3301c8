import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BudgetInput } from '../../../src/contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../src/contract/values.ts';
import { mostInvoiced, type SimulationTerms } from '../../../src/engine/billing/most.ts';
import { simulate } from '../../../src/engine/billing/simulate.ts';
import { times } from '../../times.ts';
import { someCaps, windowName } from './recount.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const FIELDS: Readonly<Record<BudgetWindow, keyof ReturnType<typeof mostInvoiced>>> = {
  DAILY: 'perDayCents',
  WEEKLY: 'perWeekCents',
  MONTHLY: 'perMonthCents',
  LIFETIME: 'inAllCents',
};

const STARTS = [
  '2026-11-28T00:00:00Z', // The week begins a day before the month.
  '2026-02-26T15:30:00Z', // The month begins a day before the week.
  '2027-01-30T23:59:59.999Z', // Both begin on the same day.
  '2028-02-27T08:00:00Z', // The month begins within a week, behind a leap day.
].map((time) => Date.parse(time));

const DAYS = 3;
const ROOM_MAX = 3;
const someTerms: fc.Arbitrary<SimulationTerms> = fc
  .record({ bidCents: fc.integer({ min: 1, max: 7 }), startsAt: fc.constantFrom(...STARTS) })
  .chain(({ bidCents, startsAt }) =>
    fc
      .record({
        job: someCaps((ROOM_MAX + 1) * bidCents - 1),
        company: someCaps((ROOM_MAX + 1) * bidCents - 1),
      })
      .map((budgets) => ({ bidCents, startsAt, endsAt: startsAt + DAYS * DAY_MS, budgets })),
  )
  .filter(({ budgets }) => budgets.job.length + budgets.company.length > 0);

function daysOf({ startsAt, endsAt }: SimulationTerms): number[] {
  const days = [startsAt];
  for (let day = (Math.floor(startsAt / DAY_MS) + 1) * DAY_MS; day < endsAt; day += DAY_MS) days.push(day);
  return days;
}

function spentBy(terms: SimulationTerms, perDay: readonly number[]) {
  const applicants = daysOf(terms).flatMap((time, at) =>
    new Array(perDay[at] ?? 0).fill({ time, isQualified: true }),
  );
  const spent = Object.fromEntries(BUDGET_WINDOWS.map((window) => [window, new Map<string, number>()]));
  for (const day of simulate(terms, applicants).days) {
    for (const window of BUDGET_WINDOWS) {
      const name = windowName(window, day.startsAt);
      spent[window]?.set(name, (spent[window].get(name) ?? 0) + day.spentCents);
    }
  }
  return spent as Record<BudgetWindow, Map<string, number>>;
}

describe('the most that can be invoiced', () => {
  it('is what the best of all streams of applicants comes to, and no stream comes to more', () =>
    fc.assert(
      fc.property(someTerms, (terms) => {
        const best: Record<BudgetWindow, number> = { DAILY: 0, WEEKLY: 0, MONTHLY: 0, LIFETIME: 0 };
        const days = daysOf(terms).length;
        // At least one cap limits every day to ROOM_MAX applicants, so this covers all streams.
        for (let stream = 0; stream < (ROOM_MAX + 1) ** days; stream++) {
          const perDay = Array.from({ length: days }, (_, at) => Math.floor(stream / 4 ** at) % 4);
          const spent = spentBy(terms, perDay);
          for (const window of BUDGET_WINDOWS)
            best[window] = Math.max(best[window], ...spent[window].values());
        }
        const most = mostInvoiced(terms);
        for (const window of BUDGET_WINDOWS) assert.equal(most[FIELDS[window]], best[window], window);
      }),
      { numRuns: times(10, 200) },
    ));

  const terms = (job: BudgetInput[], company: BudgetInput[] = []): SimulationTerms => ({
    bidCents: 1500,
    startsAt: Date.parse('2026-11-21T16:45:00Z'),
    endsAt: Date.parse('2026-12-21T16:45:00Z'),
    budgets: { job, company },
  });
  const cap = (window: BudgetWindow, budgetCents: number): BudgetInput => ({ window, budgetCents });

  it('is unlimited where there is no cap at all', () =>
    assert.deepEqual(mostInvoiced(terms([])), {
      perDayCents: null,
      perWeekCents: null,
      perMonthCents: null,
      inAllCents: null,
    }));

  it('is whole bids: a daily cap of $50.00 lets in three of $15.00, on each of the 31 days that 30 days touch', () =>
    assert.deepEqual(mostInvoiced(terms([cap('DAILY', 5000)])), {
      perDayCents: 4500,
      perWeekCents: 7 * 4500,
      perMonthCents: 21 * 4500,
      inAllCents: 31 * 4500,
    }));

  it('counts a week that lies in two months once, and in each of them', () => {
    // From 21 November: weeks 16, 23 and 30 November, 7, 14 and 21 December, the last four also in December.
    const wanted = { perDayCents: 1500, perWeekCents: 1500, perMonthCents: 4 * 1500, inAllCents: 6 * 1500 };
    assert.deepEqual(mostInvoiced(terms([cap('WEEKLY', 1500)], [cap('MONTHLY', 6000)])), wanted);
  });

  it('is nothing where one bid is more than a cap', () => {
    const nothing = { perDayCents: 0, perWeekCents: 0, perMonthCents: 0, inAllCents: 0 };
    assert.deepEqual(mostInvoiced(terms([cap('MONTHLY', 0)])), nothing);
    assert.deepEqual(mostInvoiced(terms([cap('DAILY', 5000)], [cap('LIFETIME', 1499)])), nothing);
  });
});
