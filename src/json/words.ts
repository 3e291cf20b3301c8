import { clipText, type FieldPath, fieldName } from '../contract/problems.ts';
import words from './words.json' with { type: 'json' };

export type Wording = readonly [message: string, hint: string];

export type FlawKind =
  | { readonly rule: 'json-repeated-field'; readonly firstStart: number }
  | { readonly rule: 'json-lost-digits'; readonly literal: string; readonly value: number }
  | { readonly rule: 'json-half-character' };

export type JsonFlaw = FlawKind & { readonly path: FieldPath; readonly start: number };

export class Malformed extends Error {
  readonly hint: string;

  constructor(
    readonly at: number,
    [message, hint]: Wording,
    readonly openedAt?: number,
  ) {
    super(message);
    this.hint = hint;
  }
}

export class TooMuch extends Malformed {}

/** What JSON requires at a position: `end` is the end of the text, and `close` is a closing bracket. */
export type Expected = keyof typeof words.expected;

type Row = { readonly at: string; readonly flags?: string } & Record<'message' | 'hint', string>;

const compileRow = ({ at, flags = 'u', ...wording }: Row) => ({ ...wording, pattern: new RegExp(at, flags) });
const ANYWHERE = words.anywhere.rows.map(compileRow);
const ROWS = new Map(
  Object.entries<Row[]>(words.expected).map(([name, rows]) => [name, rows.map(compileRow)]),
);

export function chooseWording(expected: Expected, text: string, at: number, path: FieldPath): Wording {
  const rest = text.slice(at, at + 200);
  const token = readToken(rest);
  const subject = expected === 'string' ? rest : token;
  const common = words.anywhere.in.includes(expected) ? ANYWHERE : [];
  const row = [...common, ...(ROWS.get(expected) ?? [])].find(({ pattern }) => pattern.test(subject));
  const [found = ''] = row?.pattern.exec(subject) ?? [];
  const field = path.at(-1);
  const name = JSON.stringify(clipText(String(field), 40));
  const values = {
    found,
    token,
    name,
    quoted: JSON.stringify(token),
    of: typeof field === 'number' ? '' : ` of ${name}`,
    code: `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
    number: numberHint(token),
  };
  return [fillTemplate(row?.message ?? '', values), fillTemplate(row?.hint ?? '', values)];
}

/** Replaces each `$name` with the value of that name. */
export function fillTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\$(\w+)/g, (_, name: string) => String(values[name] ?? ''));
}

function readToken(text: string): string {
  const [line] = /^"[^\r\n]*/.exec(text.slice(0, 40)) ?? [];
  if (line !== undefined) return /^"[^"]*"/.exec(line)?.[0] ?? `${line}…`;
  return clipText(/^[^\s,:{}[\]"]+/.exec(text)?.[0] ?? text.charAt(0), 40);
}

export function notANumber(written: string): Wording {
  const token = clipText(written, 40);
  return [`${token} isn't a valid JSON number`, numberHint(token)];
}

function numberHint(token: string): string {
  const digits = token
    .replace(/[\s_',$€£+]/g, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/\.$/, '');
  const meant = /^-?\d+k$/i.test(digits) ? `${digits.slice(0, -1)}000` : digits;
  const isPlain = /^-?\d+(?:\.\d+)?$/.test(meant);
  return isPlain ? `use ${meant}` : 'use digits only, or double quotes if it is text';
}

export function describeNesting(limit: number, path?: FieldPath): Wording {
  const what = path === undefined ? 'this' : clipText(fieldName(path), 40);
  return [`${what} is nested more than ${limit} levels deep`, 'a valid listing is nested far less'];
}

export function describeExcess(what: string, limit: number, unit: string, hint?: string): Wording {
  return [
    `${what} has more than ${limit.toLocaleString('en')} ${unit}`,
    hint ?? 'a valid listing has far fewer',
  ];
}
