import { styleText } from 'node:util';
import { charCodes, escapeRunnerCommands, INVISIBLE_CHARS, maskKeys } from '../../text/outside-text.ts';
import type { Streams } from './streams.ts';
import { getWidth, wrap } from './width.ts';

export interface View {
  /** False for a pipe or file. Lists are then tab-separated, and nothing is shortened or wrapped. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly paint: Paint;
  readonly now: number;
  readonly mend: (field: string) => string | undefined;
}

export function toView(streams: Streams, now: number, mend: View['mend'] = () => undefined): View {
  const { stdoutIsTerminal, columns, colour } = streams;
  return { isTerminal: stdoutIsTerminal, columns, paint: painter(colour), now, mend };
}

export function viewOfErr(streams: Streams, now: number, mend: View['mend'] = () => undefined): View {
  const { stderrIsTerminal, columnsErr, colourErr } = streams;
  return { isTerminal: stderrIsTerminal, columns: columnsErr, paint: painter(colourErr), now, mend };
}

/** Only the 16 basic color codes, so that the terminal's theme sets the colors. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export type Paint = (style: Style | undefined, text: string) => string;

export function painter(colour: boolean): Paint {
  return (style, text) =>
    !colour || style === undefined || text === '' ? text : styleText(style, text, { validateStream: false });
}

/*
 * Text from a server or file is untrusted. Removes escape sequences, control characters, invisible characters and bidi
 * controls, which can make one text look like another. Keys are masked.
 */

const SEQUENCES =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x08\x0a-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|\x1b[\x20-\x2f]*[\x30-\x7e]/g;

const LINE_ENDS = /\r\n|[\n\r\v\f\x85\u2028\u2029]/g;

const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

const LONE_SURROGATES = /\p{Surrogate}/gu;

export function clean(text: string): string {
  return cleanBlock(text).replace(/[\n\t]+/g, ' ');
}

export function cleanBlock(text: string): string {
  const shown = text
    .replace(SEQUENCES, '')
    .replace(LINE_ENDS, '\n')
    .replace(CONTROLS, '')
    .replace(INVISIBLE_CHARS, '')
    .replace(LONE_SURROGATES, '\ufffd');
  return maskKeys(shown);
}

/** Quotes text for a shell command that the user can copy. Escapes unsafe characters and masks keys. */
export function shellWord(given: string): string {
  const text = maskKeys(given);
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (clean(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${text.replace(/[\\']/g, '\\$&').replace(/[^\x20-\x7e]/g, charCodes)}'`;
}

export type Detail = readonly [name: string, text: string | undefined];

const PROSE_COLUMNS = 100;

const INDENT = '  ';

const NARROW_COLUMNS = 24;

export function details(rows: readonly Detail[], view: View, nameStyle: Style = 'dim'): string {
  const said = rows.flatMap(([name, text]) => (text ? [[clean(name), text] as const] : []));
  const column = INDENT.length + Math.max(0, ...said.map(([name]) => getWidth(name))) + 2;
  const isStacked = view.columns - column < NARROW_COLUMNS && column > NARROW_COLUMNS;
  return said
    .map(([name, text]) => {
      const painted = view.paint(nameStyle, name);
      if (isStacked) return hung(painted, INDENT.length, view) + hung(text, INDENT.length * 2, view);
      const gap = ' '.repeat(column - INDENT.length - getWidth(name));
      return INDENT + painted + gap + hung(text, column, view).trimStart();
    })
    .join('');
}

export function section(heading: string, body: string, view: View): string {
  return body === '' ? '' : `\n${view.paint('bold', heading)}\n${body}`;
}

export function prose(text: string, view: View, maxLines = Number.POSITIVE_INFINITY): string {
  const lines = wrap(cleanBlock(text).trim(), room(INDENT.length, view)).map((line) => line.trimEnd());
  const shown = view.isTerminal && lines.length > maxLines + 1 ? lines.slice(0, maxLines) : lines;
  const left = lines.length - shown.length;
  const more = left === 0 ? '' : `${INDENT}${view.paint('dim', `… ${left} more lines`)}\n`;
  return text.trim() === '' ? '' : `${shown.map((line) => `${INDENT}${line}`.trimEnd()).join('\n')}\n${more}`;
}

export function successText(text: string, view: View): string {
  return paragraph(`${view.paint('green', '✓')} ${text}`, view);
}

export function paragraph(text: string, { columns }: View): string {
  return `${wrap(text, columns).join('\n')}\n`;
}

/** Writes lines to stderr, wrapped. */
export async function say(streams: Streams, style: Style | undefined, said: string | readonly string[]) {
  const lines = [said].flat().flatMap((line) => wrap(clean(line), streams.columnsErr));
  if (lines.length > 0) await streams.writeErr(`${painter(streams.colourErr)(style, lines.join('\n'))}\n`);
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

export function fieldLines(fields: readonly (readonly [field: string, wrong: string])[], view: View): string {
  const rows = fields.map(([field, wrong]): Detail => {
    const flag = view.mend(field);
    const isNamed = flag === undefined || wrong.includes(flag);
    return [field, isNamed ? clean(wrong) : `${clean(wrong)} (${view.paint('cyan', flag)})`];
  });
  return details(rows, view);
}

export function jsonParts(value: unknown): Iterable<string> | AsyncIterable<string> {
  if (typeof value !== 'object' || value === null || !('items' in value)) return [jsonText(value)];
  const { items, ...more } = value;
  const isPending = typeof items === 'object' && items !== null && Symbol.asyncIterator in items;
  return isPending ? itemParts(items as AsyncIterable<unknown>, more) : [jsonText(value)];
}

async function* itemParts(items: AsyncIterable<unknown>, more: object): AsyncGenerator<string> {
  let before = '{\n  "items": [';
  for await (const item of items) {
    yield `${before}\n    ${jsonText(item).trimEnd().replaceAll('\n', '\n    ')}`;
    before = ',';
  }
  yield before === ',' ? '\n  ]' : `${before}]`;
  yield Object.keys(more).length === 0 ? '\n}\n' : `,${jsonText(more).slice(1)}`;
}

export function jsonText(value: unknown): string {
  const json = JSON.stringify(value, null, 2) ?? 'null';
  const visible = json.replace(/[\x7f-\x9f]/g, charCodes).replace(INVISIBLE_CHARS, charCodes);
  return `${escapeRunnerCommands(visible)}\n`;
}
