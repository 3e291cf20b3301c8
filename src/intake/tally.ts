import { detached } from './detached.ts';
import type { Finding } from './finding.ts';

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

export interface FindingTally {
  /** Counts all that was found in one listing. */
  add(found: readonly Finding[]): void;
  totals(): FindingTotals;
}

/** Counts findings, and keeps as many as somebody may want to read. */
export function createTally(keptMax = KEPT_MAX): FindingTally {
  const findings: Finding[] = [];
  const counts = { error: 0, warning: 0 };
  let listingsWithErrors = 0;
  return {
    add(found) {
      for (const finding of found) {
        if (counts[finding.level]++ < keptMax) findings.push(detached(finding));
      }
      if (found.some(({ level }) => level === 'error')) listingsWithErrors++;
    },
    totals: () => ({ findings, errors: counts.error, warnings: counts.warning, listingsWithErrors }),
  };
}

/** How many findings there are beyond those kept. */
export function omitted({ findings, errors, warnings }: FindingTotals): number {
  return errors + warnings - findings.length;
}
