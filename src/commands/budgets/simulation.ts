import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { capFlags, capsIn, centsFlag } from '../../cli/flags/cap-flags.ts';
import { jobIdFlag, numberFlag, seedFlag, shareFlag, timeValue } from '../../cli/flags/flag-values.ts';
import { timeOf } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { BUDGET_WINDOWS, DAY_MS, LISTING_MS } from '../../contract/values.ts';
import type { SimulationTerms } from '../../engine/billing/most.ts';
import type { SimulatedWindow } from '../../engine/billing/simulate.ts';
import type { ApplicantTimes } from './applicant-times.ts';

// Not a default of the flag: `--times` excludes a rate that was given.
const RATE_DEFAULT_PER_DAY = 20;

const companyCap = (window: string) => centsFlag({ description: `The company's ${window} cap in cents` });

export const simulationFlags = {
  job: jobIdFlag({
    description: 'Take the bid, the caps and the 30 days of this job; flags win over them',
    atLeastOne: ['job', 'bid-cents'],
  }),
  'bid-cents': centsFlag({ min: 1, description: 'What a qualified applicant costs, in cents' }),
  ...capFlags,
  'company-daily-cents': companyCap('daily'),
  'company-weekly-cents': companyCap('weekly'),
  'company-monthly-cents': companyCap('monthly'),
  'company-lifetime-cents': companyCap('lifetime'),
  rate: Flags.custom<number>({ helpValue: 'RATE', parse: async (given) => ratePerDayOf(given) })({
    description: 'How many applicants come on average: 5/hour, or 20/day (default)',
  }),
  times: Flags.string({
    helpValue: 'FILE',
    description: 'Take the times of applicants from a CSV instead; - is stdin',
    exclusive: ['rate'],
  }),
  qualified: shareFlag({
    description: 'The share of qualified applicants, 0 to 1, unless the file says it (default 1)',
  }),
  days: numberFlag({ max: 3660, description: 'How many days the run has (default 30)' }),
  start: Flags.custom<number>({ helpValue: 'TIME', parse: async (given) => timeValue(given) })({
    description:
      'When the run begins, as 2026-12-01 or 2026-12-01T09:30Z, in UTC without an offset (default now)',
  }),
  seed: seedFlag({ description: 'The seed of the made-up applicants (default 1)' }),
};

/** What is not given comes from the job, or else from a default. */
type SimulationFlags = Partial<Interfaces.InferredFlags<typeof simulationFlags>>;

interface SimulationSources {
  readonly job: ServerJob | undefined;
  readonly times: ApplicantTimes | undefined;
  /** Epoch ms. */
  readonly now: number;
  readonly billing: typeof import('../../engine/billing/simulate.ts');
}

/** Ten years: no listing runs longer, whatever a server says. */
const RUN_MAX_MS = 3660 * DAY_MS;
/** About a second; a rate that makes up more is a slip of the hand. */
const APPLICANTS_MAX = 2_000_000;

export type SimulationReport = ReturnType<typeof runSimulation>;

/** Runs the applicants through the billing. Throws USAGE for what cannot be run. */
export function runSimulation(flags: SimulationFlags, sources: SimulationSources) {
  const { times, billing } = sources;
  const { rate: ratePerDay = RATE_DEFAULT_PER_DAY, qualified: qualifiedShare = 1, seed = 1 } = flags;
  const terms = termsOf(flags, sources);
  if (times === undefined) assertFew(ratePerDay, terms);
  const isDrawn = times?.saysQualified !== true;
  const arrivals =
    times === undefined
      ? billing.arrivalTimes(terms, ratePerDay, seed)
      : times.applicants.map(({ time }) => time);
  const applicants = isDrawn ? billing.drawQualified(arrivals, qualifiedShare, seed) : times.applicants;
  return {
    terms,
    jobId: flags.job ?? null,
    ratePerDay: times === undefined ? ratePerDay : null,
    file: flags.times ?? null,
    qualifiedShare: isDrawn ? qualifiedShare : null,
    // Null where nothing was drawn by lot.
    seed: times === undefined || (isDrawn && qualifiedShare > 0 && qualifiedShare < 1) ? seed : null,
    simulated: billing.simulate(terms, applicants),
  };
}

function termsOf(flags: SimulationFlags, { job, times, now }: SimulationSources): SimulationTerms {
  const bidCents = flags['bid-cents'] ?? job?.bidPerQualifiedApplicantCents ?? 0;
  if (bidCents <= 0) {
    throw new PartnerError('USAGE', {
      message: `job ${flags.job} has no bid`,
      hint: 'say what a qualified applicant costs: `--bid-cents 1500`',
    });
  }
  const startsAt = flags.start ?? timeOf(job?.publishedAt) ?? times?.applicants[0]?.time ?? now;
  const expiresAt = timeOf(job?.expiresAt) ?? 0;
  const lasts = flags.days === undefined ? LISTING_MS : flags.days * DAY_MS;
  const end = flags.days === undefined && expiresAt > startsAt ? expiresAt : startsAt + lasts;
  const endsAt = Math.min(end, startsAt + RUN_MAX_MS);
  const caps = [...capsIn(flags), ...(job?.budgets ?? [])];
  const budgets = BUDGET_WINDOWS.flatMap((window) => {
    const cap = caps.find((one) => one.window === window);
    return cap?.budgetCents === undefined ? [] : [{ window, budgetCents: cap.budgetCents }];
  });
  return { bidCents, startsAt, endsAt, budgets: { job: budgets, company: capsIn(flags, 'company-') } };
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
  { terms, simulated, jobId, ...drawn }: SimulationReport,
  windows: readonly SimulatedWindow[] = simulated.windows,
) {
  const { days, totals, outside, most, capsBelowBid } = simulated;
  return {
    assumed: {
      jobId,
      bidCents: terms.bidCents,
      startsAt: isoTime(terms.startsAt),
      endsAt: isoTime(terms.endsAt),
      budgets: terms.budgets,
      ...drawn,
    },
    items: windows.map((window) => ({
      ...window,
      startsAt: isoTime(window.startsAt),
      endsAt: isoTime(window.endsAt),
      filledAt: isoTime(window.filledAt),
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

function ratePerDayOf(given: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\/(day|hour)$/i.exec(given.trim()) ?? [];
  const ratePerDay = Number(amount) * (unit?.toLowerCase() === 'hour' ? 24 : 1);
  if (ratePerDay > 0) return ratePerDay;
  throw new PartnerError('USAGE', {
    message: `--rate takes applicants a day or an hour, not \`${given}\``,
    hint: 'write it like `--rate 20/day` or `--rate 2.5/hour`',
  });
}
