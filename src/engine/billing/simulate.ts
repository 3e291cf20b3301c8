import { isBelowBid } from '../../contract/gate.ts';
import { DAY_MS } from '../../contract/values.ts';
import { createDraw } from '../lab/draws.ts';
import {
  BUDGET_TARGETS,
  type BudgetTarget,
  type ChargeDecision,
  decideCharge,
  eachWindow,
  listWindows,
  shortestFirst,
  toWindowSpan,
} from './charge.ts';
import { mostInvoiced, type SimulationTerms } from './most.ts';

const EMPTY_TALLY = { delivered: 0, charged: 0, free: 0, unqualified: 0, spentCents: 0 };

export interface SimulatedApplicant {
  readonly time: number;
  readonly isQualified: boolean;
}

export type Tally = typeof EMPTY_TALLY;

type SimulatedWindow = ReturnType<typeof createWindows>[number];

export function simulate(terms: SimulationTerms, applicants: Iterable<SimulatedApplicant>) {
  const { bidCents, startsAt, endsAt } = terms;
  const windows = createWindows(terms);
  const days = new Map<number, Tally & { readonly startsAt: number }>();
  for (const day of listWindows('DAILY', startsAt, endsAt)) {
    days.set(day.startsAt, { ...EMPTY_TALLY, startsAt: day.startsAt });
  }
  const totals = { ...EMPTY_TALLY };
  let outside = 0;
  let today = { startsAt: Number.NaN, ...selectWindows(terms, windows, startsAt) };
  for (const { time, isQualified } of applicants) {
    if (time < startsAt || time >= endsAt) {
      outside++;
      continue;
    }
    const day = toWindowSpan('DAILY', time).startsAt;
    if (today.startsAt !== day) today = { startsAt: day, ...selectWindows(terms, windows, time) };
    const decision: ChargeDecision = isQualified ? decideCharge(bidCents, today.caps) : { outcome: 'none' };
    count(totals, decision);
    count(days.get(day), decision);
    for (const window of today.open) {
      count(window, decision);
      const isFilled = window.spentCents + bidCents > window.capCents;
      if (isFilled) window.filledAt ??= time;
    }
  }
  return {
    windows,
    days: [...days.values()],
    totals,
    outside,
    most: mostInvoiced(terms),
    capsBelowBid: listCapsBelowBid(terms),
  };
}

/** Yields sorted arrival times of a Poisson process, which has exponentially distributed gaps. */
export function* arrivalTimes(
  { startsAt, endsAt }: Pick<SimulationTerms, 'startsAt' | 'endsAt'>,
  ratePerDay: number,
  seed: number,
): Generator<number> {
  const draw = createDraw(seed, 0);
  for (let time = startsAt; ; ) {
    time -= (Math.log(1 - draw()) * DAY_MS) / ratePerDay;
    if (time >= endsAt) return;
    yield Math.floor(time);
  }
}

export function* drawQualified(times: Iterable<number>, share: number, seed: number) {
  const draw = createDraw(seed, 1);
  for (const time of times) yield { time, isQualified: draw() < share };
}

/** Returns every window in the run. A window with a cap below the bid is filled from its start. */
function createWindows({ bidCents, startsAt, endsAt, budgets }: SimulationTerms) {
  return BUDGET_TARGETS.flatMap((target) =>
    shortestFirst(budgets[target]).flatMap(({ window, budgetCents }) =>
      Array.from(listWindows(window, startsAt, endsAt), (span) => ({
        target,
        window,
        startsAt: span.endsAt === null ? null : span.startsAt,
        endsAt: span.endsAt,
        /** Time from which another bid no longer fit. Null if a bid still fits at the end. */
        filledAt: isBelowBid(budgetCents, bidCents) ? Math.max(span.startsAt, startsAt) : null,
        capCents: budgetCents,
        ...EMPTY_TALLY,
      })),
    ),
  );
}

function selectWindows({ budgets }: SimulationTerms, windows: readonly SimulatedWindow[], time: number) {
  const open = windows.filter(
    ({ startsAt, endsAt }) => (startsAt ?? time) <= time && (endsAt === null || time < endsAt),
  );
  const getCaps = (target: BudgetTarget) => ({
    budgets: budgets[target],
    spend: eachWindow(
      (window) => open.find((one) => one.target === target && one.window === window) ?? EMPTY_TALLY,
    ),
  });
  return { caps: { job: getCaps('job'), company: getCaps('company') }, open };
}

function listCapsBelowBid({ bidCents, budgets }: SimulationTerms) {
  return BUDGET_TARGETS.flatMap((target) =>
    shortestFirst(budgets[target])
      .filter(({ budgetCents }) => isBelowBid(budgetCents, bidCents))
      .map(({ window, budgetCents }) => ({ target, window, capCents: budgetCents })),
  );
}

function count(tally: Tally | undefined, decision: ChargeDecision): void {
  if (tally === undefined) return;
  tally.delivered++;
  if (decision.outcome === 'none') tally.unqualified++;
  else if (decision.outcome === 'skipped') tally.free++;
  else {
    tally.charged++;
    tally.spentCents += decision.amountCents;
  }
}
