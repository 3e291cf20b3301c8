import { PartnerError } from '../../contract/errors.ts';
import { type Position, positionsIn } from '../../contract/json/positions.ts';
import type { ReadBounds } from '../../contract/json/reading.ts';
import type { FieldPath } from '../../contract/problems.ts';
import { type Fault, type Finding, findingOf } from '../check/finding.ts';
import { type Chunks, chunksOf, collected, type Input, sizeFault, smallFile } from './bytes.ts';
import { beginsOnePerLine, headOf, showsLines } from './detect-ndjson.ts';
import { contentFault, type Decoded, decodeLine, decodeText, foreignFault } from './encoding.ts';
import { type JsonDocument, type JsonReading, readJson } from './json.ts';
import { type Line, linesOf } from './lines.ts';
import { otherFormat, otherShape } from './other-formats.ts';

/** One listing of a file, as it was written: not checked yet. */
export interface Listing {
  /** As the caller named it; `stdin` for `-`. */
  readonly file: string;
  /** Which listing of the file, from 0. */
  readonly index: number;
  /** What the file holds, without `$schema`. */
  readonly value: unknown;
  /** What was lost or ambiguous in the text; `checkListing` reports it with the rest. */
  readonly flaws: readonly Fault[];
  /** How many flaws there are beyond those. */
  readonly flawsOmitted?: number;
  /** Where a value stands, or its name; for what is missing, the nearest value around it. */
  locate(path: FieldPath, part?: 'value' | 'name'): Position;
}

/** A listing of a file, or what keeps the file, or a line of it, from being read as one. */
export type Entry = {
  /** How long its line is, in a file of lines. */
  readonly bytes?: number;
} & (
  | { readonly listing: Listing; readonly finding?: undefined }
  | { readonly listing?: undefined; readonly finding: Finding }
);

/** One listing has 1 MiB at most; a line may have as much again in spaces and escapes, and then some. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;

/** A set of more listings is for a file of lines, and no listing has so many values, whatever its limits are. */
const BOUNDS: ReadBounds = { entriesMax: 200_000, valuesMax: 100_000, flawsMax: 100 };

/** So much tells what is no text at all. */
const HEAD_BYTES = 4096;

/**
 * The text of a file, or of stdin where the name is `-`. Throws FILE_UNREADABLE where it cannot be opened
 * and FILE_INVALID where it is no UTF-8 text or larger than 32 MiB.
 */
export async function readInput(name: string, input: Input): Promise<string> {
  const fault = sizeFault(name);
  const reading = fault === undefined ? await textOf(chunksOf(name, input)) : { fault };
  if ('text' in reading) return reading.text;
  throw new PartnerError('FILE_INVALID', {
    message: `${shownName(name)}: ${reading.fault.message}`,
    hint: reading.fault.hint,
  });
}

/** Which listings of a file are to be read, by their index; the others are passed over, unparsed in a file of lines. */
export type IndexFilter = (index: number) => boolean;

/**
 * The listings of a job file, or of stdin where the name is `-`, in their order: one JobInput, an array of
 * them, or one on each line. A file of lines may be of any size and is read as it is consumed. What is wrong
 * with the content comes as findings; throws FILE_UNREADABLE only.
 */
export async function* entriesOf(name: string, input: Input, isWanted?: IndexFilter): AsyncGenerator<Entry> {
  const file = shownName(name);
  const fault = isOnePerLine(name) ? undefined : sizeFault(name);
  if (fault !== undefined) return yield { finding: findingOf(fault, { file, index: 0 }) };
  yield* entriesIn(file, chunksOf(name, input), isWanted);
}

/**
 * The same of a small file that holds one document, at once: most sets are many of those. Undefined for all else,
 * which `entriesOf` reads, or says why it cannot.
 */
export function smallDocument(name: string, isWanted?: IndexFilter): Iterable<Entry> | undefined {
  const bytes = isOnePerLine(name) ? undefined : smallFile(name);
  return bytes === undefined ? undefined : entriesOfDocument(shownName(name), decodeText(bytes), isWanted);
}

/** The same of chunks, which are closed at the end; `file` names them in findings, and by its ending says what they hold. */
export async function* entriesIn(
  file: string,
  chunks: AsyncGenerator<Buffer>,
  isWanted: IndexFilter = () => true,
): AsyncGenerator<Entry> {
  try {
    yield* entriesOfChunks(file, chunks, isWanted);
  } finally {
    // Wherever the reading has stopped, and if it has not begun.
    await chunks.return(undefined);
  }
}

async function* entriesOfChunks(file: string, chunks: Chunks, isWanted: IndexFilter): AsyncGenerator<Entry> {
  if (isOnePerLine(file)) return yield* lineEntries(file, chunks, isWanted);
  if (file !== 'stdin') return yield* documentEntries(file, chunks, isWanted);
  const { head, all } = await headOf(chunks, (begun) => begun.length > LINE_BYTES_MAX || showsLines(begun));
  yield* (beginsOnePerLine(head) ? lineEntries : documentEntries)(file, all, isWanted);
}

