import { findNotLiveReason } from '../bulk/apply/outcome.ts';
import { listingKey, nameListing } from '../bulk/plan/desired-listing.ts';
import type { PlanItem, PlanNotice } from '../bulk/plan/plan-item.ts';
import { describeExpiring } from '../contract/lifecycle.ts';
import { formatCount } from '../contract/words.ts';
import type { Report } from '../listings/check/check-files.ts';
import { type Finding, sentence } from '../listings/check/finding.ts';
import { type FindingTotals, moreLines } from '../listings/check/tally.ts';
import { describeIgnored } from '../listings/read/formats.ts';
import { groupBy } from '../text/group-by.ts';
import { escapeControlChars, withoutRunnerCommands } from '../text/outside-text.ts';
import {
  BUNDLED_ENGINE,
  getListingFile,
  type Problem,
  problemText,
  type ReportLine,
  type Run,
  reportLines,
  runProblem,
  runSentence,
} from './run.ts';

export function renderGithub(run: Run): string {
  const lines = reportLines(run);
  return [
    ...('files' in run.found ? checkLines(run.found) : invalidLines(run.found)),
    ...lines.filter(({ outcome }) => outcome?.result !== 'left').flatMap(lineAnnotation),
    ...runAnnotation(run, lines),
    // Candidates don't see drafts, so a draft without a file needs no attention.
    ...(run.plan?.notices ?? [])
      .filter(({ file, status }) => file !== undefined || status !== 'DRAFT')
      .map((notice) => annotation('warning', notice, notice.notes)),
    ...describeExpiring(run.plan?.expiring).map((text) => command('warning', { title: 'EXPIRING' }, text)),
    runSentence(run),
    ...(run.target === BUNDLED_ENGINE ? [`target: ${BUNDLED_ENGINE}`] : []),
  ].join('\n');
}

function checkLines(found: Report): string[] {
  const left = describeIgnored(found).map(escapeControlChars).map(withoutRunnerCommands);
  return [...found.findings.map((each) => findingAnnotation([each])), ...moreLines(found), ...left];
}

function invalidLines(found: FindingTotals): string[] {
  const findings = found.findings.filter(({ level }) => level === 'error');
  const listings = groupBy(findings, ({ file, index }) => listingKey(file, index)).values();
  const byLine = (of: Finding[]) => of.sort((one, other) => other.line - one.line);
  const annotations = Array.from(listings, (of) => findingAnnotation(byLine(of)));
  return [...annotations, ...moreLines({ ...found, findings, warnings: 0 })];
}

function findingAnnotation(findings: readonly Finding[]): string {
  const { file, line, column: col, cell, field, level, rule } = findings[0] as Finding;
  const title = field === '' ? rule : field;
  const place = cell === undefined ? { file, line, col, title } : { file, title: `${cell} ${title}` };
  return command(level, place, findings.map(sentence).join('; '));
}

function lineAnnotation({ item, outcome, problem }: ReportLine): string[] {
  const isOpen = outcome === undefined || (outcome.result === 'held' && !findNotLiveReason(outcome));
  if (problem !== undefined) return [annotation(isOpen ? 'warning' : 'error', item, [problem])];
  const open = item.notes.filter(({ hint }) => hint !== undefined);
  return open.length > 0 ? [annotation('warning', item, open)] : [];
}

/** Omits the position if the job has no file, because GitHub can only annotate files. */
function annotation(level: Finding['level'], item: PlanItem | PlanNotice, problems: readonly Problem[]) {
  const place = item.file === undefined ? {} : { file: getListingFile(item), line: item.line ?? 1 };
  const title = problems[0]?.code ?? 'held';
  return command(level, { ...place, title }, `${nameListing(item)}: ${problems.map(problemText).join('; ')}`);
}

/** Returns one annotation for all listings that weren't attempted, because they share a reason. */
function runAnnotation(run: Run, lines: readonly ReportLine[]): string[] {
  const left = lines.filter(({ outcome }) => outcome?.result === 'left');
  const problem = runProblem(run) ?? left.find((line) => line.problem !== undefined)?.problem;
  if (problem === undefined) return [];
  const listings = `${formatCount(left.length, 'listing')} ${left.length === 1 ? 'was' : 'were'}`;
  const attempted = left.length === 0 ? '' : `${listings} not attempted: `;
  return [command('error', { title: problem.code }, `${attempted}${problemText(problem)}`)];
}

function command(level: Finding['level'], place: Readonly<Record<string, string | number>>, text: string) {
  const properties = Object.entries(place).map(
    ([name, value]) => `${name}=${escapeText(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  return `::${level} ${properties.join(',')}::${escapeText(text)}`;
}

function escapeText(text: string): string {
  return withoutRunnerCommands(escapeControlChars(text)).replaceAll('%', '%25');
}
