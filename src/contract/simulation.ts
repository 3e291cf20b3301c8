import type { BudgetInput } from './job.ts';
import type { BudgetWindow } from './values.ts';

/** What a simulated run of one listing goes by; times are in epoch ms, and the run is half-open. */
export interface SimulationTerms {
  /** More than 0. */
  readonly bidCents: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly budgets: Readonly<Record<'job' | 'company', readonly BudgetInput[]>>;
}

export interface SimulatedApplicant {
  /** Epoch ms. */
  readonly time: number;
  /** Whether every REQUIRED qualification is met. */
  readonly isQualified: boolean;
}

/** What became of the applicants of a time: each is charged, free for good, or not qualified. */
export interface Tally {
  readonly delivered: number;
  readonly charged: number;
  /** Qualified, and the charge was skipped. */
  readonly free: number;
  readonly unqualified: number;
  readonly spentCents: number;
}

/** One window of one cap, times in epoch ms. */
export interface SimulatedWindow extends Tally {
  readonly target: 'job' | 'company';
  readonly window: BudgetWindow;
  /** Null for LIFETIME, which never resets. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** When another bid no longer fitted; null where it still did at the end. */
  readonly filledAt: number | null;
  readonly capCents: number;
}

/** One UTC day, by its 00:00 in epoch ms. */
export interface SimulatedDay extends Tally {
  readonly startsAt: number;
}

/** The most that can be invoiced in any one day, week and month (UTC), and in all; null for no limit. */
export interface MostInvoiced {
  readonly perDayCents: number | null;
  readonly perWeekCents: number | null;
  readonly perMonthCents: number | null;
  readonly inAllCents: number | null;
}

export interface Simulation {
  /** The job's before the company's, the shortest first, each kind in the order of time. */
  readonly windows: readonly SimulatedWindow[];
  readonly days: readonly SimulatedDay[];
  readonly totals: Tally;
  /** Applicants who came before the run or after it, and count for nothing. */
  readonly outside: number;
  readonly most: MostInvoiced;
  /** Caps that not one bid fits into: nothing is ever charged, and candidates do not see the job. */
  readonly capsBelowBid: readonly Pick<SimulatedWindow, 'target' | 'window' | 'capCents'>[];
}
