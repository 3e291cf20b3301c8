import { clipped, type FieldPath, fieldName } from '../problems.ts';

/** For people who do not know JSON's grammar. */
export type Wording = readonly [message: string, hint: string];

/** `openedAt` is the bracket or quote that the message speaks of. */
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

const ANYWHERE: readonly (readonly [found: RegExp, wording: (found: string) => Wording])[] = [
  [/\/\/|\/\*|#/y, (mark) => [`${mark} begins a comment; JSON has none`, 'take the comment out']],
  [/'/y, () => ['a single quote', 'JSON puts strings and field names in double quotes: "title"']],
  [
    /[\u2018-\u201f\u00ab\u00bb\u2039\u203a\u0060\u00b4]/y,
    (quote) => [`${quote} is not a quote that JSON knows`, 'write the straight double quote: "'],
  ],
  [
    /<<<<<<<|=======|>>>>>>>/y,
    (mark) => [`${mark} is left from a merge conflict`, 'resolve the conflict first'],
  ],
  [
    /[\p{Z}\p{Cc}\p{Cf}]/uy,
    (character) => [`an invisible character, ${codePointName(character)}`, 'replace it with a plain space'],
  ],
];

const FOREIGN_WORDS: Readonly<Record<string, readonly string[]>> = {
  true: ['true', 'yes', 'on'],
  false: ['false', 'no', 'off'],
  null: ['null', 'none', 'nil', 'undefined', 'nan', 'infinity', '-infinity'],
};

export function noValue(text: string, at: number, path: FieldPath): Wording {
  const anywhere = wrongAnywhere(text, at);
  if (anywhere !== undefined) return anywhere;
  const token = tokenAt(text, at);
  if (path.length === 0) return noListing(token);
  const of = typeof path.at(-1) === 'number' ? '' : ` of ${JSON.stringify(clipped(String(path.at(-1)), 40))}`;
  if (token === '') return [`the text ends where the value${of} should stand`, 'is the file cut off?'];
  if (/^[,:}\]]/.test(token)) {
    return [`the value${of} is missing before this ${token}`, 'write a value, or null'];
  }
  if (/^[-+.$€£]*(?:\d|$)/.test(token)) return notANumber(token);
  const meant = Object.keys(FOREIGN_WORDS).find((word) => FOREIGN_WORDS[word]?.includes(token.toLowerCase()));
  if (meant !== undefined) return [`${token} is not a value of JSON`, `write ${meant}`];
  return [`${token} is not in double quotes`, `write ${JSON.stringify(token)}`];
}

function noListing(token: string): Wording {
  if (token === '') return ['there is nothing but space', 'a JSON file holds at least {}'];
  const hint = 'a JSON file begins with {, or with [ where it holds several';
  if (token.startsWith('<')) return ['this looks like HTML or XML, not JSON', hint];
  return [`${token} is not how JSON begins`, hint];
}

