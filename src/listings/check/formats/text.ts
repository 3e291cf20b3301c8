import { escapeControlChars } from '../../../contract/outside-text.ts';
import type { Report } from '../check-files.ts';
import type { Finding } from '../finding.ts';
import { moreLines, summaryOf } from './summary.ts';

/** How the parts of a report are coloured. */
export interface Paint {
  error(text: string): string;
  warning(text: string): string;
  /** Places and hints, which step back behind what is wrong. */
  faint(text: string): string;
}

export const UNPAINTED: Paint = { error: (text) => text, warning: (text) => text, faint: (text) => text };

/** For people: a line for each finding, `file:line:column` first, its hint below it; then the summary. */
export function renderText(report: Report, paint: Paint): string {
  const files = new Map<string, Finding[]>();
  for (const finding of report.findings) {
    const others = files.get(finding.file);
    if (others === undefined) files.set(finding.file, [finding]);
    else others.push(finding);
  }
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
