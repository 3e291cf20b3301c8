import { PartnerError } from '../../contract/errors.ts';
import { clipText } from '../../contract/problems.ts';
import { isObject } from '../../contract/values.ts';
import { parseDollars } from '../../contract/words.ts';
import { createPositionFinder } from '../../json/positions.ts';
import { contentFault, type Fault, toFinding } from '../check/finding.ts';
import {
  type Bytes,
  type Chunks,
  collectChunks,
  formatMebibytes,
  type Input,
  readChunks,
  readWholeFile,
} from './bytes.ts';
import { findFormat, loadReader, type ReadOptions } from './formats.ts';
import { type JsonReading, readJson, readJsonText } from './json.ts';
import type { DocumentReading, Entry, Listing, ListingDocument, ReadFormat } from './listing.ts';
import { decodeText, decodeUtf8, EMPTY_FILE, foreignFault, otherShape } from './other-formats.ts';

/** Allows four times the size of the largest listing, for spaces and escapes. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;

/** Maximum number of listings in a check. Larger sets must be split. */
export const LISTINGS_MAX = 200_000;

/** Maximum number of lines in a file. Includes blank lines, because reading them takes time too. */
const LINES_MAX = 1_000_000;

const HEAD_BYTES_MAX = 1024 * 1024;

/** Reads a text. `-` is stdin. Throws FILE_UNREADABLE, and FILE_INVALID if it's too large or isn't UTF-8. */
export async function readInput(name: string, input: Input): Promise<string> {
  const document = await readWholeFile(name, input);
  const reading = 'fault' in document ? document : decodeText(document.bytes);
  if ('text' in reading) return reading.text;
  throw new PartnerError('FILE_INVALID', {
    message: `${formatInputName(name)}: ${reading.fault.message}`,
    hint: reading.fault.hint,
  });
}

/** Reads the listings of a file (`-` is stdin). NDJSON files can have any size. Throws the errors of `readChunks`. */
export async function* readEntries(
  name: string,
  input: Input,
  options: ReadOptions = {},
): AsyncGenerator<Entry> {
  const file = formatInputName(name);
  const format = findFormat(name) ?? options.format;
  const { mapping = {} } = options;
  const { readMappedFields } = mapping.fields?.size ? await import('./table/mapped-fields.ts') : {};
  const mapFields: MapFields = readMappedFields && ((document) => readMappedFields(document, mapping));
  if (format === 'ndjson') yield* lineEntries(file, readChunks(name, input), mapFields);
  else if (name === '-' && format === undefined) yield* stdinEntries(file, readChunks(name, input));
  else {
    const read = format === undefined || format === 'json' ? readJsonText : await loadReader(format);
    const readings = await readDocument(readWholeFile(name, input), read, options);
    yield* documentEntries(file, readings, mapFields);
  }
}

type MapFields = ((document: ListingDocument) => ListingDocument) | undefined;

/** A function of its own, because a generator would keep the bytes in memory until its end. */
async function readDocument(whole: Promise<Bytes>, read: ReadFormat, options: ReadOptions = {}) {
  const document = await whole;
  if ('fault' in document) return [{ ok: false as const, fault: document.fault }];
  return read(document.bytes, options);
}

async function* documentEntries(file: string, readings: ReturnType<ReadFormat>, mapFields?: MapFields) {
  let index = 0;
  for await (const reading of readings) yield toEntry(reading, { file, index: index++ }, mapFields);
  if (index === 0)
    yield { finding: { ...toFinding(EMPTY_LIST, { file, index: 0 }), level: 'warning' as const } };
}

const EMPTY_LIST = contentFault('the array contains no listings', 'add a listing, or remove the file');

async function* stdinEntries(file: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Entry> {
  let head = Buffer.alloc(0);
  try {
    while (head.length <= HEAD_BYTES_MAX && !(head.includes(LF) && TWO_LINES.test(head.toString()))) {
      const { done, value } = await chunks.next();
      if (done) break;
      head = Buffer.concat([head, value]);
    }
    const all = joinChunks(head, chunks);
    if (isNdjson(head)) yield* lineEntries(file, all);
    else yield* documentEntries(file, await readDocument(collectChunks(all), readJsonText));
  } finally {
    await chunks.return(undefined);
  }
}

async function* joinChunks(head: Buffer, rest: Chunks): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

const TWO_LINES = /^\s*(\S[^\r\n]*)[\r\n]\s*(\S)/;

/** True if the first line is a listing, valid or not. In one document, `{` never follows a line ending in `}`. */
function isNdjson(head: Buffer): boolean {
  const [, first = '', next] = TWO_LINES.exec(head.toString()) ?? [];
  if (!first.startsWith('{')) return false;
  return readJson(first).ok || (next === '{' && /\}\s*$/.test(first));
}

export function formatInputName(name: string): string {
  return name === '-' ? 'stdin' : name;
}

async function* lineEntries(file: string, chunks: Chunks, mapFields?: MapFields): AsyncGenerator<Entry> {
  let index = 0;
  for await (const line of readLines(chunks, LINE_BYTES_MAX)) {
    const foreign = line.number === 1 ? foreignFault(line.bytes) : undefined;
    if (foreign !== undefined) return yield { finding: toFinding(foreign, { file, index }) };
    const reading = line.number > LINES_MAX ? { ok: false as const, fault: tooManyLines() } : readLine(line);
    const unit = `line ${line.number}`;
    if (reading !== undefined) yield toEntry(reading, { file, index: index++ }, mapFields, unit);
    if (line.number > LINES_MAX) return;
  }
  if (index === 0) yield { finding: toFinding(EMPTY_FILE, { file, index: 0 }) };
}