/** A number as people write it and JSON does not: `0123`, `+5`, `85k`, `1_000`, `$15`. */
export function notANumber(written: string): Wording {
  const token = clipped(written, 40);
  const digits = token
    .replace(/[\s_',$€£+]/g, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/\.$/, '');
  const thousands = /^(-?\d+)k$/i.exec(digits);
  const meant = thousands ? `${thousands[1]}000` : digits;
  const isPlain = /^-?\d+(?:\.\d+)?$/.test(meant);
  return [
    `${token} is not a number that JSON knows`,
    isPlain ? `write ${meant}` : 'write it in digits alone, or in double quotes where it is text',
  ];
}

/** After `{` or a comma. */
export function noName(text: string, at: number): Wording {
  const anywhere = wrongAnywhere(text, at);
  if (anywhere !== undefined) return anywhere;
  const token = tokenAt(text, at);
  if (token === ',') return ['a comma too many', 'take it out'];
  if (/^[\p{L}_$]/u.test(token)) {
    return [`the field name ${token} is not in double quotes`, `write ${JSON.stringify(token)}`];
  }
  const hint = /^\d/.test(token)
    ? 'a number is written without a separator for thousands: 85000'
    : 'a field is written "title": "…"';
  return [`a field name should stand here, not ${token}`, hint];
}

export function noColon(text: string, at: number, path: FieldPath): Wording {
  const message = `a colon is missing after ${JSON.stringify(clipped(String(path.at(-1)), 40))}`;
  return [message, text.startsWith('=', at) ? 'JSON writes : where others write =' : 'write it in'];
}

export function noComma(text: string, at: number): Wording {
  const anywhere = wrongAnywhere(text, at);
  if (anywhere !== undefined) return anywhere;
  const token = tokenAt(text, at);
  const message = `a comma is missing before ${token.startsWith('"') ? quotedAt(text, at) : token}`;
  const isWord = /^\p{L}/u.test(token) && !/^(?:true|false|null)$/.test(token);
  return [message, isWord ? 'a quote inside a string is written \\"' : 'write it in'];
}

export function crossed(text: string, at: number, openedAt: number, close: string): Wording {
  return [
    `${text[at]} stands where ${close} should close the ${text[openedAt]}`,
    'one of the two is wrong, or one between them is missing',
  ];
}

export function unclosed(text: string, openedAt: number): Wording {
  return [`the text ends and the ${text[openedAt]} is not closed`, 'is the file cut off?'];
}

export function noEnd(text: string, at: number): Wording {
  const token = tokenAt(text, at);
  if (/^[,:}\]]/.test(token)) return [`a ${token} too many: everything is closed already`, 'take it out'];
  return (
    wrongAnywhere(text, at) ?? [
      `${token.startsWith('"') ? quotedAt(text, at) : token} stands after the end`,
      'several listings go into one list, [ { … }, { … } ], or one on each line of a file that ends in .ndjson',
    ]
  );
}

/** What cannot stand inside a string: a line break, a tab, another control character, the end. */
export function notInString(text: string, at: number): Wording {
  const code = text.charCodeAt(at);
  if (code === 0x09) return ['a tab inside a string', 'write \\t, or a space'];
  if (Number.isNaN(code) || code === 0x0a || code === 0x0d) {
    return ['a string is not closed', 'end it with ", and write a line break inside it as \\n'];
  }
  const name = codePointName(String.fromCharCode(code));
  return [`a control character, ${name}, inside a string`, 'take it out'];
}

export function noEscape(text: string, at: number): Wording {
  if (text.startsWith('u', at + 1)) {
    return ['\\u without four hexadecimal digits', 'write \\u00e9, or é itself'];
  }
  const next = String.fromCodePoint(text.codePointAt(at + 1) ?? 0x20);
  return [`\\${next} is not an escape of JSON`, 'a backslash itself is written \\\\'];
}

/** Pass no path if the limit may be exceeded deep inside it. */
export function nested(limit: number, path?: FieldPath): Wording {
  const what = path === undefined ? 'this' : clipped(fieldName(path), 40);
  return [`${what} is nested more than ${limit} levels deep`, 'no listing is'];
}

export function tooManyEntries(limit: number): Wording {
  return [
    `the array has more than ${limit.toLocaleString('en')} entries`,
    'write one listing on each line of a file that ends in .ndjson, or split the array into several files',
  ];
}

export function tooManyValues(limit: number, what: 'one listing' | 'the document' = 'one listing'): Wording {
  const hint = what === 'one listing' ? 'no listing does' : 'split it into several documents';
  return [`${what} has more than ${limit.toLocaleString('en')} values`, hint];
}

export function tooLong(limit: number): Wording {
  return [`one text has more than ${limit.toLocaleString('en')} characters`, 'no listing has'];
}

function wrongAnywhere(text: string, at: number): Wording | undefined {
  for (const [found, wording] of ANYWHERE) {
    found.lastIndex = at;
    const match = found.exec(text);
    if (match) return wording(match[0]);
  }
  return undefined;
}

/** The word, number or sign that stands at `at`; empty at the end. */
function tokenAt(text: string, at: number): string {
  const word = /[^\s,:{}[\]"]+/y;
  word.lastIndex = at;
  return clipped(word.exec(text.slice(0, at + 200))?.[0] ?? text.charAt(at), 40);
}

function quotedAt(text: string, at: number): string {
  const line = text.slice(at, at + 40).split(/[\r\n]/)[0] ?? '';
  return /^"[^"]*"/.exec(line)?.[0] ?? `${line}…`;
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
