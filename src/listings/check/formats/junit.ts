import { groupBy } from '../../../contract/group-by.ts';
import { escapeControlChars, escapeRunnerCommands } from '../../../contract/outside-text.ts';
import type { Report } from '../check-files.ts';
import { type Finding, placeOf, sentence } from '../finding.ts';
import { type FindingTotals, moreLines, omitted } from '../tally.ts';

/** One case of a JUnit report; without a failure and not skipped it has passed. */
export interface TestCase {
  readonly suite: string;
  readonly name: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly failure?:
    | { readonly message: string; readonly type: string; readonly lines?: readonly string[] }
    | undefined;
  /** Why it was not attempted. */
  readonly skipped?: string | undefined;
  readonly output?: readonly string[] | undefined;
}

/** A JUnit report: a suite for each file. `totals` count what has no case of its own. */
export function renderCases(
  cases: readonly TestCase[],
  root: { readonly name: string; readonly durationMs?: number },
  totals: { readonly tests?: number; readonly failures?: number } = {},
  files: readonly string[] = [],
): string {
  const suites = groupBy(cases, ({ suite }) => suite);
  const children = Array.from(new Set([...files, ...suites.keys()]), (name) => {
    const of = suites.get(name) ?? [];
    return element('testsuite', { name, ...counts(of) }, of.map(caseElement));
  });
  const attributes = { name: root.name, ...counts(cases), ...totals, time: seconds(root.durationMs) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, children)}`;
}

export function findingsCase(
  place: Pick<TestCase, 'name'> & { readonly file: string },
  findings: readonly Finding[],
): TestCase {
  const errors = findings.filter(({ level }) => level === 'error');
  const warnings = findings.filter(({ level }) => level === 'warning');
  const [first] = errors;
  return {
    suite: place.file,
    ...place,
    failure: first && { message: sentence(first), type: first.rule, lines: placed(errors) },
    output: warnings.length === 0 ? undefined : placed(warnings),
  };
}

/** A failure for the findings that are left out, so that their listings do not seem to pass. */
export function omittedCases(found: FindingTotals): TestCase[] {
  return moreLines(found).map((message) => ({
    suite: 'not shown',
    name: 'not shown',
    failure: { message, type: 'omitted' },
  }));
}

/** Of more listings only those with a finding have a case: no reader of these reports takes half a million. */
const LISTINGS_SHOWN_MAX = 20_000;

/** Where findings are left out, a listing without one may be wrong all the same: it has no case, so as not to pass. */
export function renderJunit(report: Report): string {
  const { files, listings, findings, listingsWithErrors } = report;
  const keyOf = (file: string, index: number): string => `${index} ${file}`;
  const found = groupBy(findings, ({ file, index }) => keyOf(file, index));
  const names = new Set(files.map(({ file }) => file));
  // What listings share has no number of its own.
  const shared = groupBy(
    findings.filter(({ file }) => !names.has(file)),
    ({ file }) => file,
  );
  const isWhole = omitted(report) === 0 && listings <= LISTINGS_SHOWN_MAX && shared.size === 0;
  const cases = files.flatMap(({ file, listings: count }) => {
    const named = findings.flatMap((finding) => (finding.file === file ? [finding.index] : []));
    return Array.from(isWhole ? Array(count).keys() : new Set(named), (index) =>
      findingsCase({ file, name: `listing ${index + 1}` }, found.get(keyOf(file, index)) ?? []),
    );
  });
  return renderCases(
    [
      ...cases,
      ...Array.from(shared, ([file, of]) => findingsCase({ file, name: 'what listings share' }, of)),
      ...omittedCases(report),
    ],
    { name: 'partner jobs validate' },
    { tests: listings, failures: listingsWithErrors },
    files.map(({ file }) => file),
  );
}

function counts(cases: readonly TestCase[]) {
  return {
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== undefined).length,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
  };
}

function caseElement({ suite, name, file, line, durationMs, failure, skipped, output }: TestCase): string {
  const children: string[] = [];
  if (failure !== undefined) {
    const { message, type, lines = [] } = failure;
    children.push(element('failure', { message, type }, lines.map(xmlText)));
  }
  if (skipped !== undefined) children.push(element('skipped', { message: skipped }, []));
  if (output !== undefined) children.push(element('system-out', {}, output.map(xmlText)));
  return element('testcase', { name, classname: suite, file, line, time: seconds(durationMs) }, children);
}

function seconds(durationMs: number | undefined): string | undefined {
  return durationMs === undefined ? undefined : (durationMs / 1000).toFixed(3);
}

function placed(findings: readonly Finding[]): string[] {
  return findings.map((finding) => `${placeOf(finding)} ${sentence(finding)}`);
}

/** An element, its attributes escaped; its children are XML already. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  children: readonly string[],
): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${xmlText(String(value))}"`],
  );
  const open = `<${name}${written.join('')}`;
  const content = children.filter((child) => child !== '');
  return content.length === 0 ? `${open}/>` : `${open}>${content.join('\n')}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as XML on one line, without what steers a terminal or a CI runner. */
function xmlText(text: string): string {
  const escaped = escapeControlChars(text).replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
  return escapeRunnerCommands(escaped, '&#35;');
}
