import { expiringText } from '../../contract/expiring.ts';
import { grouped } from '../../contract/words.ts';
import { findingAnnotation, workflowCommand } from '../../listings/check/formats/render.ts';
import { moreLines } from '../../listings/check/tally.ts';
import { notLiveAfter } from '../apply/outcome.ts';
import type { PlanItem, PlanNotice } from '../plan/plan-item.ts';
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
import { runSentence } from './sentence.ts';

type Level = 'error' | 'warning' | 'notice';

/** GitHub shows ten of a level for each step; the others are read in the log, and not by the thousand. */
const CHANGES_MAX = 200;

/** Annotations: errors for failures and for listings that aren't live, warnings for held ones, notices for changes. */
export function renderGithubRun(run: BulkRun): string {
  const lines = reportLines(run);
  const isOpen = ({ outcome }: ReportLine) =>
    outcome === undefined || (outcome.result === 'held' && !notLiveAfter(outcome));
  const changes = run.command === 'plan' ? lines.filter(({ problem }) => problem === undefined) : [];
  const more = changes.length - CHANGES_MAX;
  return [
    ...run.found.findings.map(findingAnnotation),
    ...moreLines(run.found),
    ...lines.flatMap((line) => {
      const { item, problem, outcome } = line;
      if (problem === undefined || outcome?.result === 'left') return [];
      return [annotation(isOpen(line) ? 'warning' : 'error', item, problem)];
    }),
    ...runAnnotation(run, lines),
    ...lines.flatMap(({ item, advice }) =>
      advice.filter(({ hint }) => hint !== undefined).map((note) => annotation('warning', item, note)),
    ),
    ...(run.plan?.notices ?? []).flatMap((notice) =>
      notice.notes.map((note) => annotation('warning', notice, note)),
    ),
    ...changes
      .slice(0, CHANGES_MAX)
      .map(({ item }) => annotation('notice', item, { code: item.action, message: whatIsDone(item) })),
    ...(more <= 0 ? [] : [workflowCommand('notice', { title: 'plan' }, `and ${grouped(more)} more changes`)]),
    ...expiringText(run.plan?.expiring).map((text) =>
      workflowCommand('warning', { title: 'EXPIRING' }, text),
    ),
    runSentence(run),
    ...(run.target === BUNDLED_ENGINE ? [`target: ${BUNDLED_ENGINE}`] : []),
  ].join('\n');
}

/** Only a file that is there can be annotated. */
function annotation(level: Level, item: PlanItem | PlanNotice, problem: Problem): string {
  const place = item.file === undefined ? {} : { file: fileOf(item), line: item.line ?? 1 };
  return workflowCommand(level, { ...place, title: problem.code }, `${item.key}: ${problemText(problem)}`);
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
