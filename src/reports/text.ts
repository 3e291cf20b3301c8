import { type ApplyResult, type ItemOutcome, isNotDone, type RunEnd } from '../bulk/apply/outcome.ts';
import { STATE_GONE } from '../bulk/apply/run-stop.ts';
import { nameListing } from '../bulk/plan/desired-listing.ts';
import type { Plan, PlanAction, PlanItem, PlanNotice } from '../bulk/plan/plan-item.ts';
import type { ResolvedPlace } from '../bulk/session.ts';
import {
  clean,
  type Detail,
  details,
  type Paint,
  paragraph,
  type Style,
  section,
  shellWord,
  type View,
} from '../cli/terminal/view.ts';
import { shorten } from '../cli/terminal/width.ts';
import { formatNumber } from '../contract/words.ts';
import type { Report } from '../listings/check/check-files.ts';
import { type Finding, formatPosition, sentence } from '../listings/check/finding.ts';
import { moreLines } from '../listings/check/tally.ts';
import { describeIgnored } from '../listings/read/formats.ts';
import { groupBy } from '../text/group-by.ts';
import { escapeControlChars } from '../text/outside-text.ts';
import { changeLines, changesOnOneLine, describeRuled, originLines, statusStyle } from './changes.ts';
import { checkSentence, type Problem, problemOfError } from './run.ts';

export function checkView(found: Report, view: View): string {
  const files = groupBy(found.findings, ({ file }) => file);
  const groups = Array.from(files.values(), (findings) =>
    findings.map((finding) => findingLines(finding, view.paint)).join('\n'),
  );
  const left = describeIgnored(found).map(escapeControlChars);
  return paragraph([...groups, ...moreLines(found), ...left, checkSentence(found)].join('\n\n'), view);
}

/** Formats positions like compilers (`file:line:column`), so that editors recognize them. */
function findingLines(finding: Finding, paint: Paint): string {
  const { level, field, message, listing, hint } = finding;
  const place = paint('dim', `${escapeControlChars(formatPosition(finding))}:`);
  const what = escapeControlChars(sentence({ field, message, listing }));
  const next = hint === undefined ? '' : `\n    ${paint('dim', escapeControlChars(hint))}`;
  return `${place} ${paint(level === 'error' ? 'red' : 'yellow', `${level}:`)} ${what}${next}`;
}

export interface PlanWords {
  readonly summary: string;
  readonly next?: string | undefined;
  readonly places?: readonly ResolvedPlace[] | undefined;
}

type Listing = PlanItem | PlanNotice;

const ACTIONS: Readonly<Record<PlanAction, readonly [word: string, Style | undefined]>> = {
  create: ['+ create', 'green'],
  update: ['~ update', 'yellow'],
  publish: ['^ publish', 'cyan'],
  close: ['- close', 'red'],
  record: ['= record', 'dim'],
  settle: ['? settle', 'yellow'],
  held: ['! held', 'red'],
};

const MOST_ITEMS = 300;
const MOST_PLACES = 20;
const PLACE_COLUMNS = 30;

export function planView(
  { items, notices }: Pick<Plan, 'items' | 'notices'>,
  { summary, next, places = [] }: PlanWords,
  view: View,
): string {
  if (!view.isTerminal) {
    const rows = items.map((item) => planCells(item.action, item, item.publish));
    return formatTabbed([...rows, ...notices.map((notice) => planCells('none', notice, false))]);
  }
  const creates = items.filter(({ action }) => action === 'create');
  const others = items.filter(({ action }) => action !== 'create');
  const inOrder = items.length <= MOST_ITEMS ? items : [...others, ...creates];
  const blocks = inOrder.slice(0, MOST_ITEMS).map((item) => {
    const [word, style] = ACTIONS[item.action];
    const facts = item.publish && item.action !== 'publish' ? ['goes live'] : [];
    return planBlock(view.paint(style, word.padEnd(9)), item, facts, view);
  });
  const left = notices.slice(0, MOST_ITEMS).map((notice) => planBlock(' ', notice, [], view));
  const parts = [
    blocks.join('') + moreThanShown(items, view),
    formatTitled('Not changed', left.join('') + moreThanShown(notices, view), view),
    formatTitled('Places', placeLines(places, view), view),
  ];
  return [
    ...parts.filter((text) => text !== '').map((text) => `${text}\n`),
    paragraph(view.paint('bold', clean(summary)), view),
    ...hintText({ hint: next }, view).map((text) => paragraph(text, view)),
  ].join('');
}

