import type { BudgetInput } from '../../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import { BUDGET_TARGETS, type BudgetTarget, eachWindow, listWindows, toWindowSpan } from './charge.ts';

/** Times are in epoch ms. The simulated run includes `startsAt` but not `endsAt`. */
export interface SimulationTerms {
  readonly bidCents: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly budgets: Readonly<Record<BudgetTarget, readonly BudgetInput[]>>;
}

/** Returns the maximum cost of a day, week and month (UTC), and of the whole run. Null means unlimited. */
export function mostInvoiced(terms: SimulationTerms) {
  const { startsAt, endsAt, budgets } = terms;
  const room = countRoom(terms);
  const isUnlimited = BUDGET_TARGETS.every((target) => budgets[target].length === 0);
  const most = eachWindow((window) => {
    if (isUnlimited) return null;
    let charges = 0;
    for (const span of listWindows(window, startsAt, endsAt)) {
      const from = Math.max(span.startsAt, startsAt);
      const to = Math.min(span.endsAt ?? endsAt, endsAt);
      charges = Math.max(charges, countMostCharges(from, to, room));
    }
    return charges * terms.bidCents;
  });
  return {
    perDayCents: most.DAILY,
    perWeekCents: most.WEEKLY,
    perMonthCents: most.MONTHLY,
    inAllCents: most.LIFETIME,
  };
}

type Room = Readonly<Record<BudgetWindow, number>>;

function countRoom({ bidCents, budgets }: SimulationTerms): Room {
  const all = BUDGET_TARGETS.flatMap((target) => budgets[target]);
  return eachWindow((window) =>
    Math.min(
      ...all
        .filter((budget) => budget.window === window)
        .map(({ budgetCents }) => Math.floor(budgetCents / bidCents)),
    ),
  );
}

/** Returns the maximum number of charges between two times (epoch ms), if there are none before or after. */
function countMostCharges(from: number, to: number, room: Room): number {
  // Charging as much as possible each day results in the maximum, although weeks and months aren't nested. If the week
  // and the month of a day are filled, a later charge in both of them can move to that day.
  let charges = 0;
  let left = eachWindow((window) => ({ startsAt: Number.NaN, charges: room[window] }));
  for (const day of listWindows('DAILY', from, to)) {
    left = eachWindow((window) => {
      const { startsAt } = toWindowSpan(window, day.startsAt);
      return left[window].startsAt === startsAt ? left[window] : { startsAt, charges: room[window] };
    });
    const today = Math.min(...BUDGET_WINDOWS.map((window) => left[window].charges));
    for (const window of BUDGET_WINDOWS) left[window].charges -= today;
    charges += today;
  }
  return charges;
}
