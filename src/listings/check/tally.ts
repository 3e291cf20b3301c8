import { bidOffMedian, manyWithoutCap } from '../../contract/guardrails.ts';
import type { Listing } from '../read/listing.ts';
import type { Finding, Rule } from './finding.ts';
import type { Omitted } from './findings.ts';

/** Errors, and as many warnings: nobody reads on. */
const KEPT_MAX = 1000;

/** Counting more takes time and helps nobody. */
export const ERRORS_MAX = 100_000;

export interface FindingTotals {
  /** The first 1,000 errors and the first 1,000 warnings. */
  readonly findings: readonly Finding[];
  readonly errors: number;
  readonly warnings: number;
  readonly listingsWithErrors: number;
}

interface BidAt extends Pick<Finding, 'file' | 'index' | 'line' | 'column'> {
  readonly cents: number;
}

/** Undefined for a listing without a bid that can be compared. */
export function bidOf({ file, index, value, locate }: Listing): BidAt | undefined {
  const field = 'bidPerQualifiedApplicantCents';
  const cents = (value as Readonly<Record<string, unknown>> | null)?.[field];
  if (typeof cents !== 'number' || !Number.isSafeInteger(cents)) return undefined;
  return { file, index, cents, ...locate([field]) };
}

export interface Found {
  /** Of the listing: what is found in a `_defaults.yaml` above several is counted once. */
  readonly file?: string;
  readonly findings: readonly Finding[];
  readonly omitted?: Omitted;
  readonly bid?: BidAt | undefined;
}

/** Warnings that a whole set may have for one reason: so many of one field are shown one by one. */
const SHOWN_ONE_BY_ONE: Readonly<Partial<Record<Rule, number>>> = {
  'unusual-value': 5,
  'shown-literally': 5,
  'no-cap': 0,
};

/** Where a set has more different bids, the median of the first ones counts for all. */
const BIDS_MAX = 10_000;

interface Counted<T> {
  first: T;
  count: number;
}

export function createTally() {
  const findings: Finding[] = [];
  const counts = { error: 0, warning: 0 };
  /** Warnings by rule and field; `first` is the first that is not shown by itself. */
  const repeats = new Map<string, Counted<Finding>>();
  const bids = new Map<number, Counted<BidAt>>();
  const inDefaults = new Set<string>();
  let listingsWithErrors = 0;
  let last: Finding | undefined;
  const keep = (finding: Finding): void => {
    if (counts[finding.level]++ < KEPT_MAX) findings.push(finding);
  };
  const isRepeat = (finding: Finding): boolean => {
    const max = finding.level === 'warning' ? SHOWN_ONE_BY_ONE[finding.rule] : undefined;
    if (max === undefined) return false;
    const repeat = counted(repeats, `${finding.rule} ${finding.field.replace(/\d+/g, '')}`, finding);
    if (repeat.count === max + 1) repeat.first = finding;
    return repeat.count > max;
  };
  const isKnown = (finding: Finding, file: string): boolean => {
    if (finding.file === file) return false;
    const { line, column, field, rule, message } = finding;
    const key = JSON.stringify([finding.file, line, column, field, rule, message]);
    if (inDefaults.has(key)) return true;
    if (inDefaults.size < KEPT_MAX) inDefaults.add(key);
    return false;
  };
  return {
    add({ file, findings: found, omitted, bid }: Found): void {
      for (const finding of found)
        if (!isKnown(finding, file ?? finding.file) && !isRepeat(finding)) keep(finding);
      counts.error += omitted?.error ?? 0;
      counts.warning += omitted?.warning ?? 0;
      if (found.some(({ level }) => level === 'error')) listingsWithErrors++;
      if (counts.error > ERRORS_MAX) last ??= found.at(-1);
      if (bid !== undefined && bid.cents > 0 && bids.size < BIDS_MAX) counted(bids, bid.cents, bid);
    },
    /** True after too many errors: then nothing more should be read. */
    isFull: () => last !== undefined,
    totals(): FindingTotals {
      if (last !== undefined && counts.error++) findings.push({ ...last, ...stopped() });
      for (const finding of [...[...repeats.values()].flatMap(forAll), ...offMedian(bids)]) keep(finding);
      return { findings, errors: counts.error, warnings: counts.warning, listingsWithErrors };
    },
  };
}

const stopped = () =>
  ({
    field: '',
    level: 'error',
    rule: 'file-content',
    message: `the check stops here, after ${ERRORS_MAX.toLocaleString('en')} errors`,
    hint: 'fix those above, and check again',
  }) as const;

function counted<K, T>(counts: Map<K, Counted<T>>, key: K, first: T): Counted<T> {
  const known = counts.get(key) ?? { first, count: 0 };
  counts.set(key, known);
  known.count++;
  return known;
}

/** One finding for all of its kind that were not shown one by one; none where all were. */
function forAll({ first, count }: Counted<Finding>): Finding[] {
  const more = count - (SHOWN_ONE_BY_ONE[first.rule] ?? 0);
  if (more <= 1) return more === 1 ? [first] : [];
  const isCap = first.rule === 'no-cap';
  return [{ ...first, message: isCap ? manyWithoutCap(more) : `${first.message}${andInMore(more)}` }];
}

function andInMore(count: number): string {
  return count === 1 ? '' : `; and so in ${count - 1} more listings`;
}

/** Each bid that is far off the median of the set's, at its first listing; none in a set of fewer than three. */
function offMedian(bids: ReadonlyMap<number, Counted<BidAt>>): Finding[] {
  const sorted = [...bids].sort(([a], [b]) => a - b);
  const all = sorted.reduce((sum, [, { count }]) => sum + count, 0);
  let upTo = 0;
  const [median] =
    sorted.find(([, { count }]) => {
      upTo += count;
      return upTo > (all - 1) / 2;
    }) ?? [];
  if (median === undefined || all < 3) return [];
  return sorted.flatMap(([cents, { first, count }]): Finding[] => {
    const message = bidOffMedian(cents, median);
    if (message === undefined) return [];
    const { cents: _, ...place } = first;
    return [
      {
        ...place,
        field: 'bidPerQualifiedApplicantCents',
        rule: 'unusual-value',
        level: 'warning',
        message: `${message}${andInMore(count)}`,
        hint: 'bids are in cents: 1500 is $15.00',
      },
    ];
  });
}

export function omitted({ findings, errors, warnings }: FindingTotals): number {
  return errors + warnings - findings.length;
}

/** "and 499,000 more" on a line of its own; none where every finding is shown. */
export function moreLines(totals: FindingTotals): string[] {
  const more = omitted(totals);
  return more === 0 ? [] : [`and ${more.toLocaleString('en')} more`];
}
