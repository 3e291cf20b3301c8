import type { ServerJob } from '../client/client.ts';
import { PartnerError } from '../contract/errors.ts';
import type { BudgetInput } from '../contract/job.ts';
import { LISTING_MS } from '../contract/limits.ts';
import { formatCents } from '../contract/money.ts';
import type { Billing, SimulationReport, SimulationTerms } from '../contract/simulation.ts';
import { BUDGET_WINDOWS } from '../contract/values.ts';
import type { ApplicantTimes } from '../intake/applicant-times.ts';
import { listIn, timeIn } from '../ui/views/read.ts';

/** What a simulation is asked for; what is undefined comes from the job, or else from a default. */
export interface SimulationRequest {
  readonly jobId: number | undefined;
  readonly bidCents: number | undefined;
  readonly caps: SimulationTerms['budgets'];
  readonly ratePerDay: number;
  readonly qualifiedShare: number;
  readonly days: number | undefined;
  /** Epoch ms. */
  readonly startsAt: number | undefined;
  readonly seed: number;
  /** The name of a file of times, `-` for stdin. */
  readonly times: string | undefined;
}

/** Where a run takes what the request leaves open. */
export interface SimulationSources {
  readonly job: ServerJob | undefined;
  readonly times: ApplicantTimes | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly billing: Billing;
  /** Lets other things happen, as Ctrl-C, on which it throws INTERRUPTED. */
  readonly pause: () => Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Ten years: no listing runs longer, whatever a server says. */
const RUN_MAX_MS = 3660 * DAY_MS;
/** A minute or less; more applicants than that are a slip of the hand. */
const APPLICANTS_MAX = 50_000_000;
/** Above a million dollars for an applicant and ten thousand million for a window sums would no longer be exact. */
const BID_MAX_CENTS = 1e8;
const CAP_MAX_CENTS = 1e12;
const BETWEEN_PAUSES = 200_000;

/** Runs the applicants through the billing. Throws USAGE for what cannot be run. */
export async function simulated(
  request: SimulationRequest,
  { job, times, now, billing, pause }: SimulationSources,
): Promise<SimulationReport> {
  const terms = termsOf(request, job, times?.from ?? now);
  const { ratePerDay, qualifiedShare, seed } = request;
  const run = billing.simulation(terms);
  const isQualified = billing.qualifications(qualifiedShare, seed);
  const stream = times?.arrivals() ?? billing.arrivals({ ...terms, ratePerDay, qualifiedShare, seed });
  if (times === undefined) assertFew(ratePerDay, terms);
  let arrived = 0;
  for (const arrival of stream) {
    run.arrive(arrival.time, arrival.isQualified ?? isQualified());
    if (++arrived % BETWEEN_PAUSES === 0) await pause();
  }
  const draws = times === undefined || (!times.saysQualified && qualifiedShare > 0 && qualifiedShare < 1);
  return {
    terms,
    jobId: request.jobId ?? null,
    ratePerDay: times === undefined ? ratePerDay : null,
    file: request.times ?? null,
    qualifiedShare: times?.saysQualified ? null : qualifiedShare,
    seed: draws ? seed : null,
    simulated: run.result(),
    most: billing.mostInvoiced(terms),
    belowBid: billing.capsBelowBid(terms),
  };
}

function termsOf(request: SimulationRequest, job: ServerJob | undefined, begins: number): SimulationTerms {
  const bidCents = request.bidCents ?? centsIn(job?.bidPerQualifiedApplicantCents);
  if (bidCents === undefined || bidCents <= 0) {
    throw new PartnerError('USAGE', {
      message: `job ${request.jobId} has no bid`,
      hint: 'say what a qualified applicant costs: `--bid-cents 1500`',
    });
  }
  const startsAt = request.startsAt ?? timeIn(job?.publishedAt) ?? begins;
  const endsAt = endOf(request, job, startsAt);
  if (endsAt - startsAt > RUN_MAX_MS) {
    throw new PartnerError('USAGE', {
      message: 'the run is longer than ten years',
      hint: 'choose another `--start`, or `--days`',
    });
  }
  const ofJob = capsOf(job).filter(({ window }) => !request.caps.job.some((cap) => cap.window === window));
  const budgets = { job: inOrder([...ofJob, ...request.caps.job]), company: request.caps.company };
  assertExact(bidCents, [...budgets.job, ...budgets.company]);
  return { bidCents, startsAt, endsAt, budgets };
}

function endOf({ days }: SimulationRequest, job: ServerJob | undefined, startsAt: number): number {
  if (days !== undefined) return startsAt + days * DAY_MS;
  const expiresAt = timeIn(job?.expiresAt);
  return expiresAt !== undefined && expiresAt > startsAt ? expiresAt : startsAt + LISTING_MS;
}

/** The caps of a job as far as the contract knows them. */
function capsOf(job: ServerJob | undefined): BudgetInput[] {
  return listIn(job?.budgets).flatMap(({ window, budgetCents }) => {
    const known = BUDGET_WINDOWS.find((one) => one === window);
    const cap = centsIn(budgetCents);
    return known !== undefined && cap !== undefined ? [{ window: known, budgetCents: cap }] : [];
  });
}

/** Whole cents; undefined for what no amount can be. */
function centsIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function inOrder(budgets: readonly BudgetInput[]): BudgetInput[] {
  return BUDGET_WINDOWS.flatMap((window) => budgets.find((budget) => budget.window === window) ?? []);
}

function assertFew(ratePerDay: number, { startsAt, endsAt }: SimulationTerms): void {
  const expected = (ratePerDay * (endsAt - startsAt)) / DAY_MS;
  if (expected <= APPLICANTS_MAX) return;
  throw new PartnerError('USAGE', {
    message: `that is about ${Math.round(expected).toLocaleString('en-US')} applicants`,
    hint: `up to ${APPLICANTS_MAX.toLocaleString('en-US')} are simulated: lower \`--rate\` or \`--days\``,
  });
}

function assertExact(bidCents: number, budgets: readonly BudgetInput[]): void {
  const isCapTooLarge = budgets.some(({ budgetCents }) => budgetCents > CAP_MAX_CENTS);
  if (bidCents <= BID_MAX_CENTS && !isCapTooLarge) return;
  const most = isCapTooLarge
    ? `cap of more than ${formatCents(CAP_MAX_CENTS)}`
    : `bid of more than ${formatCents(BID_MAX_CENTS)}`;
  throw new PartnerError('USAGE', {
    message: `a ${most} cannot be reckoned with exactly`,
    hint: 'amounts are in cents',
  });
}

/** What `--json` prints: cents and ISO 8601 times, null for unlimited and for what there is not. */
export function simulationDocument(report: SimulationReport) {
  const { terms, simulated, most, belowBid } = report;
  const caps = (budgets: readonly BudgetInput[]) =>
    budgets.map(({ window, budgetCents }) => ({ window, budgetCents }));
  return {
    assumed: {
      jobId: report.jobId,
      bidCents: terms.bidCents,
      startsAt: isoTime(terms.startsAt),
      endsAt: isoTime(terms.endsAt),
      budgets: { job: caps(terms.budgets.job), company: caps(terms.budgets.company) },
      ratePerDay: report.ratePerDay,
      file: report.file,
      qualifiedShare: report.qualifiedShare,
      seed: report.seed,
    },
    items: simulated.windows.map(({ target, window, startsAt, endsAt, filledAt, ...counts }) => ({
      target,
      window,
      startsAt: isoTime(startsAt),
      endsAt: isoTime(endsAt),
      filledAt: isoTime(filledAt),
      ...counts,
    })),
    days: simulated.days.map(({ startsAt, ...tally }) => ({
      day: isoTime(startsAt)?.slice(0, 10),
      ...tally,
    })),
    totals: { ...simulated.totals, outside: simulated.outside },
    most,
    capsBelowBid: belowBid,
  };
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
