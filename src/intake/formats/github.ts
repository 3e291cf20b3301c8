import type { Report } from '../check-files.ts';
import type { Finding } from '../finding.ts';
import { inert } from './inert.ts';
import { sentence, summaryOf } from './summary.ts';

/** Workflow commands of GitHub Actions, which become annotations of the lines; the summary is a plain line. */
export function renderGithub(report: Report): string {
  return [...report.findings.map(annotation), summaryOf(report)].join('\n');
}

function annotation(finding: Finding): string {
  const { file, line, column, field, level, rule } = finding;
  const title = inert(field === '' ? rule : field);
  const at = `file=${property(inert(file))},line=${line},col=${column},title=${property(title)}`;
  return `::${level} ${at}::${data(inert(sentence(finding)))}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
