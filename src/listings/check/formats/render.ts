import { escapeControlChars, escapedJson } from '../../../contract/outside-text.ts';
import type { Report } from '../check-files.ts';
import type { Finding } from '../finding.ts';
import { groupBy, omitted } from '../tally.ts';
import { renderGithub } from './github.ts';
import { renderJunit } from './junit.ts';
import { renderSarif } from './sarif.ts';
import { moreLines, summaryOf } from './summary.ts';

/** The forms that `jobs validate --format` takes. */
export const REPORT_FORMATS = ['text', 'json', 'github', 'junit', 'sarif'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface Paint {
  error(text: string): string;
  warning(text: string): string;
  faint(text: string): string;
}

const UNPAINTED: Paint = { error: (text) => text, warning: (text) => text, faint: (text) => text };

const RENDERERS: Readonly<Record<ReportFormat, (report: Report, paint: Paint) => string>> = {
  text: renderText,
  json: (report) => escapedJson(reportValue(report)),
  github: renderGithub,
  junit: renderJunit,
  sarif: renderSarif,
};

/** A report as text without a line break at its end; only `text` takes colours. */
export function renderFindings(format: ReportFormat, report: Report, paint: Paint = UNPAINTED): string {
  return RENDERERS[format](report, paint);
}

/** The report as one value: what `--json` and `--format json` print. `omitted` only where findings are left out. */
export function reportValue(report: Report) {
  const { files, listings, findings, errors, warnings } = report;
  const more = omitted(report);
  return { listings, errors, warnings, files, findings, ...(more === 0 ? {} : { omitted: more }) };
}

/** For people: a line for each finding, `file:line:column` first, its hint below it; then the summary. */
function renderText(report: Report, paint: Paint): string {
  const files = groupBy(report.findings, ({ file }) => file);
  const groups = Array.from(files.values(), (findings) =>
    findings.map((finding) => findingLines(finding, paint)).join('\n'),
  );
  return [...groups, ...moreLines(report), summaryOf(report)].join('\n\n');
}

/** As compilers write it, so that editors find the place and a narrow terminal only wraps the message. */
function findingLines(finding: Finding, paint: Paint): string {
  const { file, line, column, level, field, message, hint } = finding;
  const place = paint.faint(`${escapeControlChars(file)}:${line}:${column}:`);
  const what = [escapeControlChars(field), escapeControlChars(message)].filter(Boolean).join(': ');
  const next = hint === undefined ? '' : `\n    ${paint.faint(escapeControlChars(hint))}`;
  return `${place} ${paint[level](`${level}:`)} ${what}${next}`;
}
