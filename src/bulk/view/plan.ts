import { details, paragraph, section } from '../../cli/terminal/blocks.ts';
import { clean } from '../../cli/terminal/clean.ts';
import type { Style, View } from '../../cli/terminal/view.ts';
import { shorten } from '../../cli/terminal/width.ts';
import { grouped, statusStyle } from '../../cli/terminal/words.ts';
import type { Plan, PlanAction, PlanItem, PlanNote, PlanNotice } from '../plan/plan-item.ts';
import type { ResolvedPlace } from '../session.ts';
import { changeLines, changesOnOneLine } from './plan-diff.ts';

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

/** In a longer plan each create is one line. */
const MOST_WHOLE = 50;
/** A longer plan is cut, creates first: what changes or is held must be seen. */
const MOST_SHOWN = 300;
const MOST_PLACES = 20;
const PLACE_COLUMNS = 30;

/**
 * On a terminal a block for each listing, as a diff; elsewhere a row for each: action (`none` for a notice), key, job id,
 * whether it goes live, changed fields, codes of its notes, and what changes.
 */
export function planView(plan: Pick<Plan, 'items' | 'notices'>, words: PlanWords, view: View): string {
  if (!view.isTerminal) return planRows(plan);
  const { summary, next, places = [] } = words;
  const shown = mostImportant(plan.items);
  const isLong = plan.items.length > MOST_WHOLE;
  const blocks = shown.map((item) => {
    const line = itemHeading(item, view);
    if (isLong && item.action === 'create' && item.notes.length === 0) return oneLine(line, view);
    return paragraph(line, view) + body(item, view);
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

function row(action: string, { key, jobId, changes, notes }: Listing, publish: boolean): string {
  const cells = [
    action,
    key,
    jobId === undefined ? '' : String(jobId),
    publish ? 'publish' : '',
    changes.map(({ field }) => field).join(','),
    notes.map(({ code }) => code).join(','),
    changesOnOneLine(changes),
  ];
  return `${cells.map(clean).join('\t')}\n`;
}

/** In the plan's order, and where there are too many the creates give way. */
function mostImportant(items: readonly PlanItem[]): readonly PlanItem[] {
  if (items.length <= MOST_SHOWN) return items;
  const isCreate = ({ action }: PlanItem): boolean => action === 'create';
  const byWeight = [...items.filter((item) => !isCreate(item)), ...items.filter(isCreate)];
  const kept = new Set(byWeight.slice(0, MOST_SHOWN));
  return items.filter((item) => kept.has(item));
}

function moreLine(left: number, view: View): string {
  if (left === 0) return '';
  return paragraph(view.paint('dim', `… and ${grouped(left)} more (\`--json\` or a pipe shows all)`), view);
}

function itemHeading(item: PlanItem, view: View): string {
  const [word, style] = ACTIONS[item.action];
  const facts = item.publish && item.action !== 'publish' ? ['goes live'] : [];
  return heading(view.paint(style, word.padEnd(9)), item, facts, view);
}

function heading(
  word: string,
  { key, jobId, status }: Listing,
  facts: readonly string[],
  view: View,
): string {
  const state = status === undefined ? '' : ` ${view.paint(statusStyle(status), clean(status))}`;
  return [
    `${word} ${view.paint('bold', clean(key))}`,
    ...(jobId === undefined ? [] : [`job ${jobId}${state}`]),
    ...facts,
  ].join(' · ');
}

/** A heading in one line: one that has to be cut keeps the colour of its sign only. */
function oneLine(whole: string, view: View): string {
  const bare = whole.replace(/\x1b\[\d+m/g, '');
  const cut = shorten(bare, view.columns);
  if (cut === bare) return `${whole}\n`;
  const [word, style] = ACTIONS.create;
  return `${view.paint(style, cut.slice(0, word.length))}${cut.slice(word.length)}\n`;
}

function body({ changes, notes }: Listing, view: View): string {
  return changeLines(changes, view) + noteLines(notes, view);
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
  const blocks = shown.map((notice) => paragraph(heading(' ', notice, [], view), view) + body(notice, view));
  const text = blocks.join('') + moreLine(notices.length - shown.length, view);
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
