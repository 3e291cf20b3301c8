import type { Report } from '../check-files.ts';
import type { Finding } from '../finding.ts';
import { inert } from './inert.ts';
import { sentence } from './summary.ts';

/** A suite for each file, a case for each listing; a listing's errors are one failure, its warnings output. */
export function renderJunit({ files, listings, findings }: Report): string {
  const byListing = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = listingKey(finding.file, finding.index);
    byListing.set(key, [...(byListing.get(key) ?? []), finding]);
  }
  const suites = files.map(({ file, listings: count }) => {
    const cases = Array.from({ length: count }, (_, index) => byListing.get(listingKey(file, index)) ?? []);
    return element(
      'testsuite',
      { name: file, ...counts(cases) },
      cases.map((found, index) => testCase(file, index, found)),
    );
  });
  const failures = new Set(findings.filter(isError).map(({ file, index }) => listingKey(file, index))).size;
  const root = element('testsuites', { name: 'partner jobs validate', tests: listings, failures }, suites);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
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

/** On a line each: `file:line:column field: message; hint`. */
function placed(findings: readonly Finding[]): string {
  const lines = findings.map(
    (finding) => `${finding.file}:${finding.line}:${finding.column} ${sentence(finding)}`,
  );
  return lines.map(escaped).join('\n');
}

function element(
  name: string,
  attributes: Record<string, string | number>,
  children: readonly string[],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('\n')}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return inert(text).replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