function planCells(action: string, listing: Listing, publish: boolean) {
  const { key, jobId, changes, notes, origins } = listing;
  return [
    action,
    key,
    jobId,
    publish ? 'publish' : '',
    changes.map(({ field }) => field).join(','),
    notes.map(({ code }) => code).join(','),
    action === 'create' ? describeRuled(origins) : changesOnOneLine(changes, origins),
    nameListing(listing),
  ];
}

function planBlock(word: string, listing: Listing, facts: readonly string[], view: View): string {
  const { jobId, status, changes, notes, origins = {} } = listing;
  const state = status === undefined ? '' : ` ${view.paint(statusStyle(status), clean(status))}`;
  const heading = [
    `${word} ${view.paint('bold', clean(nameListing(listing)))}`,
    ...(jobId === undefined ? [] : [`job ${jobId}${state}`]),
    ...facts,
  ].join(' · ');
  const isNew = changes.length === 0 && 'action' in listing && listing.action === 'create';
  const said = isNew ? originLines(origins, view) : changeLines(changes, view, origins);
  const noted = notes.map((note): Detail => ['!', [clean(note.message), ...hintText(note, view)].join('\n')]);
  return paragraph(heading, view) + said + details(noted, view, 'yellow');
}

function placeLines(places: readonly ResolvedPlace[], view: View): string {
  const shown = places.slice(0, MOST_PLACES).map(({ text, displayName, locationId }): Detail => {
    return [`"${shorten(clean(text), PLACE_COLUMNS)}"`, `→ ${clean(displayName)} (${locationId})`];
  });
  const left = places.length - shown.length;
  const more = left === 0 ? '' : paragraph(`  ${view.paint('dim', `and ${formatNumber(left)} more`)}`, view);
  return details(shown, view) + more;
}

function moreThanShown({ length }: readonly Listing[], view: View): string {
  if (length <= MOST_ITEMS) return '';
  const more = `… and ${formatNumber(length - MOST_ITEMS)} more (\`--json\` or a pipe shows all)`;
  return paragraph(view.paint('dim', more), view);
}

const MOST_OUTCOMES = 20;

export type Applied = Pick<ItemOutcome, 'result' | 'jobId' | 'error'> & {
  readonly item: Pick<PlanItem, 'key' | 'label' | 'notes'>;
};

/** Shows unfinished listings with next steps in a terminal, and one tab-separated row per listing elsewhere. */
export function applyView(
  outcomes: readonly Applied[],
  { summary, command }: { readonly summary: string; readonly command: string },
  view: View,
): string {
  if (!view.isTerminal) return formatTabbed(outcomes.map(outcomeCells));
  const of = (result: ApplyResult) => outcomes.filter((outcome) => outcome.result === result);
  const partlyDone = outcomes.filter((outcome) => !isNotDone(outcome) && why(outcome) !== undefined);
  const parts = [
    part('Failed', of('failed'), view),
    part('Held', of('held'), view),
    part('Partly done', partlyDone, view),
    part('Outcome unknown', of('unknown'), view, (outcome) => renderPendingCreate(outcome, command, view)),
    renderNotDone(of('left'), command, view),
  ].filter((text) => text !== '');
  const isGood = outcomes.every((outcome) => outcome.error === undefined && !isNotDone(outcome));
  const sign = isGood ? view.paint('green', '✓') : view.paint('red', '✗');
  const end = paragraph(`${sign} ${view.paint('bold', clean(summary))}`, view);
  return [...parts, end].join('\n');
}

function outcomeCells(outcome: Applied) {
  const { item, result, jobId } = outcome;
  const problem = why(outcome);
  return [result, item.key, jobId, problem?.code, problem?.message, nameListing(item)];
}

function why({ item, result, error }: Applied): Problem | undefined {
  if (error !== undefined) return problemOfError(error);
  return item.notes.find(({ hint }) => hint !== undefined) ?? (result === 'held' ? item.notes[0] : undefined);
}

