import { expiringText } from '../../contract/expiring.ts';
import {
  findingsCase,
  omittedCases,
  renderCases,
  type TestCase,
} from '../../listings/check/formats/junit.ts';
import { groupBy } from '../../listings/check/tally.ts';
import { GATES } from '../apply/run-stop.ts';
import { listingKey } from '../plan/desired-listing.ts';
import {
  BUNDLED_ENGINE,
  type BulkRun,
  fileOf,
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
  const failure = { message: problem.message, type: problem.code, lines: [problemText(problem)] };
  return [{ suite: name, name, durationMs: run.durationMs, failure }];
}

function duplicateCases({ plan }: BulkRun): TestCase[] {
  return (plan?.notices ?? []).flatMap((notice) => {
    const note = notice.notes.find(({ code }) => code === 'POSSIBLE_DUPLICATE');
    if (note === undefined) return [];
    const [file, name] = [fileOf(notice), `${notice.key}, job ${notice.jobId}`];
    return [
      { suite: file, name, failure: { message: note.message, type: note.code, lines: [problemText(note)] } },
    ];
  });
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
  const { message, code: type } = problem;
  return { ...listing, failure: { message, type, lines: [`${place} ${problemText(problem)}`] } };
}
