import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { capFlags, centsFlag, dollarsFlag, readCaps } from '../../cli/flags/cap-flags.ts';
import * as flag from '../../cli/flags/flag-values.ts';
import { createValueError } from '../../cli/settings/server-settings.ts';
import { parseServerTime } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { isoTime, parseTime } from '../../contract/time.ts';
import { BUDGET_WINDOWS, DAY_MS, LISTING_MS } from '../../contract/values.ts';
import type { SimulationTerms } from '../../engine/billing/most.ts';
import type { SimulatedApplicant } from '../../engine/billing/simulate.ts';
import type { Input } from '../../listings/read/bytes.ts';
import { formatInputName, readInput } from '../../listings/read/read.ts';

// This isn't the flag's `default`, because `--rate` can't be combined with `--times`.
const RATE_DEFAULT_PER_DAY = 20;

export const simulationFlags = {
  job: flag.jobIdFlag({
    description: "Use this job's bid, caps and 30 days (flags override them)",
    atLeastOne: ['job', 'bid', 'bid-cents'],
  }),
  bid: dollarsFlag({
    min: 1,
    description: 'Bid per qualified applicant, in dollars',
    exclusive: ['bid-cents'],
  }),
  'bid-cents': centsFlag({ min: 1, description: 'Bid per qualified applicant, in cents' }),
  ...flag.inGroup('CAP', { ...capFlags(''), ...capFlags('company-') }),
  rate: Flags.custom<number>({ helpValue: 'RATE', parse: async (given) => parseRatePerDay(given) })({
    shown: { default: `${RATE_DEFAULT_PER_DAY}/day` },
    description: 'Average applicant rate, such as 5/hour or 20/day',
  }),
  days: flag.numberFlag({
    max: 3660,
    shown: { default: '30' },
    description: 'Length of the simulation in days',
  }),
  ...flag.inGroup('ADVANCED', {
    times: flag.textFlag('FILE', 'CSV file of applicant times, instead of --rate (- reads stdin)', {
      exclusive: ['rate'],
    }),
    qualified: flag.shareFlag({
      shown: { default: '1' },
      description: 'Share of qualified applicants, 0 to 1, unless the CSV specifies it',
    }),
    start: Flags.custom<number>({ helpValue: 'TIME', parse: async (given) => flag.timeValue(given) })({
      description: 'Start time, such as 2026-12-01 or 2026-12-01T09:30Z (UTC without an offset)',
    }),
    seed: flag.numberFlag({
      ...flag.SEED_RANGE,
      shown: { default: '1' },
      description: 'Seed for the random applicants',
    }),
  }),
};

type SimulationFlags = Partial<Interfaces.InferredFlags<typeof simulationFlags>>;

interface SimulationSources {
  readonly job: ServerJob | undefined;
  readonly times: ApplicantTimes | undefined;
  /** Epoch ms. */
  readonly now: number;
  readonly billing: typeof import('../../engine/billing/simulate.ts');
}

/** Limits a simulation to ten years, because a server's `expiresAt` could be any date. */
const RUN_MAX_MS = 3660 * DAY_MS;
/** Simulating this many applicants takes about a second. A higher number is likely a typo in the rate. */
const APPLICANTS_MAX = 2_000_000;

export type SimulationReport = ReturnType<typeof runSimulation>;
export type ReportedWindow = SimulationReport['items'][number];

/** Returns the output of `--json`. Amounts are cents and times are ISO 8601. Null means unlimited or absent. */
export function runSimulation(flags: SimulationFlags, sources: SimulationSources) {
  const { times, billing } = sources;
  const { rate: ratePerDay = RATE_DEFAULT_PER_DAY, qualified: qualifiedShare = 1, seed = 1 } = flags;
  const terms = buildTerms(flags, sources);
  if (times === undefined) assertFew(ratePerDay, terms);
  const isDrawn = times?.saysQualified !== true;
  const arrivals =
    times === undefined
      ? billing.arrivalTimes(terms, ratePerDay, seed)
      : times.applicants.map(({ time }) => time);
  const applicants = isDrawn ? billing.drawQualified(arrivals, qualifiedShare, seed) : times.applicants;
  const { windows, days, totals, outside, most, capsBelowBid } = billing.simulate(terms, applicants);
  return {
    assumed: {
      jobId: flags.job ?? null,
      bidCents: terms.bidCents,
      startsAt: isoTime(terms.startsAt),
      endsAt: isoTime(terms.endsAt),
      budgets: terms.budgets,
      ratePerDay: times === undefined ? ratePerDay : null,
      file: flags.times ?? null,
      qualifiedShare: isDrawn ? qualifiedShare : null,
      // The seed is null if nothing was random.
      seed: times === undefined || (isDrawn && qualifiedShare > 0 && qualifiedShare < 1) ? seed : null,
    },
    items: windows.map((window) => ({
      ...window,
      startsAt: formatTime(window.startsAt),
      endsAt: formatTime(window.endsAt),
      filledAt: formatTime(window.filledAt),
    })),
    days: days.map(({ startsAt, ...tally }) => ({ day: isoTime(startsAt).slice(0, 10), ...tally })),
    totals: { ...totals, outside },
    most,
    capsBelowBid,
  };
}

