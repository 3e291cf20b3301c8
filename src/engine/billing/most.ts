import type { BudgetInput } from '../../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import { BUDGET_TARGETS, type BudgetTarget } from './charge.ts';
import { eachWindow, windowAt, windowsWithin } from './windows.ts';

/** What a simulated run of one listing goes by; times are in epoch ms, and the run is half-open. */
export interface SimulationTerms {
  /** More than 0. */
  readonly bidCents: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly budgets: Readonly<Record<BudgetTarget, readonly BudgetInput[]>>;
}

/**
 * The most that can be invoiced for a run, whoever applies and whenever: in any one day, week and month (UTC), and in
 * all. Null where nothing caps it.
 *
 * Charges are whole bids, and each day in its order is given as many as its own cap, its week's, its month's and the
 * lifetime's still let in. Weeks and months are not nested, and this is exact all the same: take another way to
 * charge, and the first day on which it charges less. Whatever keeps one more charge from fitting there is a later
 * one, in the same week, month or lifetime. If week and month are both in the way, a later charge lies in both, so
 * that moving this one charge to the earlier day is enough, and nothing is lost.
 */
export function mostInvoiced(terms: SimulationTerms) {
  const { startsAt, endsAt, budgets } = terms;
  const room = roomOf(terms);
  if (BUDGET_TARGETS.every((target) => budgets[target].length === 0)) {
    return { perDayCents: null, perWeekCents: null, perMonthCents: null, inAllCents: null };
  }
  const most = eachWindow((window) => {
    let charges = 0;
    for (const span of windowsWithin(window, startsAt, endsAt)) {
      const from = Math.max(span.startsAt, startsAt);
      const to = Math.min(span.endsAt ?? endsAt, endsAt);
      charges = Math.max(charges, mostCharges(from, to, room));
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

function roomOf({ bidCents, budgets }: SimulationTerms): Room {
  const all = BUDGET_TARGETS.flatMap((target) => budgets[target]);
  return eachWindow((window) =>
    Math.min(
      ...all
        .filter((budget) => budget.window === window)
        .map(({ budgetCents }) => Math.floor(budgetCents / bidCents)),
    ),
  );
}

/** How many charges fit from one time to another (epoch ms) where there are none before and none after. */
function mostCharges(from: number, to: number, room: Room): number {
  let charges = 0;
  let left = eachWindow((window) => ({ startsAt: Number.NaN, charges: room[window] }));
  for (const day of windowsWithin('DAILY', from, to)) {
    left = eachWindow((window) => {
      const { startsAt } = windowAt(window, day.startsAt);
      return left[window].startsAt === startsAt ? left[window] : { startsAt, charges: room[window] };
    });
    const today = Math.min(...BUDGET_WINDOWS.map((window) => left[window].charges));
    for (const window of BUDGET_WINDOWS) left[window].charges -= today;
    charges += today;
  }
  return charges;
}
