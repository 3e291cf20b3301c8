import { clean, cleanBlock } from './clean.ts';
import type { Style, View } from './view.ts';
import { widthOf, wrap } from './width.ts';

/** A name and a text, which may be painted and have several lines, and is cleaned by the caller; none is not shown. */
export type Detail = readonly [name: string, text: string | undefined];

/** Longer lines than this are hard to read, however wide the terminal is. */
const PROSE_COLUMNS = 100;

const INDENT = '  ';

/** A narrower text goes under its name. */
const NARROW_COLUMNS = 24;

/** Names in one column, their texts in another, wrapped to fit. */
export function details(rows: readonly Detail[], view: View, nameStyle: Style = 'dim'): string {
  const said = rows.flatMap(([name, text]) => (text ? [[clean(name), text] as const] : []));
  const column = INDENT.length + Math.max(0, ...said.map(([name]) => widthOf(name))) + 2;
  const isStacked = view.columns - column < NARROW_COLUMNS && column > NARROW_COLUMNS;
  return said
    .map(([name, text]) => {
      const painted = view.paint(nameStyle, name);
      if (isStacked) return hung(painted, INDENT.length, view) + hung(text, INDENT.length * 2, view);
      const gap = ' '.repeat(column - INDENT.length - widthOf(name));
      return INDENT + painted + gap + hung(text, column, view).trimStart();
    })
    .join('');
}

/** An empty line, a heading and its body; '' where the body is empty. */
export function section(heading: string, body: string, view: View): string {
  return body === '' ? '' : `\n${view.paint('bold', heading)}\n${body}`;
}

/** Running text, indented and wrapped; on a terminal at most `maxLines` of it, and how many more there are. */
export function prose(text: string, view: View, maxLines = Number.POSITIVE_INFINITY): string {
  const lines = wrap(cleanBlock(text).trim(), room(INDENT.length, view)).map((line) => line.trimEnd());
  const shown = view.isTerminal && lines.length > maxLines + 1 ? lines.slice(0, maxLines) : lines;
  const left = lines.length - shown.length;
  const more = left === 0 ? '' : `${INDENT}${view.paint('dim', `… ${left} more lines`)}\n`;
  return text.trim() === '' ? '' : `${shown.map((line) => `${INDENT}${line}`.trimEnd()).join('\n')}\n${more}`;
}

export function paragraph(text: string, { columns }: View): string {
  return `${wrap(text, columns).join('\n')}\n`;
}

function hung(text: string, indentColumns: number, view: View): string {
  const indent = ' '.repeat(indentColumns);
  return wrap(text, room(indentColumns, view))
    .map((line) => `${`${indent}${line}`.trimEnd()}\n`)
    .join('');
}

function room(indentColumns: number, view: View): number {
  const available = view.isTerminal ? Math.min(view.columns, PROSE_COLUMNS) : Number.POSITIVE_INFINITY;
  return Math.max(available - indentColumns, 10);
}

/** One line a field: its name, what is wrong with it, the flag that mends it. */
export function fieldLines(fields: readonly (readonly [field: string, wrong: string])[], view: View): string {
  const rows = fields.map(([field, wrong]): Detail => {
    const flag = view.mend(field);
    const isNamed = flag === undefined || wrong.includes(flag);
    return [field, isNamed ? clean(wrong) : `${clean(wrong)} (${view.paint('cyan', flag)})`];
  });
  return details(rows, view);
}
