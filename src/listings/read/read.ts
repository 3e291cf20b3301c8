import { PartnerError } from '../../contract/errors.ts';
import { positionsIn } from '../../contract/json/positions.ts';
import { isObject } from '../../contract/values.ts';
import { contentFault, type Fault, findingOf } from '../check/finding.ts';
import { type Bytes, type Chunks, chunksOf, collected, documentOf, type Input, mebibytes } from './bytes.ts';
import { formatOf, type ReadFormat, type ReadOptions, readerOf } from './formats.ts';
import { type JsonReading, listingsOfJson, readJson } from './json.ts';
import type { DocumentReading, Entry, Listing } from './listing.ts';
import { decodeText, decodeUtf8, EMPTY_FILE, foreignFault, otherShape } from './other-formats.ts';

/** One listing has 1 MiB at most; a line may have as much again in spaces and escapes, and then some. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;

/** A set of more is applied in parts. */
export const LISTINGS_MAX = 200_000;

/** Blank lines take time, too. */
const LINES_MAX = 1_000_000;

/** The first line of stdin shows whether it has one listing on each line. */
const HEAD_BYTES_MAX = 1024 * 1024;

/** The text of a file, or of stdin for `-`. Throws FILE_UNREADABLE, and FILE_INVALID for what is no UTF-8 or too large. */
export async function readInput(name: string, input: Input): Promise<string> {
  const document = await documentOf(name, input);
  const reading = 'fault' in document ? document : decodeText(document.bytes);
  if ('text' in reading) return reading.text;
  throw new PartnerError('FILE_INVALID', {
    message: `${shownName(name)}: ${reading.fault.message}`,
    hint: reading.fault.hint,
  });
}

/** The listings of a file, or of stdin for `-`; a file of lines may be of any size. Throws as `chunksOf` does. */
export async function* entriesOf(
  name: string,
  input: Input,
  options: ReadOptions = {},
): AsyncGenerator<Entry> {
  const file = shownName(name);
  const format = formatOf(name) ?? options.format;
  const reader = format && readerOf(format);
  if (format === 'ndjson') yield* lineEntries(file, chunksOf(name, input));
  else if (name === '-' && format === undefined) yield* stdinEntries(file, chunksOf(name, input));
  else if (reader === undefined) yield* documentEntries(file, await documentOf(name, input));
  else yield* fileEntries(file, await documentOf(name, input), await reader(), options);
}

async function* fileEntries(
  file: string,
  document: Bytes,
  read: ReadFormat,
  options: ReadOptions,
): AsyncGenerator<Entry> {
  if ('fault' in document) return yield { finding: findingOf(document.fault, { file, index: 0 }) };
  let index = 0;
  for await (const reading of read(document.bytes, options)) yield entryOf(reading, { file, index: index++ });
  if (index === 0) yield emptyList(file);
}

async function* stdinEntries(file: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Entry> {
  let head = Buffer.alloc(0);
  try {
    while (head.length <= HEAD_BYTES_MAX && !showsLines(head)) {
      const { done, value } = await chunks.next();
      if (done) break;
      head = Buffer.concat([head, value]);
    }
    const all = joined(head, chunks);
    if (isNdjson(head)) yield* lineEntries(file, all);
    else yield* documentEntries(file, await collected(all));
  } finally {
    await chunks.return(undefined);
  }
}

async function* joined(head: Buffer, rest: Chunks): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

const TWO_LINES = /^\s*(\S[^\r\n]*)[\r\n]\s*(\S)/;

/** True where `head` shows whether the file has one listing on each line. */
function showsLines(head: Buffer): boolean {
  return head.includes(LF) && TWO_LINES.test(head.toString());
}

/** True where the first line is a listing, or a broken one: no document has `{` on the line after `}`. */
function isNdjson(head: Buffer): boolean {
  const [, first = '', next] = TWO_LINES.exec(head.toString()) ?? [];
  if (!first.startsWith('{')) return false;
  return readJson(first).ok || (next === '{' && /\}\s*$/.test(first));
}

export function shownName(name: string): string {
  return name === '-' ? 'stdin' : name;
}

function* documentEntries(file: string, document: Bytes): Generator<Entry> {
  const reading = 'fault' in document ? document : decodeText(document.bytes);
  if ('fault' in reading) yield { finding: findingOf(reading.fault, { file, index: 0 }) };
  else yield* entriesOfText(file, reading.text);
}

export function* entriesOfText(file: string, text: string): Generator<Entry> {
  let index = 0;
  for (const reading of listingsOfJson(text)) yield entryOf(reading, { file, index: index++ });
  if (index === 0) yield emptyList(file);
}

function emptyList(file: string): Entry {
  const empty = contentFault(
    'the array is empty: there is no listing in it',
    'add a listing, or leave the file out',
  );
  return { finding: { ...findingOf(empty, { file, index: 0 }), level: 'warning' } };
}

