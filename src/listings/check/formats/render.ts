import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { groupBy } from '../../../contract/group-by.ts';
import { escapeControlChars, escapedJson, withoutRunnerCommands } from '../../../contract/outside-text.ts';
import { counted, grouped } from '../../../contract/words.ts';
import { ignoredJson, ignoredLines } from '../../read/unknown-files.ts';
import type { Report } from '../check-files.ts';
import { type Finding, placeOf, RULES, type Rule, sentence } from '../finding.ts';
import { moreLines, omitted } from '../tally.ts';
import { renderJunit } from './junit.ts';

export const REPORT_FORMATS = ['text', 'json', 'github', 'junit', 'sarif'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

export type Paint = Readonly<Record<'error' | 'warning' | 'faint', (text: string) => string>>;

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
  return {
    listings,
    errors,
    warnings,
    files,
    findings,
    ...(more === 0 ? {} : { omitted: more }),
    ...ignoredJson(report),
  };
}

/** For people: a line for each finding, `file:line:column` first, its hint below it; then the summary. */
function renderText(report: Report, paint: Paint): string {
  const files = groupBy(report.findings, ({ file }) => file);
  const groups = Array.from(files.values(), (findings) =>
    findings.map((finding) => findingLines(finding, paint)).join('\n'),
  );
  const left = ignoredLines(report).map(escapeControlChars);
  return [...groups, ...moreLines(report), ...left, summaryOf(report)].join('\n\n');
}

/** "3 problems in 2 of 14 listings", and the warnings where there are some. */
function summaryOf({ files, listings, errors, warnings, listingsWithErrors }: Report): string {
  const all = counted(listings, 'listing');
  const alsoWarnings = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`;
  if (errors + warnings === 0) return `${all} in ${counted(files.length, 'file')}: nothing to mend`;
  if (errors === 0) return `no problem in ${all}${alsoWarnings}`;
  return `${counted(errors, 'problem')} in ${grouped(listingsWithErrors)} of ${all}${alsoWarnings}`;
}

/** As compilers write it, so that editors find the place and a narrow terminal only wraps the message. */
function findingLines(finding: Finding, paint: Paint): string {
  const { level, field, message, hint } = finding;
  const place = paint.faint(`${escapeControlChars(placeOf(finding))}:`);
  const what = [escapeControlChars(field), escapeControlChars(message)].filter(Boolean).join(': ');
  const next = hint === undefined ? '' : `\n    ${paint.faint(escapeControlChars(hint))}`;
  return `${place} ${paint[level](`${level}:`)} ${what}${next}`;
}

/** Workflow commands of GitHub Actions, which become annotations of the lines; the summary is a plain line. */
function renderGithub(report: Report): string {
  const left = ignoredLines(report).map(escapeControlChars).map(withoutRunnerCommands);
  return [
    ...report.findings.map((each) => findingAnnotation([each])),
    ...moreLines(report),
    ...left,
    summaryOf(report),
  ].join('\n');
}

/** One annotation for all findings of a listing, at the first one. */
export function findingAnnotation(findings: readonly Finding[]): string {
  const { file, line, column, cell, field, level, rule } = findings[0] as Finding;
  const title = field === '' ? rule : field;
  const place = cell === undefined ? { file, line, column, title } : { file, title: `${cell} ${title}` };
  return workflowCommand(level, place, findings.map(sentence).join('; '));
}

export function workflowCommand(
  level: 'error' | 'warning' | 'notice',
  place: Partial<Pick<Finding, 'file' | 'line' | 'column'>> & { readonly title: string },
  text: string,
): string {
  const { file, line, column, title } = place;
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

const RULE_IDS = Object.keys(RULES) as Rule[];

/** SARIF 2.1.0, which code scanning takes: every rule is described, every finding points at its line. */
function renderSarif(report: Report): string {
  const more = omitted(report);
  const driver = {
    name: 'partner',
    rules: RULE_IDS.map((id) => ({ id, shortDescription: { text: `${RULES[id]}.` } })),
  };
  const run = {
    tool: { driver },
    columnKind: 'unicodeCodePoints',
    results: report.findings.map(result),
    ...(more === 0 ? {} : { properties: { omitted: more } }),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return escapedJson(log);
}

function result(finding: Finding) {
  const { file, line, column, cell, level, rule } = finding;
  const artifactLocation = { uri: uriOf(file) };
  const region = { startLine: line, startColumn: column };
  return {
    ruleId: rule,
    ruleIndex: RULE_IDS.indexOf(rule),
    level,
    message: { text: sentence(finding) },
    locations: [
      cell === undefined
        ? { physicalLocation: { artifactLocation, region } }
        : { physicalLocation: { artifactLocation }, logicalLocations: [{ name: cell }] },
    ],
  };
}

/** Relative paths stay relative: code scanning takes them from the root of the repository. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split(sep)
    .map(encodeURIComponent)
    .join('/');
}