function buildTerms(flags: SimulationFlags, { job, times, now }: SimulationSources): SimulationTerms {
  const bidCents = flags.bid ?? flags['bid-cents'] ?? job?.bidPerQualifiedApplicantCents ?? 0;
  if (bidCents <= 0) {
    throw new PartnerError('USAGE', {
      message: `job ${flags.job} has no bid`,
      hint: 'pass the cost of a qualified applicant, such as `--bid 15`',
    });
  }
  const startsAt = flags.start ?? parseServerTime(job?.publishedAt) ?? times?.applicants[0]?.time ?? now;
  const expiresAt = parseServerTime(job?.expiresAt) ?? 0;
  const lasts = flags.days === undefined ? LISTING_MS : flags.days * DAY_MS;
  const end = flags.days === undefined && expiresAt > startsAt ? expiresAt : startsAt + lasts;
  const endsAt = Math.min(end, startsAt + RUN_MAX_MS);
  const caps = [...readCaps(flags), ...(job?.budgets ?? [])];
  const budgets = BUDGET_WINDOWS.flatMap((window) => {
    const cap = caps.find((one) => one.window === window);
    return cap?.budgetCents === undefined ? [] : [{ window, budgetCents: cap.budgetCents }];
  });
  return { bidCents, startsAt, endsAt, budgets: { job: budgets, company: readCaps(flags, 'company-') } };
}

function assertFew(ratePerDay: number, { startsAt, endsAt }: SimulationTerms): void {
  const expected = (ratePerDay * (endsAt - startsAt)) / DAY_MS;
  if (expected <= APPLICANTS_MAX) return;
  throw new PartnerError('USAGE', {
    message: `too many applicants: about ${Math.round(expected).toLocaleString('en-US')}`,
    hint: `the maximum is ${APPLICANTS_MAX.toLocaleString('en-US')}. Lower \`--rate\` or \`--days\``,
  });
}

function formatTime(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}

function parseRatePerDay(given: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\/(day|hour)$/i.exec(given.trim()) ?? [];
  const ratePerDay = Number(amount) * (unit?.toLowerCase() === 'hour' ? 24 : 1);
  if (ratePerDay > 0) return ratePerDay;
  const hint = 'for example: `--rate 20/day` or `--rate 2.5/hour`';
  throw createValueError('--rate', 'applicants per day or hour', given, hint);
}

export type ApplicantTimes = Awaited<ReturnType<typeof readApplicantTimes>>;

const HINT =
  'use one ISO 8601 time per line, such as 2026-12-01T09:30:00Z. The times must be in the first column or a `time` column. A `qualified` column (true or false) is optional';

/** Reads a CSV file (`-` for stdin), which may have a `qualified` column. Throws FILE_UNREADABLE, and FILE_INVALID with file and line. */
export async function readApplicantTimes(name: string, input: Input) {
  const text = await readInput(name, input).catch((error: unknown) => {
    if (!(error instanceof PartnerError) || error.code !== 'FILE_INVALID') throw error;
    // Replaces the original hint, which is about listings.
    throw error.with({ hint: 'use a UTF-8 CSV file of applicant times' });
  });
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ line: index + 1, cells: parseCsvCells(line) }));
  const rows = lines.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const columns = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const timeAt = Math.max(
    0,
    columns.findIndex((column) => column === 'time' || column === 'receivedat'),
  );
  const qualifiedAt = columns.indexOf('qualified');
  // A first row without a digit is a header.
  if (!/\d/.test(columns.join(''))) rows.shift();
  const invalid = (line: number, fault: string) => {
    const message = `${formatInputName(name)}:${line}: ${fault}`;
    return new PartnerError('FILE_INVALID', { message, hint: HINT });
  };
  if (rows.length === 0) throw invalid(1, 'the file contains no times');
  const applicants = rows.map(({ line, cells }): SimulatedApplicant => {
    const written = cells[timeAt] ?? '';
    const time = parseTime(written);
    if (written === '') throw invalid(line, 'missing time');
    if (time === undefined) throw invalid(line, `expected an ISO 8601 time, got \`${written}\``);
    const qualified = qualifiedAt === -1 ? 'false' : (cells[qualifiedAt] ?? '').toLowerCase();
    if (qualified !== 'true' && qualified !== 'false')
      throw invalid(line, `\`qualified\` must be true or false, not \`${qualified}\``);
    return { time, isQualified: qualified === 'true' };
  });
  applicants.sort((one, other) => one.time - other.time);
  return { saysQualified: qualifiedAt !== -1, applicants };
}

/** Trims cells. Quoted cells follow RFC 4180, but can't contain line breaks. */
function parseCsvCells(line: string): string[] {
  const cells = `${line},`.matchAll(/(?<=^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*)),/g);
  return Array.from(cells, ([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim());
}
