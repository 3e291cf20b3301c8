import { bidOffMedian, manyWithoutCap } from '../../contract/guardrails.ts';
import type { Listing } from '../read/read.ts';
import type { Finding, Rule } from './finding.ts';
import type { Omitted } from './findings.ts';

/** So many errors are kept, and so many warnings: nobody reads on, and a gigabyte can hold millions. */
const KEPT_MAX = 1000;

/** What the findings of a run come to. */
export interface FindingTotals {
  /** The first 1,000 errors and the first 1,000 warnings, in the order they were found. */
  readonly findings: readonly Finding[];
  /** How many there are, those included that are not kept. */
  readonly errors: number;
  readonly warnings: number;
  /** How many listings have an error. */
  readonly listingsWithErrors: number;
}

/** The bid of a listing, and where it stands. */
export interface BidAt extends Pick<Finding, 'file' | 'index' | 'line' | 'column'> {
  readonly cents: number;
}

/** Undefined for a listing without a bid that can be compared. */
export function bidOf({ file, index, value, locate }: Listing): BidAt | undefined {
  const field = 'bidPerQualifiedApplicantCents';
  const cents = (value as Readonly<Record<string, unknown>> | null)?.[field];
  if (typeof cents !== 'number' || !Number.isSafeInteger(cents)) return undefined;
  return { file, index, cents, ...locate([field]) };
}

/** What was found in one listing. */
export interface Found {
  readonly findings: readonly Finding[];
  /** How many there are beyond those. */
  readonly omitted?: Omitted;
  /** For what the whole set says of it. */
  readonly bid?: BidAt | undefined;
}

export interface FindingTally {
  add(found: Found): void;
  totals(): FindingTotals;
}

/** Warnings that a whole set may have for one reason, and how many of one field are shown one by one. */
const REPEATED: Readonly<Partial<Record<Rule, number>>> = {
  'unusual-value': 5,
  'shown-literally': 5,
  'no-cap': 0,
};

const NONE: Omitted = { error: 0, warning: 0 };

/** So many different bids are compared; where a set has more, the median of the first ones stands for all. */
const BIDS_MAX = 10_000;

/** Counts findings, and keeps as many as somebody may want to read. */
export function createTally(keptMax = KEPT_MAX): FindingTally {
  const findings: Finding[] = [];
  const counts = { error: 0, warning: 0 };
  const repeats = new Map<string, { first: Finding; count: number }>();
  const bids = new Map<number, { first: BidAt; count: number }>();
  let listingsWithErrors = 0;
  const keep = (finding: Finding): void => {
    if (counts[finding.level]++ < keptMax) findings.push(finding);
  };
  /** True for a warning that is left to the line for all of its kind. */
  const isRepeat = (finding: Finding): boolean => {
    const shown = finding.level === 'warning' ? REPEATED[finding.rule] : undefined;
    if (shown === undefined) return false;
    const kind = `${finding.rule} ${finding.field.replace(/\d+/g, '')}`;
    const count = countIn(repeats, kind, () => finding);
    // The first of those that are not shown stands for them all.
    if (count === shown + 1) repeats.set(kind, { first: finding, count });
    return count > shown;
  };
  return {
    add({ findings: found, omitted = NONE, bid }) {
      for (const finding of found) if (!isRepeat(finding)) keep(finding);
      counts.error += omitted.error;
      counts.warning += omitted.warning;
      if (found.some(({ level }) => level === 'error')) listingsWithErrors++;
      const isCompared = bid !== undefined && bid.cents > 0 && (bids.size < BIDS_MAX || bids.has(bid.cents));
      if (isCompared) countIn(bids, bid.cents, () => bid);
    },
    totals() {
      for (const finding of [...[...repeats.values()].flatMap(remaining), ...offMedian(bids)]) keep(finding);
      repeats.clear();
      bids.clear();
      return { findings, errors: counts.error, warnings: counts.warning, listingsWithErrors };
    },
  };
}

function countIn<K, T>(counts: Map<K, { first: T; count: number }>, key: K, first: () => T): number {
  const known = counts.get(key);
  if (known === undefined) counts.set(key, { first: first(), count: 1 });
  return known === undefined ? 1 : ++known.count;
}

/** The line for all warnings of a kind that were not shown one by one; none where all were. */
function remaining({ first, count }: { first: Finding; count: number }): Finding[] {
  const more = count - (REPEATED[first.rule] ?? 0);
  if (more <= 1) return more === 1 ? [first] : [];
  const message =
    first.rule === 'no-cap' ? manyWithoutCap(more) : `${first.message}; and so in ${more - 1} more listings`;
  return [{ ...first, message }];
}

/** Each bid that is far off the median of the set's, where it stands first; none in a set of fewer than three. */
function offMedian(bids: ReadonlyMap<number, { first: BidAt; count: number }>): Finding[] {
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
    const [field, rule] = ['bidPerQualifiedApplicantCents', 'unusual-value' as const];
    const also = count === 1 ? '' : `; and so in ${count - 1} more listings`;
    const hint = 'bids are in cents: 1500 is $15.00';
    return [{ ...place, field, rule, level: 'warning', message: `${message}${also}`, hint }];
  });
}

/** How many findings there are beyond those kept. */
export function omitted({ findings, errors, warnings }: FindingTotals): number {
  return errors + warnings - findings.length;
}
