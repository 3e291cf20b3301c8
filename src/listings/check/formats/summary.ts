import { counted } from '../../../contract/words.ts';
import type { Report } from '../check-files.ts';
import type { Finding } from '../finding.ts';
import { type FindingTotals, omitted } from '../tally.ts';

/** "3 problems in 2 of 14 listings", and the warnings where there are some. */
export function summaryOf({ files, listings, errors, warnings, listingsWithErrors }: Report): string {
  const all = counted(listings, 'listing');
  const alsoWarnings = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`;
  if (errors + warnings === 0) return `${all} in ${counted(files.length, 'file')}: nothing to mend`;
  if (errors === 0) return `no problem in ${all}${alsoWarnings}`;
  return `${counted(errors, 'problem')} in ${listingsWithErrors} of ${all}${alsoWarnings}`;
}

/** "and 499,000 more" on a line of its own; none where every finding is shown. */
export function moreLines(totals: FindingTotals): string[] {
  const more = omitted(totals);
  return more === 0 ? [] : [`and ${more.toLocaleString('en')} more`];
}

export function sentence({ field, message, hint }: Pick<Finding, 'field' | 'message' | 'hint'>): string {
  return `${field === '' ? '' : `${field}: `}${message}${hint === undefined ? '' : `; ${hint}`}`;
}

/** In the order of the first of each group. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
