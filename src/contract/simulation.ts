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
interface Simulated {
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

/** What decides which applicants are made up: the same values give the same ones on every machine. */
export interface ArrivalTerms {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly ratePerDay: number;
  /** From 0 to 1. */
  readonly qualifiedShare: number;
  readonly seed: number;
}

/** A run under way: one listing, alone in its company. */
export interface Simulation {
  /** One more applicant, at `time` (epoch ms), in any order; one outside the run is counted as that and no more. */
  arrive(time: number, isQualified: boolean): void;
  /** What has become of those who have arrived. */
  result(): Simulated;
}

/** The engine's billing, for what is reckoned without a database. */
export interface Billing {
  simulation(terms: SimulationTerms): Simulation;
  mostInvoiced(terms: SimulationTerms): Most;
  capsBelowBid(terms: SimulationTerms): CapBelowBid[];
  arrivals(terms: ArrivalTerms): Iterable<Arrival>;
  /** Whether each next applicant is qualified, where nothing but the share of those who are says so. */
  qualifications(share: number, seed: number): () => boolean;
}

/** What a run was told to go by, and what it has come to. */
export interface SimulationReport {
  readonly terms: SimulationTerms;
  /** Null where `--job` named none. */
  readonly jobId: number | null;
  /** Null where the times come from a file. */
  readonly ratePerDay: number | null;
  /** Null where the applicants come from no file. */
  readonly file: string | null;
  /** Null where the file says who is qualified. */
  readonly qualifiedShare: number | null;
  /** Null where nothing was drawn by lot. */
  readonly seed: number | null;
  readonly simulated: Simulated;
  readonly most: Most;
  readonly belowBid: readonly CapBelowBid[];
}
