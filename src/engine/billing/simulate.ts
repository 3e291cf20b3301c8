import { isBelowBid } from '../../contract/gate.ts';
import { type BudgetWindow, DAY_MS } from '../../contract/values.ts';
import { drawsOf } from '../lab/draws.ts';
import { BUDGET_TARGETS, type BudgetTarget, type ChargeDecision, decideCharge } from './charge.ts';
import { mostInvoiced, type SimulationTerms } from './most.ts';
import { eachWindow, shortestFirst, windowAt, windowsWithin } from './windows.ts';

const EMPTY_TALLY = { delivered: 0, charged: 0, free: 0, unqualified: 0, spentCents: 0 };

export interface SimulatedApplicant {
  readonly time: number;
  /** Whether every REQUIRED qualification is met. */
  readonly isQualified: boolean;
}

/** What became of the applicants of a time: each is charged, free for good, or not qualified. */
export type Tally = typeof EMPTY_TALLY;

export interface SimulatedWindow extends Tally {
  readonly target: BudgetTarget;
  readonly window: BudgetWindow;
  /** Null for LIFETIME, which never resets. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** When another bid no longer fitted; null where it still did at the end. */
  filledAt: number | null;
  readonly capCents: number;
}

export function simulate(terms: SimulationTerms, applicants: Iterable<SimulatedApplicant>) {
  const { bidCents, startsAt, endsAt } = terms;
  const windows = windowsOf(terms);
  const days = new Map<number, Tally & { readonly startsAt: number }>();
  for (const day of windowsWithin('DAILY', startsAt, endsAt)) {
    days.set(day.startsAt, { ...EMPTY_TALLY, startsAt: day.startsAt });
  }
  const totals = { ...EMPTY_TALLY };
  let outside = 0;
  // A day lies in one week and one month, so its windows are looked up once.
  let today = { startsAt: Number.NaN, ...openAt(terms, windows, startsAt) };
  for (const { time, isQualified } of applicants) {
    if (time < startsAt || time >= endsAt) {
      outside++;
      continue;
    }
    const day = windowAt('DAILY', time).startsAt;
    if (today.startsAt !== day) today = { startsAt: day, ...openAt(terms, windows, time) };
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
    windows: [...windows.values()],
    days: [...days.values()],
    totals,
    outside,
    most: mostInvoiced(terms),
    /** With one of these nothing is ever charged, and candidates do not see the job. */
    capsBelowBid: capsBelowBid(terms),
  };
}

/** Times of made-up applicants, in order: a Poisson process, so the gaps between them are exponential. */
export function* arrivalTimes(
  { startsAt, endsAt }: Pick<SimulationTerms, 'startsAt' | 'endsAt'>,
  ratePerDay: number,
  seed: number,
): Generator<number> {
  const draw = drawsOf(seed, 0);
  for (let time = startsAt; ; ) {
    // A draw is less than 1, so this is the logarithm of more than 0.
    time -= (Math.log(1 - draw()) * DAY_MS) / ratePerDay;
    if (time >= endsAt) return;
    yield Math.floor(time);
  }
}

export function* drawQualified(times: Iterable<number>, share: number, seed: number) {
  const draw = drawsOf(seed, 1);
  for (const time of times) yield { time, isQualified: draw() < share };
}

type WindowKey = `${BudgetTarget} ${BudgetWindow} ${number}`;
type Windows = ReadonlyMap<WindowKey, SimulatedWindow>;

function keyOf(target: BudgetTarget, window: BudgetWindow, time: number): WindowKey {
  return `${target} ${window} ${windowAt(window, time).startsAt}`;
}

/** Every window that the run touches; where not even one bid fits, each is filled as soon as it begins. */
function windowsOf({ bidCents, startsAt, endsAt, budgets }: SimulationTerms): Windows {
  const windows = new Map<WindowKey, SimulatedWindow>();
  for (const target of BUDGET_TARGETS) {
    for (const { window, budgetCents } of shortestFirst(budgets[target])) {
      for (const span of windowsWithin(window, startsAt, endsAt)) {
        windows.set(keyOf(target, window, span.startsAt), {
          target,
          window,
          startsAt: span.endsAt === null ? null : span.startsAt,
          endsAt: span.endsAt,
          filledAt: isBelowBid(budgetCents, bidCents) ? Math.max(span.startsAt, startsAt) : null,
          capCents: budgetCents,
          ...EMPTY_TALLY,
        });
      }
    }
  }
  return windows;
}

/** The windows in which `time` lies, and the same as caps: what is spent in them is counted on. */
function openAt({ budgets }: SimulationTerms, windows: Windows, time: number) {
  const capped = (target: BudgetTarget) => ({
    budgets: budgets[target],
    spend: eachWindow((window) => windows.get(keyOf(target, window, time)) ?? EMPTY_TALLY),
  });
  const caps = { job: capped('job'), company: capped('company') };
  const open = BUDGET_TARGETS.flatMap((target) =>
    budgets[target].flatMap(({ window }) => windows.get(keyOf(target, window, time)) ?? []),
  );
  return { caps, open };
}

function capsBelowBid({ bidCents, budgets }: SimulationTerms) {
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
