import * as Flags from '@oclif/core/flags';
import { capFlags, capsIn, centsFlag, companyCapFlags } from '../../cli/flags/cap-flags.ts';
import { jobId, seedFlag, shareFlag, timeArgument, wholeNumber } from '../../cli/flags/flag-values.ts';
import { PartnerError } from '../../contract/errors.ts';

// Not a default of the flag: `--times` excludes a rate that was given.
const RATE_DEFAULT = '20/day';
const SEED_DEFAULT = '1';
const DAYS_MAX = 3660;

export const simulationFlags = {
  job: Flags.string({
    helpValue: 'ID',
    description: 'Take the bid, the caps and the 30 days of this job; flags win over them',
    atLeastOne: ['job', 'bid-cents'],
  }),
  'bid-cents': Flags.string({
    helpValue: 'CENTS',
    description: 'What a qualified applicant costs, in cents',
  }),
  ...capFlags,
  ...companyCapFlags,
  rate: Flags.string({
    helpValue: 'RATE',
    description: `How many applicants come on average: 5/hour, or ${RATE_DEFAULT} (default)`,
  }),
  times: Flags.string({
    helpValue: 'FILE',
    description: 'Take the times of applicants from a CSV instead; - is stdin',
    exclusive: ['rate'],
  }),
  qualified: Flags.string({
    helpValue: 'SHARE',
    description: 'The share of qualified applicants, 0 to 1, unless the file says it (default 1)',
  }),
  days: Flags.string({ helpValue: 'N', description: 'How many days the run has (default 30)' }),
  start: Flags.string({
    helpValue: 'TIME',
    description:
      'When the run begins, as 2026-12-01 or 2026-12-01T09:30Z, in UTC without an offset (default now)',
  }),
  seed: Flags.string({
    helpValue: 'N',
    description: `The seed of the made-up applicants (default ${SEED_DEFAULT})`,
  }),
};

type Given = Readonly<Record<keyof typeof simulationFlags, string | undefined>>;

/** What is undefined comes from the job, or else from a default. */
export type SimulationRequest = ReturnType<typeof simulationRequest>;

/** What the flags ask for. Throws USAGE, before anything is read or called. */
export function simulationRequest(flags: Given) {
  const { job, 'bid-cents': bid, days, start, times, rate } = flags;
  return {
    jobId: job === undefined ? undefined : jobId(job),
    bidCents: bid === undefined ? undefined : centsFlag('--bid-cents', bid, { min: 1 }),
    caps: { job: capsIn(flags), company: capsIn(flags, 'company-') },
    ratePerDay: rateOf(rate ?? RATE_DEFAULT),
    qualifiedShare: shareFlag('--qualified', flags.qualified ?? '1'),
    days: days === undefined ? undefined : wholeNumber('--days', days, { min: 1, max: DAYS_MAX }),
    startsAt: start === undefined ? undefined : timeArgument(start),
    seed: seedFlag(flags.seed ?? SEED_DEFAULT),
    times,
  };
}

function rateOf(given: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\/(day|hour)$/i.exec(given.trim()) ?? [];
  const ratePerDay = Number(amount) * (unit?.toLowerCase() === 'hour' ? 24 : 1);
  if (ratePerDay > 0) return ratePerDay;
  throw new PartnerError('USAGE', {
    message: `--rate takes applicants a day or an hour, not \`${given}\``,
    hint: 'write it like `--rate 20/day` or `--rate 2.5/hour`',
  });
}
