import { PROBLEMS_MAX } from '../contract/problems.ts';
import { setOwn } from '../contract/values.ts';
import type { Mark } from './positions.ts';
import {
  chooseWording,
  describeExcess,
  describeNesting,
  type Expected,
  type FlawKind,
  type JsonFlaw,
  Malformed,
  notANumber,
  TooMuch,
} from './words.ts';

/** Listings have at most 5 levels. The limit prevents a stack overflow if a file contains only brackets. */
export const DEPTH_LIMIT = 64;

const ENTRIES_MAX = 200_000;
const IN_LINES = 'put one listing per line in an .ndjson file, or split the array into several files';
export const VALUES_MAX = 100_000;
export const DOCUMENT_VALUES_MAX = 1_000_000;

const SPACE = /[ \t\n\r]*/y;
const SPACE_OR_COMMENT = /[ \t\n\r]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_LIKE = /[-+$€£]?\.?\d[\w.+$€£'-]*/y;
const PLAIN_TEXT = /[^"\\\0-\x1f]*/y;
const RAW_TEXT = /[^"\\]*/y;
const RAW_TEXT_MAX = 1024 * 1024;
const CONTROL = /[\0-\x1f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

interface Dialect {
  readonly isJsonc?: boolean;
  readonly hasRawText?: boolean;
  readonly valuesMax?: number;
}

/** Parses strict JSON (RFC 8259) like `JSON.parse`. Records flaws, and positions down to `markDepth`. */
export class JsonReader {
  readonly flaws: JsonFlaw[] = [];
  flawsOmitted = 0;
  readonly root: Mark;
  values = 0;
  private valuesOfEntry = 0;
  private readonly path: (string | number)[] = [];
  private mark: Mark;
  private at: number;

  /** If `markDepth` is 0, array length isn't limited and unpaired surrogates aren't reported. */
  constructor(
    private readonly text: string,
    private readonly markDepth: number,
    start = 0,
    private readonly dialect: Dialect = {},
  ) {
    this.at = start;
    this.skipSpace();
    this.root = { start: this.at, nameStart: this.at };
    this.mark = this.root;
  }

  readWhole(): unknown {
    const value = this.readValue();
    this.skipSpace();
    if (this.at < this.text.length) this.throwMalformed('end');
    return value;
  }

  readValue(): unknown {
    switch (this.text[this.at]) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        return this.string();
      default:
        return this.number() ?? this.word();
    }
  }

  private object(): Record<string, unknown> {
    const openedAt = this.open();
    const object: Record<string, unknown> = {};
    if (this.takes('}')) return object;
    const nameStarts = new Map<string, number>();
    do {
      const nameStart = this.at;
      if (this.text[nameStart] !== '"') this.failOrEnd('name', openedAt);
      const name = this.string();
      this.path.push(name);
      this.skipSpace();
      if (!this.takes(':')) this.failOrEnd('colon', openedAt);
      this.skipSpace();
      const firstStart = nameStarts.get(name);
      if (firstStart === undefined) nameStarts.set(name, nameStart);
      else this.note({ rule: 'json-repeated-field', firstStart }, nameStart);
      setOwn(object, name, this.part(nameStart));
      this.path.pop();
    } while (this.continues('}', openedAt));
    return object;
  }

  private array(): unknown[] {
    const openedAt = this.open();
    const array: unknown[] = [];
    if (this.takes(']')) return array;
    do {
      this.path.push(array.length);
      array.push(this.part(this.at));
      this.path.pop();
    } while (this.continues(']', openedAt));
    return array;
  }

  private open(): number {
    if (this.path.length >= DEPTH_LIMIT)
      throw new Malformed(this.at, describeNesting(DEPTH_LIMIT, this.path.slice(0, 3)));
    const openedAt = this.at++;
    this.skipSpace();
    return openedAt;
  }

  private continues(close: '}' | ']', openedAt: number): boolean {
    this.skipSpace();
    const commaAt = this.at;
    if (this.takes(',')) {
      this.skipSpace();
      if (this.text[this.at] !== close) return true;
      if (this.dialect.isJsonc) return !this.takes(close);
      throw new Malformed(commaAt, [`unexpected comma before ${close}`, 'remove it']);
    }
    if (this.takes(close)) return false;
    const sign = this.text.charAt(this.at);
    if (!/[}\]]/.test(sign)) return this.failOrEnd('comma', openedAt);
    const message = `expected ${close} to close the ${this.text[openedAt]}, got ${sign}`;
    const hint = 'one of the two is wrong, or a bracket between them is missing';
    throw new Malformed(this.at, [message, hint], openedAt);
  }

  private part(nameStart: number): unknown {
    this.assertWithinBounds();
    const outer = this.mark;
    const isMarked = this.path.length <= this.markDepth;
    if (isMarked) {
      this.mark = { start: this.at, nameStart };
      outer.parts ??= new Map();
      outer.parts.set(this.path.at(-1) ?? '', this.mark);
    }
    const value = this.readValue();
    this.mark = outer;
    return value;
  }

  /** Limits values, because they need many times the memory of their text. */
  private assertWithinBounds(): void {
    const [index] = this.path;
    const isEntry = this.path.length === 1 && typeof index === 'number';
    this.valuesOfEntry = isEntry ? 0 : this.valuesOfEntry + 1;
    const { valuesMax = DOCUMENT_VALUES_MAX } = this.dialect;
    if (++this.values > valuesMax)
      this.stop('the document', DOCUMENT_VALUES_MAX, 'values', 'split it into several documents');
    if (this.markDepth === 0) return;
    if (isEntry && index >= ENTRIES_MAX) this.stop('the array', ENTRIES_MAX, 'entries', IN_LINES);
    if (this.valuesOfEntry > VALUES_MAX) this.stop('the listing', VALUES_MAX, 'values');
  }

  private stop(...excess: Parameters<typeof describeExcess>): never {
    throw new TooMuch(this.at, describeExcess(...excess));
  }

  private string(): string {
    const openedAt = this.at++;
    let hasEscapes = false;
    const plain = this.dialect.hasRawText ? RAW_TEXT : PLAIN_TEXT;
    for (;;) {
      this.at = matchEnd(plain, this.text, this.at);
      if (this.takes('"')) break;
      const sequence = matchPattern(ESCAPE, this.text, this.at);
      if (sequence === undefined) {
        const isOpen = this.at >= this.text.length || /[\r\n]/.test(this.text.charAt(this.at));
        const wording = chooseWording('string', this.text, this.at, this.path);
        throw new Malformed(isOpen ? openedAt : this.at, wording);
      }
      hasEscapes = true;
      this.at += sequence.length;
    }
    const literal = this.text.slice(openedAt, this.at);
    if (!hasEscapes) return literal.slice(1, -1);
    const text = JSON.parse(this.dialect.hasRawText ? withoutControls(literal, openedAt) : literal) as string;
    if (/\p{Surrogate}/u.test(text)) this.note({ rule: 'json-half-character' }, openedAt);
    return text;
  }

  private number(): number | undefined {
    const start = this.at;
    const literal = matchPattern(NUMBER, this.text, start);
    const written = matchPattern(NUMBER_LIKE, this.text, start);
    if (written !== literal) {
      const thousands = matchPattern(/(?:,\d{3}(?!\d))*/y, this.text, start + (written?.length ?? 0));
      throw new Malformed(start, notANumber(`${written ?? ''}${thousands ?? ''}`));
    }
    if (literal === undefined) return undefined;
    this.at += literal.length;
    const value = Number(literal);
    if (losesDigits(literal, value)) this.note({ rule: 'json-lost-digits', literal, value }, start);
    return value;
  }

  private word(): boolean | null {
    const found = matchPattern(/(?:true|false|null)(?![\w$])/y, this.text, this.at);
    if (found === undefined) return this.throwMalformed(this.path.length === 0 ? 'start' : 'value');
    this.at += found.length;
    return JSON.parse(found) as boolean | null;
  }

  private note(flaw: FlawKind, start: number): void {
    if (this.markDepth === 0 && flaw.rule === 'json-half-character') return;
    if (this.flaws.length < PROBLEMS_MAX) this.flaws.push({ ...flaw, path: [...this.path], start });
    else this.flawsOmitted++;
  }

  private takes(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private skipSpace(): void {
    const skipped = this.dialect.isJsonc ? SPACE_OR_COMMENT : SPACE;
    for (let before = -1; before < this.at; ) {
      before = this.at;
      this.at = matchEnd(skipped, this.text, before);
    }
    if (this.dialect.isJsonc && this.text.startsWith('/*', this.at)) this.throwMalformed('comment');
  }

  private throwMalformed(expected: Expected): never {
    throw new Malformed(this.at, chooseWording(expected, this.text, this.at, this.path));
  }

  private failOrEnd(expected: Expected, openedAt: number): never {
    if (this.at < this.text.length) this.throwMalformed(expected);
    throw new Malformed(this.at, chooseWording('close', this.text, openedAt, this.path), openedAt);
  }
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function matchPattern(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Throws TooMuch for a long text, because millions of matches need a gigabyte. */
function withoutControls(literal: string, at: number): string {
  if (literal.length > RAW_TEXT_MAX)
    throw new TooMuch(at, describeExcess('one string', RAW_TEXT_MAX, 'characters'));
  return literal.replace(CONTROL, (raw) => JSON.stringify(raw).slice(1, -1));
}

/** True if a whole number changes when parsed: above 2^53, or a fraction that is rounded to a whole number. */
function losesDigits(literal: string, value: number): boolean {
  if (literal.length <= 15 && !/[eE]/.test(literal)) return false;
  if (!Number.isFinite(value)) return true;
  if (!Number.isInteger(value)) return false;
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  if (value === 0) return /[1-9]/.test(mantissa);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/(?<!0)0+$/, '');
  const zeros = Number(exponent) + whole.length - digits.length;
  // From 10^23, a power of ten isn't exact, because 5^23 needs more than the 53 bits of a number.
  return zeros < 0 || zeros > 22 || BigInt(digits) * 10n ** BigInt(zeros) !== BigInt(value);
}
