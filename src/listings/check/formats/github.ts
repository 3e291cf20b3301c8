import { escapeControlChars, withoutRunnerCommands } from '../../../contract/outside-text.ts';
import type { Report } from '../check-files.ts';
import type { Finding } from '../finding.ts';
import { moreLines, sentence, summaryOf } from './summary.ts';

/** Workflow commands of GitHub Actions, which become annotations of the lines; the summary is a plain line. */
export function renderGithub(report: Report): string {
  return [...report.findings.map(findingAnnotation), ...moreLines(report), summaryOf(report)].join('\n');
}

export function findingAnnotation(finding: Finding): string {
  const { file, line, column, field, level, rule } = finding;
  return workflowCommand(
    level,
    { file, line, column, title: field === '' ? rule : field },
    sentence(finding),
  );
}

/** Where an annotation belongs and what it is called. */
export interface AnnotationPlace {
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  /** From 1. */
  readonly column?: number | undefined;
  readonly title: string;
}

/** One workflow command on one line, whatever the texts hold. */
export function workflowCommand(
  level: 'error' | 'warning' | 'notice',
  { file, line, column, title }: AnnotationPlace,
  text: string,
): string {
  const properties = Object.entries({ file, line, col: column, title }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${property(escapeControlChars(String(value)))}`],
  );
  return `::${level} ${properties.join(',')}::${data(escapeControlChars(text))}`;
}

function data(text: string): string {
  const plain = withoutRunnerCommands(text);
  return plain.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
