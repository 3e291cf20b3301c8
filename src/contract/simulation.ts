import type { BudgetInput } from './job.ts';
import type { BudgetWindow } from './values.ts';

/** What a simulated run of one listing goes by. Times are in epoch ms, the run is half-open. */
export interface SimulationTerms {
  /** More than 0. */
  readonly bidCents: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly budgets: Readonly<Record<'job' | 'company', readonly BudgetInput[]>>;
}

/** What became of the applicants of a time: each is delivered, and is charged, free for good, or not qualified. */
export interface Tally {
  readonly delivered: number;
  readonly charged: number;
  /** Qualified, and the charge was skipped. */
  readonly free: number;
  readonly unqualified: number;
  readonly spentCents: number;
}

/** One window of one cap in a simulated run, times in epoch ms. */
export interface SimulatedWindow extends Tally {
  readonly target: 'job' | 'company';
  readonly window: BudgetWindow;
  /** Null for LIFETIME, which never begins anew. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** When another bid no longer fitted; null where it still did at the end. */
  readonly filledAt: number | null;
  readonly capCents: number;
}

/** One UTC day of a simulated run. */
export interface SimulatedDay extends Tally {
  /** At 00:00, in epoch ms. */
  readonly startsAt: number;
}

/** Everything that a simulated run has come to. */
export interface Simulated {
  /** The job's before the company's, the shortest first, each kind in the order of time. */
  readonly windows: readonly SimulatedWindow[];
  readonly days: readonly SimulatedDay[];
  readonly totals: Tally;
  /** Applicants who came before the run or after it, and count for nothing. */
  readonly outside: number;
}

/** The most that can be invoiced in any one day, week (from Monday) and month, UTC, and in all; null for no limit. */
export interface Most {
  readonly perDayCents: number | null;
  readonly perWeekCents: number | null;
  readonly perMonthCents: number | null;
  readonly inAllCents: number | null;
}

/** A cap that one bid does not fit into: nothing is ever charged, and candidates do not see the job. */
export interface CapBelowBid {
  readonly target: 'job' | 'company';
  readonly window: BudgetWindow;
  readonly capCents: number;
}

/** An applicant on the way: when (epoch ms), and whether every REQUIRED qualification is met. */
export interface Arrival {
  readonly time: number;
  readonly isQualified: boolean;
}
