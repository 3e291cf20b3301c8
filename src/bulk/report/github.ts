import { expiringText } from '../../contract/expiring.ts';
import { groupBy } from '../../contract/group-by.ts';
import { grouped } from '../../contract/words.ts';
import type { Finding } from '../../listings/check/finding.ts';
import { findingAnnotation, workflowCommand } from '../../listings/check/formats/render.ts';
import { moreLines } from '../../listings/check/tally.ts';
import { notLiveAfter } from '../apply/outcome.ts';
import { listingKey } from '../plan/desired-listing.ts';
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
} from './run.ts';
import { runSentence } from './sentence.ts';

type Level = 'error' | 'warning';

/** One annotation per listing that needs attention: an error if it failed or isn't live, otherwise a warning. */
export function renderGithubRun(run: BulkRun): string {
  const lines = reportLines(run);
  return [
    ...findingAnnotations(run),
    ...lines.filter(({ outcome }) => outcome?.result !== 'left').flatMap(lineAnnotation),
    ...runAnnotation(run, lines),
    ...(run.plan?.notices ?? [])
      .filter(needsPerson)
      .map((notice) => annotation('warning', notice, notice.notes)),
    ...expiringText(run.plan?.expiring).map((text) =>
      workflowCommand('warning', { title: 'EXPIRING' }, text),
    ),
    runSentence(run),
    ...(run.target === BUNDLED_ENGINE ? [`target: ${BUNDLED_ENGINE}`] : []),
  ].join('\n');
}

function findingAnnotations({ found }: BulkRun): string[] {
  const findings = found.findings.filter(({ level }) => level === 'error');
  const listings = groupBy(findings, ({ file, index }) => listingKey(file, index)).values();
  // Missing fields are reported at a listing's first line, so they come after wrong values.
  const byLine = (of: Finding[]) => of.sort((one, other) => other.line - one.line);
  const annotations = Array.from(listings, (of) => findingAnnotation(byLine(of)));
  return [...annotations, ...moreLines({ ...found, findings, warnings: 0 })];
}

function lineAnnotation({ item, outcome, problem, advice }: ReportLine): string[] {
  const isOpen = outcome === undefined || (outcome.result === 'held' && !notLiveAfter(outcome));
  if (problem !== undefined) return [annotation(isOpen ? 'warning' : 'error', item, [problem])];
  const open = advice.filter(({ hint }) => hint !== undefined);
  return open.length > 0 ? [annotation('warning', item, open)] : [];
}

/** A draft that isn't in the files needs no attention, because candidates don't see it. */
function needsPerson({ file, status }: PlanNotice): boolean {
  return file !== undefined || status !== 'DRAFT';
}

/** Only a file that is there can be annotated. */
function annotation(level: Level, item: PlanItem | PlanNotice, problems: readonly Problem[]): string {
  const place = item.file === undefined ? {} : { file: fileOf(item), line: item.line ?? 1 };
  const title = problems[0]?.code ?? 'held';
  return workflowCommand(level, { ...place, title }, `${item.key}: ${problems.map(problemText).join('; ')}`);
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
