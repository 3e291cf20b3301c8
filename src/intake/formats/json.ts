import type { Report } from '../check-files.ts';
import { inertJson } from './inert.ts';

/** The report as one value: what `--json` and `--format json` print. */
export function reportValue({ files, listings, findings }: Report) {
  const errors = findings.filter(({ level }) => level === 'error').length;
  return { listings, errors, warnings: findings.length - errors, files, findings };
}

export function renderJson(report: Report): string {
  return inertJson(reportValue(report));
}
