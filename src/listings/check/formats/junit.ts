import { escapeControlChars, escapeRunnerCommands } from '../../../contract/outside-text.ts';
import type { Report } from '../check-files.ts';
import type { Finding } from '../finding.ts';
import { omitted } from '../tally.ts';
import { moreLines, sentence } from './summary.ts';

/** Of more listings, those without a finding are counted only: no reader of these reports takes half a million. */
const LISTINGS_SHOWN_MAX = 20_000;

/**
 * A suite for each file, a case for each listing; a listing's errors are one failure, its warnings output. Where
 * findings are left out, a listing without one may be wrong all the same: it has no case, so as not to pass.
 */
export function renderJunit(report: Report): string {
  const { files, listings, findings, listingsWithErrors } = report;
  const byListing = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = listingKey(finding.file, finding.index);
    const others = byListing.get(key);
    if (others === undefined) byListing.set(key, [finding]);
    else others.push(finding);
  }
  const more = omitted(report);
  const isWhole = more === 0 && listings <= LISTINGS_SHOWN_MAX;
  const suites = files.map(({ file, listings: count }) => {
    const indexes = isWhole ? Array(count).keys() : indexesIn(file, findings);
    const cases = Array.from(indexes, (index) => ({
      index,
      found: byListing.get(listingKey(file, index)) ?? [],
    }));
    return element(
      'testsuite',
      { name: file, ...counts(cases.map(({ found }) => found)) },
      cases.map(({ index, found }) => testCase(file, index, found)),
    );
  });
  if (more > 0)
    suites.push(element('testsuite', { name: 'not shown', tests: 1, failures: 1 }, [notShown(report)]));
  const totals = { name: 'partner jobs validate', tests: listings, failures: listingsWithErrors };
  const root = element('testsuites', totals, suites);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

function indexesIn(file: string, findings: readonly Finding[]): Set<number> {
  return new Set(findings.flatMap((finding) => (finding.file === file ? [finding.index] : [])));
}

function listingKey(file: string, index: number): string {
  return `${index} ${file}`;
}

function isError({ level }: Finding): boolean {
  return level === 'error';
}

function counts(cases: readonly Finding[][]) {
  return { tests: cases.length, failures: cases.filter((findings) => findings.some(isError)).length };
}

function testCase(file: string, index: number, findings: readonly Finding[]): string {
  const errors = findings.filter(isError);
  const warnings = findings.filter((finding) => !isError(finding));
  const [first] = errors;
  const failure =
    first && element('failure', { message: sentence(first), type: first.rule }, [placed(errors)]);
  const output = warnings.length > 0 ? element('system-out', {}, [placed(warnings)]) : undefined;
  const children = [failure, output].filter((child) => child !== undefined);
  return element('testcase', { name: `listing ${index + 1}`, classname: file, file }, children);
}

function notShown(report: Report): string {
  const failure = element('failure', { message: moreLines(report).join(''), type: 'omitted' }, []);
  return element('testcase', { name: 'not shown', classname: 'partner jobs validate' }, [failure]);
}

/** On a line each: `file:line:column field: message; hint`. */
function placed(findings: readonly Finding[]): string {
  const lines = findings.map(
    (finding) => `${finding.file}:${finding.line}:${finding.column} ${sentence(finding)}`,
  );
  return lines.map(xmlText).join('\n');
}

/** An element, its attributes escaped; its children are XML already. */
export function element(
  name: string,
  attributes: Record<string, string | number>,
  children: readonly string[],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('\n')}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as XML, in an element or an attribute: without what steers a terminal or cannot stand in XML. */
export function xmlText(text: string): string {
  const escaped = escapeControlChars(text).replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
  return escapeRunnerCommands(escaped, '&#35;');
}
