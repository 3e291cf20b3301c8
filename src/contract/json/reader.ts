import { type FieldPath, PROBLEMS_MAX } from '../problems.ts';
import * as words from './words.ts';

/** Where a value begins, where its name does (the value itself, in an array), and the marks of its parts. */
export interface Mark {
  readonly start: number;
  readonly nameStart: number;
  parts?: Map<string | number, Mark>;
}

type FlawKind =
  | { readonly kind: 'repeated-name'; readonly firstStart: number }
  | { readonly kind: 'lost-digits'; readonly literal: string; readonly value: number }
  | { readonly kind: 'half-character' };

/** What JSON allows and would silently lose something of the file. */
export type JsonFlaw = FlawKind & { readonly path: FieldPath; readonly start: number };

/** No listing nests deeper than 5; the limit keeps a file of brackets from exhausting the stack. */
export const DEPTH_LIMIT = 64;

/** A set of more listings is for a file of lines, and no listing has so many values. */
const ENTRIES_MAX = 200_000;
export const VALUES_MAX = 100_000;
/** Limit for a document of listings or postings. The smallest take 100 bytes each. */
export const DOCUMENT_VALUES_MAX = 1_000_000;

const SPACE = /[ \t\n\r]*/y;
/** Empty where nothing is left to pass over. */
const SPACE_OR_COMMENT = /[ \t\n\r]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_LIKE = /[-+$€£]?\.?\d[\w.+$€£'-]*/y;
const WORDS = { true: true, false: false, null: null } as const;
const PLAIN_TEXT = /[^"\\\0-\x1f]*/y;
const RAW_TEXT = /[^"\\]*/y;
const RAW_TEXT_MAX = 1024 * 1024;
const CONTROL = /[\0-\x1f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

interface Dialect {
  /** Allows comments, and a comma behind the last entry. */
  readonly isJsonc?: boolean;
  /** Allows line breaks and other control characters in strings, as the JSON of web pages has them. */
  readonly hasRawText?: boolean;
  readonly valuesMax?: number;
}

/** Reads strict JSON (RFC 8259) as `JSON.parse` does, and keeps flaws and marks of each part down to `markDepth`. */
export class JsonReader {
  readonly flaws: JsonFlaw[] = [];
  flawsOmitted = 0;
  readonly root: Mark;
  values = 0;
  private valuesOfEntry = 0;
  private readonly path: (string | number)[] = [];
  private mark: Mark;
  private at: number;

  /** Without marks it reads a text of any size, and passes over half characters: they are still in the value. */
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
    if (this.at < this.text.length) this.fail(words.noEnd(this.text, this.at));
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
      if (this.text[nameStart] !== '"') this.failOrEnd(words.noName, openedAt);
      const name = this.string();
      this.path.push(name);
      this.skipSpace();
      if (!this.takes(':')) this.failOrEnd((text, at) => words.noColon(text, at, this.path), openedAt);
      this.skipSpace();
      this.noteRepeat(nameStarts, name, nameStart);
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
    if (this.path.length >= DEPTH_LIMIT) this.fail(words.nested(DEPTH_LIMIT, this.path.slice(0, 3)));
    const openedAt = this.at++;
    this.skipSpace();
    return openedAt;
  }

  /** After an entry: true where a comma and a further entry follow, false behind the closing bracket. */
  private continues(close: '}' | ']', openedAt: number): boolean {
    this.skipSpace();
    const commaAt = this.at;
    if (this.takes(',')) {
      this.skipSpace();
      if (this.text[this.at] !== close) return true;
      if (this.dialect.isJsonc) return !this.takes(close);
      throw new words.Malformed(commaAt, [`a comma before ${close} is one too many`, 'take it out']);
    }
    if (this.takes(close)) return false;
    if (/[}\]]/.test(this.text.charAt(this.at))) {
      throw new words.Malformed(this.at, words.crossed(this.text, this.at, openedAt, close), openedAt);
    }
    return this.failOrEnd(words.noComma, openedAt);
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

  /** A value takes many times the memory of its text. */
  private assertWithinBounds(): void {
    const { valuesMax = this.markDepth === 0 ? Number.POSITIVE_INFINITY : DOCUMENT_VALUES_MAX } =
      this.dialect;
    const index = this.path.length === 1 ? this.path[0] : undefined;
    const isEntry = typeof index === 'number';
    this.valuesOfEntry = isEntry ? 0 : this.valuesOfEntry + 1;
    if (++this.values > valuesMax)
      throw new words.TooMuch(this.at, words.tooManyValues(DOCUMENT_VALUES_MAX, 'the document'));
    if (this.markDepth === 0) return;
    if (isEntry && index >= ENTRIES_MAX) throw new words.TooMuch(this.at, words.tooManyEntries(ENTRIES_MAX));
    if (this.valuesOfEntry > VALUES_MAX) throw new words.TooMuch(this.at, words.tooManyValues(VALUES_MAX));
  }

  private string(): string {
    const openedAt = this.at++;
    let hasEscapes = false;
    const plain = this.dialect.hasRawText ? RAW_TEXT : PLAIN_TEXT;
    for (;;) {
      this.at += matchAt(plain, this.text, this.at)?.length ?? 0;
      if (this.takes('"')) break;
      const sequence = matchAt(ESCAPE, this.text, this.at);
      if (sequence === undefined) this.failInString(openedAt);
      hasEscapes = true;
      this.at += sequence.length;
    }
    const literal = this.text.slice(openedAt, this.at);
    if (!hasEscapes) return literal.slice(1, -1);
    const text = JSON.parse(this.dialect.hasRawText ? withoutControls(literal, openedAt) : literal) as string;
    if (/\p{Surrogate}/u.test(text)) this.note({ kind: 'half-character' }, openedAt);
    return text;
  }

  private failInString(openedAt: number): never {
    const { text, at } = this;
    if (text[at] === '\\') throw new words.Malformed(at, words.noEscape(text, at));
    const isOpen = at >= text.length || /[\r\n]/.test(text.charAt(at));
    throw new words.Malformed(isOpen ? openedAt : at, words.notInString(text, at));
  }

  private number(): number | undefined {
    const start = this.at;
    const literal = matchAt(NUMBER, this.text, start);
    const written = matchAt(NUMBER_LIKE, this.text, start);
    if (written !== literal) {
      const thousands = matchAt(/(?:,\d{3}(?!\d))*/y, this.text, start + (written?.length ?? 0));
      this.fail(words.notANumber(`${written ?? ''}${thousands ?? ''}`));
    }
    if (literal === undefined) return undefined;
    this.at += literal.length;
    const value = Number(literal);
    if (losesDigits(literal, value)) this.note({ kind: 'lost-digits', literal, value }, start);
    return value;
  }

  private word(): boolean | null {
    const found = matchAt(/(?:true|false|null)(?![\w$])/y, this.text, this.at);
    if (found === undefined) return this.fail(words.noValue(this.text, this.at, this.path));
    this.at += found.length;
    return WORDS[found as keyof typeof WORDS];
  }

  private noteRepeat(nameStarts: Map<string, number>, name: string, nameStart: number): void {
    const firstStart = nameStarts.get(name);
    if (firstStart === undefined) nameStarts.set(name, nameStart);
    else this.note({ kind: 'repeated-name', firstStart }, nameStart);
  }

  private note(flaw: FlawKind, start: number): void {
    if (this.markDepth === 0 && flaw.kind === 'half-character') return;
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
    for (let length = 1; length > 0; this.at += length) {
      length = matchAt(skipped, this.text, this.at)?.length ?? 0;
    }
    if (this.dialect.isJsonc && this.text.startsWith('/*', this.at))
      this.fail(['a comment is not closed', 'end it with */']);
  }

  private fail(wording: words.Wording): never {
    throw new words.Malformed(this.at, wording);
  }

  /** Where the text is over, it is the open bracket that is wrong. */
  private failOrEnd(wording: (text: string, at: number) => words.Wording, openedAt: number): never {
    if (this.at < this.text.length) this.fail(wording(this.text, this.at));
    throw new words.Malformed(this.at, words.unclosed(this.text, openedAt), openedAt);
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Throws TooMuch for a long text: millions of matches take a gigabyte. */
function withoutControls(literal: string, at: number): string {
  if (literal.length > RAW_TEXT_MAX) throw new words.TooMuch(at, words.tooLong(RAW_TEXT_MAX));
  return literal.replace(CONTROL, (raw) => JSON.stringify(raw).slice(1, -1));
}

/** As `JSON.parse`: a field called `__proto__` is a field, and no prototype. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** True where a whole number is not the one that was written: past 2^53, or rounded to it from a fraction. */
function losesDigits(literal: string, value: number): boolean {
  if (literal.length <= 15 && !/[eE]/.test(literal)) return false;
  if (!Number.isFinite(value)) return true;
  if (!Number.isInteger(value)) return false;
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  if (value === 0) return /[1-9]/.test(mantissa);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/(?<!0)0+$/, '');
  const zeros = Number(exponent) + whole.length - digits.length;
  // Five to the power of 23 needs more bits than a number has.
  return zeros < 0 || zeros > 22 || BigInt(digits) * 10n ** BigInt(zeros) !== BigInt(value);
}