async function* lineEntries(file: string, chunks: Chunks): AsyncGenerator<Entry> {
  let index = 0;
  for await (const line of linesOf(chunks, LINE_BYTES_MAX)) {
    const foreign = line.number === 1 ? foreignFault(line.bytes) : undefined;
    if (foreign !== undefined) return yield { finding: findingOf(foreign, { file, index }) };
    const reading = line.number > LINES_MAX ? { ok: false as const, fault: tooManyLines() } : readLine(line);
    if (reading !== undefined) yield entryOf(reading, { file, index: index++ });
    if (line.number > LINES_MAX) return;
  }
  if (index === 0) yield { finding: findingOf(EMPTY_FILE, { file, index: 0 }) };
}

interface Line {
  readonly bytes: Buffer;
  readonly number: number;
  readonly bytesBefore: number;
  /** True where it is longer than it may be: `bytes` is its beginning, and no line follows. */
  readonly isTooLong: boolean;
}

const LF = 0x0a;

/** The lines of a file, which end with LF or CRLF; a CR stays, as JSON takes it for a space. */
async function* linesOf(chunks: Chunks, bytesMax: number): AsyncGenerator<Line> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let number = 0;
  let bytesBefore = 0;
  const lineWith = (end: Buffer): Line => {
    const bytes = held.length === 0 ? end : Buffer.concat([...held, end]);
    number++;
    const line = { bytes, number, bytesBefore, isTooLong: bytes.length > bytesMax };
    [held, heldBytes, bytesBefore] = [[], 0, bytesBefore + bytes.length + 1];
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      const line = lineWith(chunk.subarray(from, end));
      yield line;
      if (line.isTooLong) return;
      from = end + 1;
    }
    held.push(chunk.subarray(from));
    heldBytes += chunk.length - from;
    if (heldBytes > bytesMax) return yield lineWith(Buffer.alloc(0));
  }
  if (heldBytes > 0) yield lineWith(Buffer.alloc(0));
}

/** Undefined for a blank line. */
function readLine({ bytes, number, bytesBefore, isTooLong }: Line): JsonReading | undefined {
  if (isTooLong) return { ok: false, fault: { ...LINE_TOO_LONG, line: number } };
  const decoded = decodeUtf8(bytes, bytesBefore);
  if ('fault' in decoded) return { ok: false, fault: { ...decoded.fault, line: number } };
  if (decoded.text.trim() === '') return undefined;
  const positionAt = positionsIn(decoded.text);
  const inLine = (offset: number) => ({ line: number, column: positionAt(offset).column });
  return readJson(decoded.text, inLine);
}

const LINE_TOO_LONG = contentFault(
  `the line has more than ${mebibytes(LINE_BYTES_MAX)} MiB, and the file is read no further`,
  'a listing has at most 1 MiB: shorten its longest texts, or break the line between two listings',
);

/** Made on use: formatting a number takes 10 ms the first time. */
const tooManyLines = (): Fault => ({
  ...contentFault(
    `the file has more than ${LINES_MAX.toLocaleString('en')} lines, and is read no further`,
    'take empty lines out, or split the file',
  ),
  line: LINES_MAX + 1,
});

function entryOf(reading: DocumentReading, place: Pick<Listing, 'file' | 'index'>): Entry {
  if (!reading.ok) {
    const others = (reading.others ?? []).map((fault) => findingOf(fault, place));
    return { finding: findingOf(reading.fault, place), others };
  }
  const { document } = reading;
  const fault = otherShape(document.value);
  if (fault !== undefined) return { finding: findingOf({ ...fault, ...document.locate([]) }, place) };
  const { flawsOmitted, locate, advice } = document;
  const { value, key } = contentAndKey(document.value);
  const flaws = document.flaws.filter(({ path }) => path?.[0] !== '$schema');
  const isText = typeof key === 'string' && key.trim() !== '';
  if (key !== undefined && !isText) flaws.push({ ...NO_KEY, ...locate(['key']) });
  return {
    listing: {
      ...place,
      value,
      ...(isText && { key: key.trim() }),
      flaws,
      flawsOmitted,
      locate,
      ...(advice && { advice }),
    },
  };
}

const NO_KEY: Omit<Fault, 'line' | 'column'> = {
  rule: 'invalid-value',
  path: ['key'],
  message: 'must be a string',
  hint: 'set a name that is unique in the file: "key": "nurse-austin"',
};

/** `$schema` is for editors. `key` identifies a listing in its file. Neither is sent (docs/job-files.md). */
function contentAndKey(value: unknown): { readonly value: unknown; readonly key?: unknown } {
  if (!isObject(value)) return { value };
  const { $schema, key, ...listing } = value;
  return {
    value: $schema === undefined || typeof $schema === 'string' ? listing : { $schema, ...listing },
    key,
  };
}
