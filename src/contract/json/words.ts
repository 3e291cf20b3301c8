import { clipped, type FieldPath, fieldName } from '../problems.ts';

/** What is wrong with a text that is no JSON, in words for people who do not know its grammar. */
export interface Wording {
  readonly message: string;
  readonly hint?: string;
}

/** What people write outside of strings, wherever JSON would have something else. */
const ANYWHERE: readonly (readonly [found: RegExp, wording: (found: string) => Wording])[] = [
  [
    /\/\/|\/\*|#/y,
    (mark) => ({ message: `${mark} begins a comment; JSON has none`, hint: 'take the comment out' }),
  ],
  [
    /'/y,
    () => ({
      message: 'a single quote',
      hint: 'JSON puts strings and field names in double quotes: "title"',
    }),
  ],
  [
    /[\u2018-\u201f\u00ab\u00bb\u2039\u203a\u0060\u00b4]/y,
    (quote) => ({
      message: `${quote} is not a quote that JSON knows`,
      hint: 'write the straight double quote: "',
    }),
  ],
  [
    /<<<<<<<|=======|>>>>>>>/y,
    (mark) => ({ message: `${mark} is left from a merge conflict`, hint: 'resolve the conflict first' }),
  ],
  [
    /[\p{Z}\p{Cc}\p{Cf}]/uy,
    (character) => ({
      message: `an invisible character, ${codePointName(character)}`,
      hint: 'replace it with a plain space',
    }),
  ],
];

/** Words that stand for a value in other languages. */
const FOREIGN_WORDS: Readonly<Record<string, string>> = {
  true: 'true',
  yes: 'true',
  on: 'true',
  false: 'false',
  no: 'false',
  off: 'false',
  null: 'null',
  none: 'null',
  nil: 'null',
  undefined: 'null',
  nan: 'null',
  infinity: 'null',
  '-infinity': 'null',
};

/** No value begins at `at`, where the value of `path` should. */
export function noValue(text: string, at: number, path: FieldPath): Wording {
  const anywhere = wrongAnywhere(text, at);
  if (anywhere !== undefined) return anywhere;
  const token = tokenAt(text, at);
  if (path.length === 0) return noListing(token);
  const of = typeof path.at(-1) === 'number' ? '' : ` of ${JSON.stringify(clipped(String(path.at(-1)), 40))}`;
  if (token === '')
    return { message: `the text ends where the value${of} should stand`, hint: 'is the file cut off?' };
  if (/^[,:}\]]/.test(token))
    return { message: `the value${of} is missing before this ${token}`, hint: 'write a value, or null' };
  if (/^[-+.$€£]*(?:\d|$)/.test(token)) return notANumber(token);
  const meant = FOREIGN_WORDS[token.toLowerCase()];
  if (meant !== undefined) return { message: `${token} is not a value of JSON`, hint: `write ${meant}` };
  return { message: `${token} is not in double quotes`, hint: `write ${JSON.stringify(token)}` };
}

function noListing(token: string): Wording {
  if (token === '') return { message: 'there is nothing but space', hint: 'a JSON file holds at least {}' };
  const hint = 'a JSON file begins with {, or with [ where it holds several';
  if (token.startsWith('<')) return { message: 'this looks like HTML or XML, not JSON', hint };
  return { message: `${token} is not how JSON begins`, hint };
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
  return {
    message: `${token} is not a number that JSON knows`,
    hint: isPlain ? `write ${meant}` : 'write it in digits alone, or in double quotes where it is text',
  };
}

/** No field name begins at `at`, after `{` or a comma. */
export function noName(text: string, at: number): Wording {
  const anywhere = wrongAnywhere(text, at);
  if (anywhere !== undefined) return anywhere;
  const token = tokenAt(text, at);
  if (token === ',') return { message: 'a comma too many', hint: 'take it out' };
  if (/^\d/.test(token)) {
    return {
      message: `a field name should stand here, not ${token}`,
      hint: 'a number is written without a separator for thousands: 85000',
    };
  }
  if (/^[\p{L}_$]/u.test(token)) {
    return {
      message: `the field name ${token} is not in double quotes`,
      hint: `write ${JSON.stringify(token)}`,
    };
  }
  return { message: `a field name should stand here, not ${token}`, hint: 'a field is written "title": "…"' };
}

