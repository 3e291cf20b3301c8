import type { Report } from '../check-files.ts';
import type { Finding } from '../finding.ts';

/** "3 problems in 2 of 14 listings", and the warnings where there are some. */
export function summaryOf({ files, listings, findings }: Report): string {
  const errors = findings.filter(({ level }) => level === 'error');
  const warnings = counted(findings.length - errors.length, 'warning');
  const all = counted(listings, 'listing');
  if (findings.length === 0) return `${all} in ${counted(files.length, 'file')}: nothing to mend`;
  if (errors.length === 0) return `no problem in ${all}, ${warnings}`;
  const concerned = new Set(errors.map(({ file, index }) => `${index} ${file}`)).size;
  const problems = `${counted(errors.length, 'problem')} in ${concerned} of ${all}`;
  return errors.length === findings.length ? problems : `${problems}, ${warnings}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What is wrong and how to mend it, on one line. */
export function sentence({ field, message, hint }: Finding): string {
  return `${field === '' ? '' : `${field}: `}${message}${hint === undefined ? '' : `; ${hint}`}`;
}
