import type { Report } from '../check-files.ts';
import type { Finding } from '../finding.ts';
import { inert } from './inert.ts';
import { summaryOf } from './summary.ts';

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
    files.set(finding.file, [...(files.get(finding.file) ?? []), finding]);
  }
  const groups = Array.from(files.values(), (findings) => fileLines(findings, paint));
  return [...groups, summaryOf(report)].join('\n\n');
}

function fileLines(findings: readonly Finding[], paint: Paint): string {
  const rows = findings.map((finding) => ({
    finding,
    place: inert(`${finding.file}:${finding.line}:${finding.column}`),
    field: inert(finding.field),
  }));
  const placeWidth = Math.max(...rows.map(({ place }) => place.length));
  const fieldWidth = Math.max(...rows.map(({ field }) => field.length));
  return rows
    .map(({ finding: { level, message, hint }, place, field }) => {
      const columns = [paint.faint(place.padEnd(placeWidth)), paint[level](level.padEnd('warning'.length))];
      if (fieldWidth > 0) columns.push(field.padEnd(fieldWidth));
      const line = [...columns, inert(message)].join('  ');
      return hint === undefined ? line : `${line}\n    ${paint.faint(inert(hint))}`;
    })
    .join('\n');
}
