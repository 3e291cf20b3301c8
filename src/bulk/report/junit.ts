import type { Finding } from '../../listings/check/finding.ts';
import { element, xmlText } from '../../listings/check/formats/junit.ts';
import { moreLines, sentence } from '../../listings/check/formats/summary.ts';
import type { FindingTotals } from '../../listings/check/tally.ts';
import { listingKey } from '../plan/listing-key.ts';
import { fileOf, problemText, type ReportLine, reportLines, runProblem, whatIsDone } from './listing-line.ts';
import { BUNDLED_ENGINE, type BulkRun } from './run.ts';

interface Case {
  readonly file: string;
  readonly xml: string;
  readonly failed: boolean;
  readonly skipped: boolean;
}

/**
 * A suite for each file, a case for each listing that something was to be done with: what failed, is unknown
 * or held is a failure with its code as type, what was not attempted is skipped. What kept the run from its end is
 * a failure of its own.
 */
export function renderJunitRun(run: BulkRun): string {
  const cases = [...runCases(run), ...findingCases(run.found), ...reportLines(run).map(lineCase)];
  const byFile = new Map<string, Case[]>();
  for (const each of cases) {
    const suite = byFile.get(each.file);
    if (suite === undefined) byFile.set(each.file, [each]);
    else suite.push(each);
  }
  const suites = Array.from(byFile, ([file, of]) =>
    element(
      'testsuite',
      { name: file, ...counts(of) },
      of.map(({ xml }) => xml),
    ),
  );
  const on = run.target === BUNDLED_ENGINE ? ` on the ${BUNDLED_ENGINE}` : '';
  const attributes = {
    name: `partner jobs ${run.command}${on}`,
    ...counts(cases),
    time: seconds(run.durationMs),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, suites)}`;
}

function counts(cases: readonly Case[]) {
  return {
    tests: cases.length,
    failures: cases.filter(({ failed }) => failed).length,
    skipped: cases.filter(({ skipped }) => skipped).length,
  };
}

function lineCase({ item, outcome, problem, advice }: ReportLine): Case {
  const file = fileOf(item);
  const skipped = outcome?.result === 'left';
  const attributes = {
    name: item.key,
    classname: file,
    file,
    ...(item.line === undefined ? {} : { line: item.line }),
    time: seconds(outcome?.durationMs ?? 0),
  };
  const place = item.line === undefined ? file : `${file}:${item.line}`;
  const said =
    problem === undefined ? [whatIsDone(item), ...advice.map(problemText)].join('; ') : problemText(problem);
  const text = xmlText(`${place} ${said}`);
  const child =
    problem === undefined
      ? element('system-out', {}, [text])
      : skipped
        ? element('skipped', { message: said }, [])
        : element('failure', { message: problem.message, type: problem.code }, [text]);
  return {
    file,
    xml: element('testcase', attributes, [child]),
    failed: problem !== undefined && !skipped,
    skipped,
  };
}

function runCases(run: BulkRun): Case[] {
  const problem = runProblem(run);
  if (problem === undefined) return [];
  const name = `partner jobs ${run.command}`;
  const failure = element('failure', { message: problem.message, type: problem.code }, [
    xmlText(problemText(problem)),
  ]);
  const xml = element('testcase', { name, classname: name, time: seconds(run.durationMs) }, [failure]);
  return [{ file: name, xml, failed: true, skipped: false }];
}

/** A listing's errors are one failure, its warnings output. */
function findingCases(found: FindingTotals): Case[] {
  const byListing = new Map<string, Finding[]>();
  for (const finding of found.findings) {
    const key = listingKey(finding.file, finding.index);
    const others = byListing.get(key);
    if (others === undefined) byListing.set(key, [finding]);
    else others.push(finding);
  }
  return [
    ...Array.from(byListing, ([key, findings]) => findingCase(key, findings)),
    ...moreLines(found).map(omittedCase),
  ];
}

function findingCase(key: string, found: readonly Finding[]): Case {
  const file = found[0]?.file ?? key;
  const error = found.find(({ level }) => level === 'error');
  const lines = found.map(
    (finding) => `${finding.file}:${finding.line}:${finding.column} ${sentence(finding)}`,
  );
  const text = lines.map(xmlText).join('\n');
  const child =
    error === undefined
      ? element('system-out', {}, [text])
      : element('failure', { message: sentence(error), type: error.rule }, [text]);
  const attributes = { name: key, classname: file, file, time: seconds(0) };
  const failed = error !== undefined;
  return { file, xml: element('testcase', attributes, [child]), failed, skipped: false };
}

/** Findings that are left out are not told as passed. */
function omittedCase(more: string): Case {
  const failure = element('failure', { message: more, type: 'omitted' }, []);
  const xml = element('testcase', { name: 'not shown', classname: 'not shown', time: seconds(0) }, [failure]);
  return { file: 'not shown', xml, failed: true, skipped: false };
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}
