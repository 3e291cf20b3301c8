import { findingAnnotation, workflowCommand } from '../../listings/check/formats/github.ts';
import { moreLines } from '../../listings/check/formats/summary.ts';
import { fileOf, problemText, type ReportLine, reportLines, runProblem, whatIsDone } from './listing-line.ts';
import { BUNDLED_ENGINE, type BulkRun } from './run.ts';
import { grouped, runSentence } from './sentence.ts';

type Level = 'error' | 'warning' | 'notice';

/** GitHub shows ten of a level for each step; the others are read in the log, and not by the thousand. */
const MOST_NOTICES = 200;

/**
 * Workflow commands of GitHub Actions, which become annotations of the lines: an error for what failed, a
 * warning for what is held or worth knowing, and for a plan a notice for each change; then a plain summary.
 */
export function renderGithubRun(run: BulkRun): string {
  const lines = reportLines(run);
  const problems = lines.filter(
    ({ problem, outcome }) => problem !== undefined && outcome?.result !== 'left',
  );
  const changes = run.command === 'plan' ? lines.filter(({ problem }) => problem === undefined) : [];
  return [
    ...run.found.findings.map(findingAnnotation),
    ...moreLines(run.found),
    ...problems.map((line) => annotation(levelOf(line), line)),
    ...runAnnotation(run, lines),
    ...lines.flatMap(adviceAnnotations),
    ...noticeAnnotations(run),
    ...changes.slice(0, MOST_NOTICES).map((line) => annotation('notice', line)),
    ...moreAnnotation(changes.length - MOST_NOTICES),
    runSentence(run),
    ...(run.target === BUNDLED_ENGINE ? [`target: ${BUNDLED_ENGINE}`] : []),
  ].join('\n');
}

function levelOf({ outcome }: ReportLine): Level {
  return outcome === undefined || outcome.result === 'held' ? 'warning' : 'error';
}

function annotation(level: Level, { item, problem }: ReportLine): string {
  const said = problem === undefined ? whatIsDone(item) : problemText(problem);
  return workflowCommand(
    level,
    { ...placeOf(item), title: problem?.code ?? item.action },
    `${item.key}: ${said}`,
  );
}

/** A note with something to do about it, of a listing that is done all the same. */
function adviceAnnotations({ item, advice }: ReportLine): string[] {
  return advice
    .filter(({ hint }) => hint !== undefined)
    .map((note) =>
      workflowCommand('warning', { ...placeOf(item), title: note.code }, `${item.key}: ${problemText(note)}`),
    );
}

/** One for the run and all that was not attempted: the reason is the same. */
function runAnnotation(run: BulkRun, lines: readonly ReportLine[]): string[] {
  const left = lines.filter(({ outcome }) => outcome?.result === 'left');
  const problem = runProblem(run) ?? left.find((line) => line.problem !== undefined)?.problem;
  if (problem === undefined) return [];
  const listings = left.length === 1 ? '1 listing was' : `${grouped(left.length)} listings were`;
  const attempted = left.length === 0 ? '' : `${listings} not attempted: `;
  return [workflowCommand('error', { title: problem.code }, `${attempted}${problemText(problem)}`)];
}

function noticeAnnotations({ plan }: BulkRun): string[] {
  return (plan?.notices ?? []).flatMap((notice) =>
    notice.notes.map((note) =>
      workflowCommand(
        'warning',
        { ...placeOf(notice), title: note.code },
        `${notice.key}: ${problemText(note)}`,
      ),
    ),
  );
}

function moreAnnotation(count: number): string[] {
  return count <= 0
    ? []
    : [workflowCommand('notice', { title: 'plan' }, `and ${grouped(count)} more changes`)];
}

/** Only a file that is there can be annotated. */
function placeOf(item: { file: string | undefined; line: number | undefined; key: string }) {
  return item.file === undefined ? {} : { file: fileOf(item), line: item.line ?? 1 };
}