interface Line {
  readonly bytes: Buffer;
  readonly number: number;
  readonly bytesBefore: number;
  readonly isTooLong: boolean;
}

const LF = 0x0a;

/** Splits at LF. The CR of a CRLF stays, because JSON treats it as whitespace. */
async function* readLines(chunks: Chunks, bytesMax: number): AsyncGenerator<Line> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let number = 0;
  let bytesBefore = 0;
  const takeLine = (end: Buffer): Line => {
    const bytes = held.length === 0 ? end : Buffer.concat([...held, end]);
    const line = { bytes, number: ++number, bytesBefore, isTooLong: bytes.length > bytesMax };
    [held, heldBytes, bytesBefore] = [[], 0, bytesBefore + bytes.length + 1];
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      const line = takeLine(chunk.subarray(from, end));
      yield line;
      if (line.isTooLong) return;
      from = end + 1;
    }
    held.push(chunk.subarray(from));
    heldBytes += chunk.length - from;
    if (heldBytes > bytesMax) return yield takeLine(Buffer.alloc(0));
  }
  if (heldBytes > 0) yield takeLine(Buffer.alloc(0));
}

function readLine({ bytes, number, bytesBefore, isTooLong }: Line): JsonReading | undefined {
  const decoded = isTooLong ? { fault: LINE_TOO_LONG } : decodeUtf8(bytes, bytesBefore);
  if ('fault' in decoded) return { ok: false, fault: { ...decoded.fault, line: number } };
  if (decoded.text.trim() === '') return undefined;
  const positionAt = createPositionFinder(decoded.text);
  const inLine = (offset: number) => ({ line: number, column: positionAt(offset).column });
  return readJson(decoded.text, inLine);
}

const LINE_TOO_LONG = contentFault(
  `the line has more than ${formatMebibytes(LINE_BYTES_MAX)} MiB, so the rest of the file wasn't read`,
  'a listing has at most 1 MiB. Shorten its longest fields, or add a line break between two listings',
);

/** Creates the fault on demand, because formatting the first number takes 10 ms. */
const tooManyLines = (): Fault => ({
  ...contentFault(
    `the file has more than ${LINES_MAX.toLocaleString('en')} lines, so the rest wasn't read`,
    'remove empty lines, or split the file',
  ),
  line: LINES_MAX + 1,
});

export function toEntry(
  reading: DocumentReading,
  place: Pick<Listing, 'file' | 'index'>,
  mapFields?: MapFields,
  line?: string,
): Entry {
  if (!reading.ok) {
    const others = (reading.others ?? []).map((fault) => toFinding(fault, place));
    return { finding: toFinding(reading.fault, place), others };
  }
  const document = mapFields?.(reading.document) ?? reading.document;
  const fault = otherShape(document.value);
  if (fault !== undefined) return { finding: toFinding({ ...fault, ...document.locate([]) }, place) };
  const { flawsOmitted, advice, unclearPay, unit = line } = document;
  const { value: written, key, department } = splitContent(document.value);
  const value = withBidInCents(written);
  const locate: Listing['locate'] = (path, part) =>
    document.locate(value !== written && path[0] === BID ? ['bid'] : path, part);
  const flaws = document.flaws.filter(({ path }) => path?.[0] !== '$schema');
  const isText = typeof key === 'string' && key.trim() !== '';
  if (key !== undefined && !isText) flaws.push({ ...NO_KEY, ...locate(['key']) });
  return {
    listing: {
      ...place,
      value,
      ...(isText && { key: key.trim() }),
      ...(typeof department === 'string' && { department }),
      ...(unit !== undefined && { label: labelListing(unit, value) }),
      flaws,
      flawsOmitted,
      locate,
      ...(advice && { advice }),
      ...(unclearPay && { unclearPay }),
    },
  };
}

const TITLE_CHARACTERS = 60;

function labelListing(unit: string, value: unknown): string {
  const title = isObject(value) && typeof value.title === 'string' ? value.title.trim() : '';
  return title === '' ? unit : `${unit} ${JSON.stringify(clipText(title, TITLE_CHARACTERS))}`;
}

const BID = 'bidPerQualifiedApplicantCents';

/** Reads `"bid": "$18.50"` as cents. The sign is required, because a bare number is ambiguous. */
function withBidInCents(value: unknown): unknown {
  if (!isObject(value) || typeof value.bid !== 'string' || BID in value) return value;
  const amount = value.bid.startsWith('$') ? parseDollars(value.bid, 'cents') : undefined;
  if (amount === undefined || 'problem' in amount) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(fields.map((field) => (field[0] === 'bid' ? [BID, amount.value] : field)));
}

const NO_KEY: Omit<Fault, 'line' | 'column'> = {
  rule: 'invalid-value',
  path: ['key'],
  message: 'must be a string',
  hint: 'set a unique name for each listing in the file, such as "key": "nurse-austin"',
};

/** `$schema` is for editors, `key` identifies a listing, and rules match `department`. None of them is sent. */
function splitContent(value: unknown) {
  if (!isObject(value)) return { value };
  const { $schema, key, department, ...listing } = value;
  const isText = (given: unknown) => given === undefined || typeof given === 'string';
  const others = {
    ...(!isText($schema) && { $schema }),
    ...(!isText(department ?? undefined) && { department }),
  };
  return { value: { ...others, ...listing }, key, department };
}
