import { clean, details, paragraph, type Style, section, type View } from '../../cli/terminal/view.ts';
import { shorten } from '../../cli/terminal/width.ts';
import { statusStyle } from '../../cli/terminal/words.ts';
import { grouped } from '../../contract/words.ts';
import type { Plan, PlanAction, PlanItem, PlanNote, PlanNotice } from '../plan/plan-item.ts';
import type { ResolvedPlace } from '../session.ts';
import { changeLines, changesOnOneLine, originLines } from './plan-diff.ts';

export interface PlanWords {
  /** `Plan: 3 to create, 294 unchanged`. */
  readonly summary: string;
  /** What to type next; undefined where there is nothing to do. */
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

/** Of a longer plan, what changes or is held is shown before creates. */
const MOST_SHOWN = 300;
const MOST_PLACES = 20;
const PLACE_COLUMNS = 30;

/** On a terminal a block for each listing, as a diff; elsewhere a row for each. */
export function planView(plan: Pick<Plan, 'items' | 'notices'>, words: PlanWords, view: View): string {
  if (!view.isTerminal) return planRows(plan);
  const { summary, next, places = [] } = words;
  const creates = plan.items.filter(({ action }) => action === 'create');
  const others = plan.items.filter(({ action }) => action !== 'create');
  const inOrder = plan.items.length <= MOST_SHOWN ? plan.items : [...others, ...creates];
  const shown = inOrder.slice(0, MOST_SHOWN);
  const blocks = shown.map((item) => {
    const [word, style] = ACTIONS[item.action];
    const facts = item.publish && item.action !== 'publish' ? ['goes live'] : [];
    return block(view.paint(style, word.padEnd(9)), item, facts, view);
  });
  const items = blocks.join('') + moreLine(plan.items.length - shown.length, view);
  return [
    items === '' ? '' : `${items}\n`,
    noticesPart(plan.notices, view),
    placesPart(places, view),
    paragraph(view.paint('bold', clean(summary)), view),
    next === undefined ? '' : paragraph(`${view.paint('dim', '→')} ${clean(next)}`, view),
  ].join('');
}

function planRows({ items, notices }: Pick<Plan, 'items' | 'notices'>): string {
  const rows = [
    ...items.map((item) => row(item.action, item, item.publish)),
    ...notices.map((notice) => row('none', notice, false)),
  ];
  return rows.join('');
}

function row(action: string, { key, jobId, changes, notes, origins }: Listing, publish: boolean): string {
  const cells = [
    action,
    key,
    jobId === undefined ? '' : String(jobId),
    publish ? 'publish' : '',
    changes.map(({ field }) => field).join(','),
    notes.map(({ code }) => code).join(','),
    changesOnOneLine(changes, origins),
  ];
  return `${cells.map(clean).join('\t')}\n`;
}

function moreLine(left: number, view: View): string {
  if (left === 0) return '';
  return paragraph(view.paint('dim', `… and ${grouped(left)} more (\`--json\` or a pipe shows all)`), view);
}

function block(word: string, listing: Listing, facts: readonly string[], view: View): string {
  const { key, jobId, status, changes, notes, origins = {} } = listing;
  const state = status === undefined ? '' : ` ${view.paint(statusStyle(status), clean(status))}`;
  const heading = [
    `${word} ${view.paint('bold', clean(key))}`,
    ...(jobId === undefined ? [] : [`job ${jobId}${state}`]),
    ...facts,
  ].join(' · ');
  const isNew = changes.length === 0 && 'action' in listing && listing.action === 'create';
  const said = isNew ? originLines(origins, view) : changeLines(changes, view, origins);
  return paragraph(heading, view) + said + noteLines(notes, view);
}

function noteLines(notes: readonly PlanNote[], view: View): string {
  return details(
    notes.map(({ message, hint }) => [
      '!',
      [clean(message), ...(hint === undefined ? [] : [`${view.paint('dim', '→')} ${clean(hint)}`])].join(
        '\n',
      ),
    ]),
    view,
    'yellow',
  );
}

function noticesPart(notices: readonly PlanNotice[], view: View): string {
  const shown = notices.slice(0, MOST_SHOWN);
  const text =
    shown.map((notice) => block(' ', notice, [], view)).join('') +
    moreLine(notices.length - shown.length, view);
  return text === '' ? '' : `${section('Left as they are', text, view).slice(1)}\n`;
}

function placesPart(places: readonly ResolvedPlace[], view: View): string {
  const shown = places
    .slice(0, MOST_PLACES)
    .map(
      ({ text, displayName, locationId }) =>
        [`"${shorten(clean(text), PLACE_COLUMNS)}"`, `→ ${clean(displayName)} (${locationId})`] as const,
    );
  const left = places.length - shown.length;
  const more = left === 0 ? '' : paragraph(`  ${view.paint('dim', `and ${grouped(left)} more`)}`, view);
  const text = details(shown, view) + more;
  return text === '' ? '' : `${section('Places', text, view).slice(1)}\n`;
}
