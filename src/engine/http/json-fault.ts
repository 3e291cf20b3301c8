/** The first place where a text stops being JSON (RFC 8259); lines and columns count from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Finds what `JSON.parse` stumbled over; undefined where the text is JSON. The parser's own message is not
 * used: it differs between versions of Node and may hold the whole text.
 */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    scan(text);
    return undefined;
  } catch (fault) {
    if (fault instanceof Fault) return { ...lineAndColumn(text, fault.offset), message: fault.message };
    throw fault;
  }
}

class Fault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD_REST = /[\w.+-]/y;
const STRING_PART = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Closer = '}' | ']';

/** Walks the text with its own stack, so that no depth of nesting can overflow the program's. */
function scan(text: string): void {
  const open: Closer[] = [];
  let at = skip(SPACE, text, 0);
  for (;;) {
    const opened = closerOf(text[at]);
    if (opened === undefined) {
      at = scalar(text, at);
    } else {
      at = skip(SPACE, text, at + 1);
      if (text[at] !== opened) {
        open.push(opened);
        if (opened === '}') at = key(text, at);
        continue;
      }
      at++;
    }
    at = skip(SPACE, text, at);
    while (open.length > 0 && text[at] === open.at(-1)) {
      open.pop();
      at = skip(SPACE, text, at + 1);
    }
    const inside = open.at(-1);
    if (inside === undefined) break;
    at = comma(text, at, inside);
    if (inside === '}') at = key(text, at);
  }
  if (at < text.length) throw new Fault(at, `${shown(text, at)} follows the end of the document`);
}

function closerOf(character: string | undefined): Closer | undefined {
  if (character === '{') return '}';
  return character === '[' ? ']' : undefined;
}

function comma(text: string, at: number, inside: Closer): number {
  if (text[at] !== ',') throw new Fault(at, `expected a comma or ${inside}, not ${shown(text, at)}`);
  const after = skip(SPACE, text, at + 1);
  if (text[after] === '}' || text[after] === ']')
    throw new Fault(at, `a comma must not stand before ${inside}`);
  return after;
}

/** A field's name with its colon; returns where its value starts. */
function key(text: string, at: number): number {
  if (text[at] !== '"') throw new Fault(at, `expected a field name in double quotes, not ${shown(text, at)}`);
  const colon = skip(SPACE, text, string(text, at));
  if (text[colon] !== ':') throw new Fault(colon, `expected a colon, not ${shown(text, colon)}`);
  return skip(SPACE, text, colon + 1);
}

function scalar(text: string, at: number): number {
  if (text[at] === '"') return string(text, at);
  const end = skip(SCALAR, text, at);
  if (end === at || skip(WORD_REST, text, end) > end) {
    throw new Fault(at, `expected a value, not ${shown(text, at)}`);
  }
  return end;
}

function string(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    at = skip(STRING_PART, text, at);
    if (text[at] === '"') return at + 1;
    if (at >= text.length) throw new Fault(start, 'this string is not closed');
    if (text[at] !== '\\')
      throw new Fault(at, 'a line break or control character must be escaped in a string');
    const end = skip(ESCAPE, text, at);
    if (end === at) throw new Fault(at, 'this is not an escape that JSON knows');
    at = end;
  }
}

/** Where `pattern` ends when it is matched at `at`; `at` itself where it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function shown(text: string, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(point));
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 };
}