/** Something other than a colon follows a field's name. */
export function noColon(text: string, at: number, path: FieldPath): Wording {
  const message = `a colon is missing after ${JSON.stringify(clipped(String(path.at(-1)), 40))}`;
  return { message, hint: text.startsWith('=', at) ? 'JSON writes : where others write =' : 'write it in' };
}

/** Neither a comma nor the closing bracket follows an entry. */
export function noComma(text: string, at: number): Wording {
  const anywhere = wrongAnywhere(text, at);
  if (anywhere !== undefined) return anywhere;
  const token = tokenAt(text, at);
  const message = `a comma is missing before ${token.startsWith('"') ? quotedAt(text, at) : token}`;
  const isWord = /^\p{L}/u.test(token) && !/^(?:true|false|null)$/.test(token);
  return isWord
    ? { message, hint: 'a quote inside a string is written \\"' }
    : { message, hint: 'write it in' };
}

/** A comma stands before the bracket that closes. */
export function trailingComma(close: string): Wording {
  return { message: `a comma before ${close} is one too many`, hint: 'take it out' };
}

/** Another kind of bracket closes than was opened. */
export function crossed(text: string, at: number, openedAt: number, close: string): Wording {
  return {
    message: `${text[at]} stands where ${close} should close the ${text[openedAt]}`,
    hint: 'one of the two is wrong, or one between them is missing',
  };
}

/** The text is over, and a bracket is still open. */
export function unclosed(text: string, openedAt: number): Wording {
  return { message: `the text ends and the ${text[openedAt]} is not closed`, hint: 'is the file cut off?' };
}

/** Something follows where the one value of the text has ended. */
export function noEnd(text: string, at: number): Wording {
  const token = tokenAt(text, at);
  if (/^[,:}\]]/.test(token))
    return { message: `a ${token} too many: everything is closed already`, hint: 'take it out' };
  return (
    wrongAnywhere(text, at) ?? {
      message: `${token.startsWith('"') ? quotedAt(text, at) : token} stands after the end`,
      hint: 'several listings go into one list, [ { … }, { … } ], or one on each line of a file that ends in .ndjson',
    }
  );
}

/** What cannot stand inside a string: a line break, a tab, another control character, the end. */
export function notInString(text: string, at: number): Wording {
  const code = text.charCodeAt(at);
  if (code === 0x09) return { message: 'a tab inside a string', hint: 'write \\t, or a space' };
  if (Number.isNaN(code) || code === 0x0a || code === 0x0d) {
    return {
      message: 'a string is not closed',
      hint: 'end it with ", and write a line break inside it as \\n',
    };
  }
  const name = codePointName(String.fromCharCode(code));
  return { message: `a control character, ${name}, inside a string`, hint: 'take it out' };
}

/** What follows a backslash and is none of JSON's escapes. */
export function noEscape(text: string, at: number): Wording {
  if (text.startsWith('u', at + 1)) {
    return { message: '\\u without four hexadecimal digits', hint: 'write \\u00e9, or é itself' };
  }
  const next = String.fromCodePoint(text.codePointAt(at + 1) ?? 0x20);
  return { message: `\\${next} is not an escape of JSON`, hint: 'a backslash itself is written \\\\' };
}

/** The value of `path` as a sentence names it. */
export function nested(path: FieldPath, limit: number): Wording {
  return {
    message: `${clipped(fieldName(path), 40)} is nested more than ${limit} levels deep`,
    hint: 'no listing is',
  };
}

/** An array holds more entries than are read. */
export function tooManyEntries(limit: number): Wording {
  return {
    message: `the array has more than ${limit.toLocaleString('en')} entries`,
    hint: 'write one listing on each line of a file that ends in .ndjson, or split the array into several files',
  };
}

/** One listing holds more values than are read. */
export function tooManyValues(limit: number): Wording {
  return {
    message: `one listing has more than ${limit.toLocaleString('en')} values`,
    hint: 'no listing does',
  };
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

/** The string that begins at `at`, as far as its line goes. */
function quotedAt(text: string, at: number): string {
  const line = text.slice(at, at + 40).split(/[\r\n]/)[0] ?? '';
  return /^"[^"]*"/.exec(line)?.[0] ?? `${line}…`;
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
