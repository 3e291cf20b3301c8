import { GATES } from '../bulk/apply/run-stop.ts';
import { listingKey, nameListing } from '../bulk/plan/desired-listing.ts';
import { describeExpiring } from '../contract/lifecycle.ts';
import type { Report } from '../listings/check/check-files.ts';
import { type Finding, formatPosition, sentence } from '../listings/check/finding.ts';
import { countOmitted, moreLines } from '../listings/check/tally.ts';
import { groupBy } from '../text/group-by.ts';
import { escapeControlChars, escapeRunnerCommands } from '../text/outside-text.ts';
import {
  BUNDLED_ENGINE,
  describeLine,
  getListingFile,
  type Problem,
  problemText,
  type ReportLine,
  type Run,
  reportLines,
  runProblem,
} from './run.ts';

/** A test case passed if it has neither `failure` nor `skipped`. */
interface TestCase {
  readonly suite: string;
  readonly name: string;
  readonly file?: string;
  readonly line?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly failure?:
    | { readonly message: string; readonly type: string; readonly lines?: readonly string[] }
    | undefined;
  readonly skipped?: string;
  readonly output?: readonly string[] | undefined;
}

const NOT_SHOWN = { suite: 'not shown', name: 'not shown' };

/** Creates one suite per file. Listings that weren't attempted are skipped, or failed if terms or a card blocked them. */
export function renderJunit(run: Run): string {
  const { command, target, durationMs, found } = run;
  const name = `partner jobs ${command}${target === BUNDLED_ENGINE ? ` on the ${target}` : ''}`;
  const cases = [
    ...runCases(run),
    ...('files' in found ? checkCases(found) : invalidCases(found.findings)),
    // Omitted findings fail too, so that their listings don't seem to pass.
    ...moreLines(found).map((message) => ({ ...NOT_SHOWN, failure: { message, type: 'omitted' } })),
    ...reportLines(run).map(lineCase),
    ...duplicateCases(run),
  ];
  const suites = groupBy(cases, ({ suite }) => suite);
  const checked = 'files' in found ? found.files.map(({ file }) => file) : [];
  const children = Array.from(new Set([...checked, ...suites.keys()]), (suite) => {
    const of = suites.get(suite) ?? [];
    return element('testsuite', { name: suite, ...counts(of) }, of.map(caseElement));
  });
  const attributes =
    'files' in found
      ? { name, ...counts(cases), tests: found.listings, failures: found.listingsWithErrors }
      : { name, ...counts(cases), time: seconds(durationMs) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, children)}`;
}

/** Above this number, only listings with findings get a test case, because report viewers can't handle more. */
const LISTINGS_SHOWN_MAX = 20_000;

/** If findings are omitted, listings without one get no test case, because they may be invalid too. */
function checkCases(found: Report): TestCase[] {
  const { files, listings, findings } = found;
  const names = new Set(files.map(({ file }) => file));
  const byFile = groupBy(findings, ({ file }) => file);
  const shared = [...byFile].filter(([file]) => !names.has(file));
  const isWhole = countOmitted(found) === 0 && listings <= LISTINGS_SHOWN_MAX && shared.length === 0;
  const cases = files.flatMap(({ file, listings: count }) => {
    const byIndex = groupBy(byFile.get(file) ?? [], ({ index }) => index);
    return Array.from(isWhole ? Array(count).keys() : byIndex.keys(), (index) =>
      findingsCase(file, `listing ${index + 1}`, byIndex.get(index) ?? []),
    );
  });
  return [...cases, ...shared.map(([file, of]) => findingsCase(file, 'shared fields', of))];
}

function invalidCases(findings: readonly Finding[]): TestCase[] {
  const listings = groupBy(findings, ({ file, index }) => listingKey(file, index));
  return Array.from(listings, ([key, of]) => {
    const [{ file = key, listing } = {}] = of as [Partial<Finding>?];
    const label = listing && `${file} ${listing}`;
    return findingsCase(file, nameListing({ key, label }), of);
  });
}

function findingsCase(file: string, name: string, findings: readonly Finding[]): TestCase {
  const errors = findings.filter(({ level }) => level === 'error');
  const warnings = findings.filter(({ level }) => level === 'warning');
  const [first] = errors;
  return {
    suite: file,
    file,
    name,
    failure: first && { message: sentence(first), type: first.rule, lines: errors.map(formatFinding) },
    output: warnings.length === 0 ? undefined : warnings.map(formatFinding),
  };
}

function formatFinding(finding: Finding): string {
  return `${formatPosition(finding)} ${sentence(finding)}`;
}

function runCases(run: Run): TestCase[] {
  const problem = runProblem(run);
  const name = `partner jobs ${run.command}`;
  const output = describeExpiring(run.plan?.expiring);
  if (problem === undefined) return output.length > 0 ? [{ suite: name, name: 'expiring jobs', output }] : [];
  return [{ suite: name, name, durationMs: run.durationMs, failure: toFailure(problem) }];
}

function duplicateCases({ plan }: Run): TestCase[] {
  return (plan?.notices ?? []).flatMap(({ notes, ...notice }) => {
    const found = notes.filter(({ code }) => code === 'POSSIBLE_DUPLICATE');
    const listing = { suite: getListingFile(notice), name: `${nameListing(notice)}, job ${notice.jobId}` };
    return found.map((note) => ({ ...listing, failure: toFailure(note) }));
  });
}

function lineCase(reported: ReportLine): TestCase {
  const { item, outcome, problem } = reported;
  const file = getListingFile(item);
  const { line } = item;
  const place = line === undefined ? file : `${file}:${line}`;
  const listing = { suite: file, name: nameListing(item), file, line, durationMs: outcome?.durationMs };
  if (problem === undefined) return { ...listing, output: [`${place} ${describeLine(reported)}`] };
  if (outcome?.result === 'left' && !GATES.includes(problem.code))
    return { ...listing, skipped: problemText(problem) };
  return { ...listing, failure: toFailure(problem, `${place} `) };
}

function toFailure(problem: Problem, place = '') {
  return { message: problem.message, type: problem.code, lines: [`${place}${problemText(problem)}`] };
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

function xmlText(text: string): string {
  const escaped = escapeControlChars(text).replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
  return escapeRunnerCommands(escaped, '&#35;');
}
