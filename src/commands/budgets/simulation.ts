import { timeOf } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { LISTING_MS } from '../../contract/limits.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';
import type { SimulationTerms } from '../../engine/billing/most.ts';
import type { SimulatedWindow } from '../../engine/billing/simulate.ts';
import type { ApplicantTimes } from './applicant-times.ts';
import type { SimulationRequest } from './simulation-flags.ts';

export interface SimulationSources {
  readonly job: ServerJob | undefined;
  readonly times: ApplicantTimes | undefined;
  /** Epoch ms. */
  readonly now: number;
  readonly billing: typeof import('../../engine/billing/simulate.ts');
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Ten years: no listing runs longer, whatever a server says. */
const RUN_MAX_MS = 3660 * DAY_MS;
/** About a second; a rate that makes up more is a slip of the hand. */
const APPLICANTS_MAX = 2_000_000;

export type SimulationReport = ReturnType<typeof runSimulation>;

/** Runs the applicants through the billing. Throws USAGE for what cannot be run. */
export function runSimulation(request: SimulationRequest, sources: SimulationSources) {
  const { times, billing } = sources;
  const { ratePerDay, qualifiedShare, seed } = request;
  const terms = termsOf(request, sources);
  if (times === undefined) assertFew(ratePerDay, terms);
  const isDrawn = times?.saysQualified !== true;
  const arrivals =
    times === undefined
      ? billing.arrivalTimes(terms, ratePerDay, seed)
      : times.applicants.map(({ time }) => time);
  const applicants = isDrawn ? billing.drawQualified(arrivals, qualifiedShare, seed) : times.applicants;
  return {
    terms,
    jobId: request.jobId ?? null,
    ratePerDay: times === undefined ? ratePerDay : null,
    file: request.times ?? null,
    qualifiedShare: isDrawn ? qualifiedShare : null,
    // Null where nothing was drawn by lot.
    seed: times === undefined || (isDrawn && qualifiedShare > 0 && qualifiedShare < 1) ? seed : null,
    simulated: billing.simulate(terms, applicants),
  };
}

function termsOf(request: SimulationRequest, { job, times, now }: SimulationSources): SimulationTerms {
  const bidCents = request.bidCents ?? job?.bidPerQualifiedApplicantCents ?? 0;
  if (bidCents <= 0) {
    throw new PartnerError('USAGE', {
      message: `job ${request.jobId} has no bid`,
      hint: 'say what a qualified applicant costs: `--bid-cents 1500`',
    });
  }
  const startsAt = request.startsAt ?? timeOf(job?.publishedAt) ?? times?.applicants[0]?.time ?? now;
  const expiresAt = timeOf(job?.expiresAt) ?? 0;
  const lasts = request.days === undefined ? LISTING_MS : request.days * DAY_MS;
  const endsAt = request.days === undefined && expiresAt > startsAt ? expiresAt : startsAt + lasts;
  if (endsAt - startsAt > RUN_MAX_MS) {
    throw new PartnerError('USAGE', {
      message: 'the run is longer than ten years',
      hint: 'choose another `--start`, or `--days`',
    });
  }
  const { job: given, company } = request.caps;
  const budgets = BUDGET_WINDOWS.flatMap((window) => {
    const cap = [...given, ...(job?.budgets ?? [])].find((one) => one.window === window);
    return cap?.budgetCents === undefined ? [] : [{ window, budgetCents: cap.budgetCents }];
  });
  return { bidCents, startsAt, endsAt, budgets: { job: budgets, company } };
}

function assertFew(ratePerDay: number, { startsAt, endsAt }: SimulationTerms): void {
  const expected = (ratePerDay * (endsAt - startsAt)) / DAY_MS;
  if (expected <= APPLICANTS_MAX) return;
  throw new PartnerError('USAGE', {
    message: `that is about ${Math.round(expected).toLocaleString('en-US')} applicants`,
    hint: `up to ${APPLICANTS_MAX.toLocaleString('en-US')} are simulated: lower \`--rate\` or \`--days\``,
  });
}

/** What `--json` prints: cents and ISO 8601 times, null for unlimited and for what there is not. */
export function simulationDocument(
  { terms, simulated, ...assumed }: SimulationReport,
  windows: readonly SimulatedWindow[] = simulated.windows,
) {
  const { days, totals, outside, most, capsBelowBid } = simulated;
  return {
    assumed: {
      jobId: assumed.jobId,
      bidCents: terms.bidCents,
      startsAt: isoTime(terms.startsAt),
      endsAt: isoTime(terms.endsAt),
      budgets: terms.budgets,
      ratePerDay: assumed.ratePerDay,
      file: assumed.file,
      qualifiedShare: assumed.qualifiedShare,
      seed: assumed.seed,
    },
    items: windows.map(({ target, window, startsAt, endsAt, filledAt, ...counts }) => ({
      target,
      window,
      startsAt: isoTime(startsAt),
      endsAt: isoTime(endsAt),
      filledAt: isoTime(filledAt),
      ...counts,
    })),
    days: days.map(({ startsAt, ...tally }) => ({ day: isoTime(startsAt)?.slice(0, 10), ...tally })),
    totals: { ...totals, outside },
    most,
    capsBelowBid,
  };
}

export function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
