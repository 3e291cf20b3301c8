import { expiringText } from '../../contract/expiring.ts';
import { groupBy } from '../../contract/group-by.ts';
import {
  findingsCase,
  omittedCases,
  renderCases,
  type TestCase,
} from '../../listings/check/formats/junit.ts';
import { GATES } from '../apply/run-stop.ts';
import { listingKey } from '../plan/desired-listing.ts';
import {
  BUNDLED_ENGINE,
  type BulkRun,
  fileOf,
  type Problem,
  problemText,
  type ReportLine,
  reportLines,
  runProblem,
  whatIsDone,
} from './run.ts';

/** One test case per listing with changes. Unattempted listings are skipped, unless terms or card blocked them. */
export function renderJunitRun(run: BulkRun): string {
  const { command, target, durationMs, found } = run;
  const findings = Array.from(
    groupBy(found.findings, ({ file, index }) => listingKey(file, index)),
    ([name, of]) => findingsCase({ file: of[0]?.file ?? name, name }, of),
  );
  const on = target === BUNDLED_ENGINE ? ` on the ${BUNDLED_ENGINE}` : '';
  return renderCases(
    [
      ...runCases(run),
      ...findings,
      ...omittedCases(found),
      ...reportLines(run).map(lineCase),
      ...duplicateCases(run),
    ],
    { name: `partner jobs ${command}${on}`, durationMs },
  );
}

function runCases(run: BulkRun): TestCase[] {
  const problem = runProblem(run);
  const name = `partner jobs ${run.command}`;
  const output = expiringText(run.plan?.expiring);
  if (problem === undefined) return output.length > 0 ? [{ suite: name, name: 'expiring jobs', output }] : [];
  return [{ suite: name, name, durationMs: run.durationMs, failure: failureOf(problem) }];
}

function duplicateCases({ plan }: BulkRun): TestCase[] {
  return (plan?.notices ?? []).flatMap(({ notes, ...notice }) => {
    const found = notes.filter(({ code }) => code === 'POSSIBLE_DUPLICATE');
    const listing = { suite: fileOf(notice), name: `${notice.key}, job ${notice.jobId}` };
    return found.map((note) => ({ ...listing, failure: failureOf(note) }));
  });
}

function failureOf(problem: Problem, place = '') {
  return { message: problem.message, type: problem.code, lines: [`${place}${problemText(problem)}`] };
}

function lineCase({ item, outcome, problem, advice }: ReportLine): TestCase {
  const file = fileOf(item);
  const { key: name, line } = item;
  const place = line === undefined ? file : `${file}:${line}`;
  const listing = { suite: file, name, file, line, durationMs: outcome?.durationMs };
  if (problem === undefined) {
    const said = [whatIsDone(item), ...advice.map(problemText)].join('; ');
    return { ...listing, output: [`${place} ${said}`] };
  }
  if (outcome?.result === 'left' && !GATES.includes(problem.code))
    return { ...listing, skipped: problemText(problem) };
  return { ...listing, failure: failureOf(problem, `${place} `) };
}