function part(
  title: string,
  outcomes: readonly Applied[],
  view: View,
  said: (outcome: Applied) => string = (outcome) => reason(outcome, view),
): string {
  const shown = outcomes.slice(0, MOST_OUTCOMES);
  const lines = shown.map((outcome) => {
    const job = outcome.jobId === undefined ? '' : ` · job ${outcome.jobId}`;
    return paragraph(`  ${view.paint('bold', clean(nameListing(outcome.item)))}${job}`, view) + said(outcome);
  });
  const left = outcomes.length - shown.length;
  const more = `  and ${formatNumber(left)} more (--report json=FILE includes all)`;
  const text = lines.join('') + (left === 0 ? '' : paragraph(view.paint('dim', more), view));
  return formatTitled(`${title}: ${formatNumber(outcomes.length)}`, text, view);
}

function reason(outcome: Applied, view: View, withHint = true): string {
  const said = why(outcome);
  if (said === undefined) return '';
  const fields = Object.entries(said.fields ?? {}).map(([field, wrong]) => `${field}: ${wrong}`);
  const hint = withHint ? hintText(said, view) : [];
  const text = [clean(`${said.code}: ${said.message}`), ...fields.map(clean), ...hint].join('\n');
  return details([[' ', text]], view);
}

/** Formats the commands that resolve a pending create. They aren't wrapped, so that they can be copied. */
function renderPendingCreate(outcome: Applied, command: string, view: View): string {
  const { key } = outcome.item;
  const typed = clean(command);
  const arrow = `     ${view.paint('dim', '→')}`;
  return [
    reason(outcome, view, false),
    `${arrow} if the job exists: ${typed} --adopt ${shellWord(`${key}=`)}ID\n`,
    `${arrow} if it doesn't:     ${typed} --resend ${shellWord(key)}\n`,
  ].join('');
}

function renderNotDone(outcomes: readonly Applied[], command: string, view: View): string {
  if (outcomes.length === 0) return '';
  const reasons = groupBy(outcomes, ({ error }) =>
    error === undefined ? 'the run was stopped' : `${error.code}: ${error.message}`,
  );
  const hint = outcomes.find(({ error }) => error?.hint !== undefined)?.error?.hint;
  const rows = Array.from(reasons, ([said, { length }]) => [formatNumber(length), clean(said)] as const);
  const next = [hint, `then run \`${command}\` to continue`].flatMap((each) =>
    hintText({ hint: each }, view),
  );
  const text = details(rows, view) + next.map((each) => paragraph(`  ${each}`, view)).join('');
  return formatTitled(`Not attempted: ${formatNumber(outcomes.length)}`, text, view);
}

const SETTLED_SHOWN = 20;

export function nextSteps(
  { plan, outcomes, stopped, gate }: RunEnd,
  { command, isTerminal }: { readonly command: string; readonly isTerminal: boolean },
): string[] {
  const notices = plan.notices.length;
  const left =
    notices === 0 ? [] : [`${formatNumber(notices)} to review: \`partner jobs plan\` shows which and why`];
  if (isTerminal) return left;
  const because = stopped ?? gate;
  const isLeft = because !== undefined || outcomes.some(({ result }) => result === 'left');
  const open = outcomes.filter(({ result, error }) => result === 'unknown' && error?.hint !== undefined);
  const recorded = stopped && STATE_GONE.includes(stopped.code) ? '' : 'completed changes are recorded; ';
  return [
    ...open.slice(0, SETTLED_SHOWN).map(({ item, error }) => `${nameListing(item)}: ${error?.hint}`),
    ...(open.length === 0 ? [] : [`add one of these flags to: ${command}`]),
    ...(because?.hint === undefined ? [] : [because.hint]),
    ...(isLeft ? [`${recorded}continue with: ${command}`] : []),
    ...left,
  ];
}

function formatTabbed(rows: readonly (readonly (string | number | undefined)[])[]): string {
  return rows.map((cells) => `${cells.map((cell = '') => clean(String(cell))).join('\t')}\n`).join('');
}

function formatTitled(heading: string, body: string, view: View): string {
  return section(heading, body, view).slice(1);
}

function hintText({ hint }: Pick<Problem, 'hint'>, view: View): string[] {
  return hint === undefined ? [] : [`${view.paint('dim', '→')} ${clean(hint)}`];
}
