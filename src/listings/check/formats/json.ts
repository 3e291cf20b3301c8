import { escapedJson } from '../../../contract/outside-text.ts';
import type { Report } from '../check-files.ts';
import { omitted } from '../tally.ts';

/** The report as one value: what `--json` and `--format json` print. `omitted` only where findings are left out. */
export function reportValue(report: Report) {
  const { files, listings, findings, errors, warnings } = report;
  const more = omitted(report);
  return { listings, errors, warnings, files, findings, ...(more === 0 ? {} : { omitted: more }) };
}

export function renderJson(report: Report): string {
  return escapedJson(reportValue(report));
}
