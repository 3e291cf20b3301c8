import { formatCount } from '../../contract/words.ts';
import type { Listing } from '../read/listing.ts';
import type { Finding, Rule } from './finding.ts';
import type { Omitted } from './findings.ts';
import { bidOffMedian, manyWithoutCap } from './guardrails.ts';

const KEPT_MAX = 1000;

export const ERRORS_MAX = 100_000;

export interface FindingTotals {
  readonly findings: readonly Finding[];
  readonly errors: number;
  readonly warnings: number;
  readonly listingsWithErrors: number;
}

interface BidAt extends Pick<Finding, 'file' | 'index' | 'line' | 'column' | 'listing'> {
  readonly cents: number;
}

export function getBid({ file, index, label: listing, value, locate }: Listing): BidAt | undefined {
  const field = 'bidPerQualifiedApplicantCents';
  const cents = (value as Readonly<Record<string, unknown>> | null)?.[field];
  if (typeof cents !== 'number' || !Number.isSafeInteger(cents)) return undefined;
  return { file, index, listing, cents, ...locate([field]) };
}

export interface Found {
  /** File of the listing. A problem in a `_defaults.yaml` counts once, not once per listing. */
  readonly file?: string;
  readonly findings: readonly Finding[];
  readonly omitted?: Omitted;
  readonly bid?: BidAt | undefined;
}

/** Number of warnings per field to list. The rest is summarized, because a whole set often shares the cause. */
const SHOWN_ONE_BY_ONE: Readonly<Partial<Record<Rule, number>>> = {
  'unusual-value': 5,
  'unknown-place': 5,
  'shown-literally': 5,
  'no-cap': 0,
};

const BIDS_MAX = 10_000;

interface Counted<T> {
  first: T;
  count: number;
}

export function createTally() {
  const findings: Finding[] = [];
  const counts = { error: 0, warning: 0 };
  const repeats = new Map<string, Counted<Finding>>();
  const shown = new Map<string, Counted<Finding>>();
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
    const kind = `${finding.rule} ${finding.field.replace(/\d+/g, '')}`;
    const same = `${kind} ${finding.message}`;
    if (shown.has(same)) return countKey(shown, same, finding).count > 1;
    const repeat = countKey(repeats, kind, finding);
    if (repeat.count === max + 1) repeat.first = finding;
    if (repeat.count <= max) countKey(shown, same, finding);
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
      if (bid !== undefined && bid.cents > 0 && bids.size < BIDS_MAX) countKey(bids, bid.cents, bid);
    },
    /** True after too many errors. The caller must then stop reading. */
    isFull: () => last !== undefined,
    totals(): FindingTotals {
      if (last !== undefined && counts.error++) findings.push({ ...last, ...createStopFinding() });
      for (const finding of [...[...repeats.values()].flatMap(forAll), ...offMedian(bids)]) keep(finding);
      const repeated = new Map(Array.from(shown.values(), ({ first, count }) => [first, count]));
      const all = findings.map((one) => addCount(one, 'also', repeated.get(one) ?? 1));
      return { findings: all, errors: counts.error, warnings: counts.warning, listingsWithErrors };
    },
  };
}

const createStopFinding = () =>
  ({
    field: '',
    level: 'error',
    rule: 'file-content',
    message: `the check stopped after ${ERRORS_MAX.toLocaleString('en')} errors`,
    hint: 'fix the problems above, then check again',
  }) as const;

function countKey<K, T>(counts: Map<K, Counted<T>>, key: K, first: T): Counted<T> {
  const known = counts.get(key) ?? { first, count: 0 };
  counts.set(key, known);
  known.count++;
  return known;
}

function forAll({ first, count }: Counted<Finding>): Finding[] {
  const more = count - (SHOWN_ONE_BY_ONE[first.rule] ?? 0);
  if (more <= 1) return more === 1 ? [first] : [];
  const isCap = first.rule === 'no-cap';
  return [isCap ? { ...first, message: manyWithoutCap(more) } : addCount(first, 'similar', more)];
}

function addCount(finding: Finding, how: 'also' | 'similar', count: number): Finding {
  const more = ` (${how} in ${formatCount(count - 1, 'more listing')})`;
  return count === 1 ? finding : { ...finding, message: finding.message + more };
}

/** Warns about each distinct bid far from the median, at its first listing. Requires at least three bids. */
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
    const hint = 'bids are in cents: 1500 is $15.00';
    const field = 'bidPerQualifiedApplicantCents';
    return [
      addCount({ ...place, field, rule: 'unusual-value', level: 'warning', message, hint }, 'similar', count),
    ];
  });
}

export function countOmitted({ findings, errors, warnings }: FindingTotals): number {
  return errors + warnings - findings.length;
}

export function moreLines(totals: FindingTotals): string[] {
  const more = countOmitted(totals);
  return more === 0 ? [] : [`and ${more.toLocaleString('en')} more`];
}