/** What is called by the name, as findings and reports call it. */
export function shownName(name: string): string {
  return name === '-' ? 'stdin' : name;
}

function isOnePerLine(name: string): boolean {
  return /\.(?:ndjson|jsonl)$/i.test(name);
}

async function* documentEntries(file: string, chunks: Chunks, isWanted: IndexFilter): AsyncGenerator<Entry> {
  yield* entriesOfDocument(file, await textOf(chunks), isWanted);
}

function* entriesOfDocument(file: string, reading: Decoded, isWanted?: IndexFilter): Generator<Entry> {
  if ('fault' in reading) yield { finding: findingOf(reading.fault, { file, index: 0 }) };
  else yield* entriesOfText(file, reading.text, isWanted);
}

/** The listings of a JSON document: a JobInput, or an array of them. */
export function* entriesOfText(
  file: string,
  text: string,
  isWanted: IndexFilter = () => true,
): Generator<Entry> {
  if (text.trim() === '') return yield emptyEntry(file);
  const reading = readJson(text, undefined, BOUNDS);
  const fault = reading.ok ? otherShape(reading.document.value) : otherFormat(text);
  if (fault !== undefined) return yield { finding: findingOf(fault, { file, index: 0 }) };
  let index = 0;
  for (const document of documentsOf(reading)) {
    if (isWanted(index)) yield entryOf(document, { file, index });
    index++;
  }
  if (index > 0) return;
  const empty = contentFault(
    'the array is empty: there is no listing in it',
    'add a listing, or leave the file out',
  );
  yield { finding: { ...findingOf(empty, { file, index: 0 }), level: 'warning' } };
}

function* documentsOf(reading: JsonReading): Generator<JsonReading> {
  if (!reading.ok || !Array.isArray(reading.document.value)) return yield reading;
  for (const document of reading.document.entries()) yield { ok: true, document };
}

/** One entry for each line that is not blank; a fault in one leaves the others as they are. */
async function* lineEntries(file: string, chunks: Chunks, isWanted: IndexFilter): AsyncGenerator<Entry> {
  const { head, all } = await headOf(chunks, ({ length }) => length >= HEAD_BYTES);
  const foreign = foreignFault(head.subarray(0, HEAD_BYTES));
  if (foreign !== undefined) return yield { finding: findingOf(foreign, { file, index: 0 }) };
  let index = 0;
  for await (const line of linesOf(all, LINE_BYTES_MAX)) {
    if (isBlank(line)) continue;
    if (isWanted(index)) yield { ...entryOf(readLine(line), { file, index }), bytes: line.bytes.length };
    index++;
  }
  if (index === 0) yield emptyEntry(file);
}

function readLine(line: Line): JsonReading {
  if (line.isTooLong) return { ok: false, fault: lineTooLong(line) };
  const decoded = decodeLine(line);
  if ('fault' in decoded) return { ok: false, fault: decoded.fault };
  const positionAt = positionsIn(decoded.text);
  const inLine = (offset: number) => ({ line: line.number, column: positionAt(offset).column });
  return readJson(decoded.text, inLine, BOUNDS);
}

function lineTooLong({ number }: Line): Fault {
  const hint =
    'a listing has at most 1 MiB: shorten its longest texts, or break the line between two listings';
  return {
    rule: 'body-size',
    message: `the line has more than ${LINE_BYTES_MAX / 1024 / 1024} MiB`,
    hint,
    line: number,
    column: 1,
  };
}

function isBlank({ bytes, isTooLong }: Line): boolean {
  return !isTooLong && bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0c));
}

async function textOf(chunks: Chunks): Promise<Decoded> {
  const reading = await collected(chunks);
  return 'fault' in reading ? reading : decodeText(reading.bytes);
}

function entryOf(reading: JsonReading, place: Pick<Listing, 'file' | 'index'>): Entry {
  if (!reading.ok) return { finding: findingOf(reading.fault, place) };
  const { document } = reading;
  const fault = otherShape(document.value);
  if (fault !== undefined) return { finding: findingOf({ ...fault, ...document.locate([]) }, place) };
  return { listing: listingOf(document, place) };
}

function emptyEntry(file: string): Entry {
  const hint = 'a job file holds a listing, { "title": "Welder", … }: `partner schema` shows its fields';
  return { finding: findingOf(contentFault('the file is empty', hint), { file, index: 0 }) };
}

function listingOf(document: JsonDocument, place: Pick<Listing, 'file' | 'index'>): Listing {
  const { value, flawsOmitted, locate } = document;
  const flaws = document.flaws.filter(({ path }) => path?.[0] !== '$schema');
  return { ...place, value: withoutSchema(value), flaws, flawsOmitted, locate };
}

/** cli.md, "A job file": `$schema` is for editors and not sent. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$schema' in value)) return value;
  const { $schema, ...listing } = value;
  return typeof $schema === 'string' ? listing : value;
}
