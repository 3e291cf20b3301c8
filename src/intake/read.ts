import { PartnerError } from '../contract/errors.ts';
import { type Position, positionsIn } from '../contract/json/positions.ts';
import type { FieldPath } from '../contract/problems.ts';
import { readBytes } from './bytes.ts';
import { contentFault, decodeText } from './encoding.ts';
import { type Fault, type Finding, findingOf } from './finding.ts';
import { type JsonDocument, type JsonReading, readJson } from './json.ts';

/** One listing of a file, as it was written: not checked yet. */
export interface Listing {
  /** As the caller named it; `stdin` for `-`. */
  readonly file: string;
  /** Which listing of the file, from 0, and how many there are. */
  readonly index: number;
  readonly count: number;
  /** What the file holds, without `$schema`. */
  readonly value: unknown;
  /** What was lost or ambiguous in the text; `findingsOf` reports it with the rest. */
  readonly flaws: readonly Fault[];
  /** Where a value stands, or its name; for what is missing, the nearest value around it. */
  locate(path: FieldPath, part?: 'value' | 'name'): Position;
}

export interface FileReading {
  readonly file: string;
  readonly listings: readonly Listing[];
  /** What keeps the file, or a line of it, from being read as listings at all. */
  readonly findings: readonly Finding[];
}

/**
 * The text of a file, or of stdin where the name is `-`. Throws FILE_UNREADABLE where it cannot be opened
 * and FILE_INVALID where it is no UTF-8 text or larger than 32 MiB.
 */
export async function readInput(name: string, stdin: NodeJS.ReadableStream): Promise<string> {
  const reading = await readText(name, stdin);
  if ('text' in reading) return reading.text;
  throw new PartnerError('FILE_INVALID', {
    message: `${shownName(name)}: ${reading.fault.message}`,
    hint: reading.fault.hint,
  });
}

/**
 * The listings of a job file, or of stdin where the name is `-`: one JobInput, an array of them, or one on
 * each line. What is wrong with the content comes back as findings; throws FILE_UNREADABLE only.
 */
export async function readListings(name: string, stdin: NodeJS.ReadableStream): Promise<FileReading> {
  const file = shownName(name);
  const reading = await readText(name, stdin);
  if ('fault' in reading)
    return { file, listings: [], findings: [findingOf(reading.fault, { file, index: 0 })] };
  return listingsIn(file, reading.text);
}

/** The listings of a text; `file` names it in findings, and by its ending says whether it has one on each line. */
export function listingsIn(file: string, text: string): FileReading {
  if (text.trim() === '') {
    const fault = contentFault(
      'the file is empty',
      'a job file holds a listing: `partner schema` shows its fields',
    );
    return { file, listings: [], findings: [findingOf(fault, { file, index: 0 })] };
  }
  const readings = isOnePerLine(file, text) ? readLines(text) : entryReadings(readJson(text));
  if (readings.length === 0) {
    const fault = contentFault(
      'the array is empty: there is no listing in it',
      'add a listing, or leave the file out',
    );
    return { file, listings: [], findings: [{ ...findingOf(fault, { file, index: 0 }), level: 'warning' }] };
  }
  const count = readings.length;
  return {
    file,
    listings: readings.flatMap((reading, index) =>
      reading.ok ? [listingOf(reading.document, { file, index, count })] : [],
    ),
    findings: readings.flatMap((reading, index) =>
      reading.ok ? [] : [findingOf(reading.fault, { file, index })],
    ),
  };
}

async function readText(
  name: string,
  stdin: NodeJS.ReadableStream,
): Promise<{ text: string } | { fault: Fault }> {
  const reading = await readBytes(name, stdin);
  return 'fault' in reading ? reading : decodeText(reading.bytes);
}

function shownName(name: string): string {
  return name === '-' ? 'stdin' : name;
}

/** By the file's ending; stdin has none, and there a first line that is a listing by itself says so. */
function isOnePerLine(file: string, text: string): boolean {
  if (/\.(?:ndjson|jsonl)$/i.test(file)) return true;
  if (file !== 'stdin') return false;
  const [first = '', ...rest] = text.trim().split(/[\r\n]+/, 2);
  return first.startsWith('{') && rest.length > 0 && readJson(first).ok;
}

function entryReadings(reading: JsonReading): JsonReading[] {
  if (!reading.ok || !Array.isArray(reading.document.value)) return [reading];
  return reading.document.entries().map((document) => ({ ok: true, document }));
}

/** One reading for each line that is not blank; a fault in one leaves the others as they are. */
function readLines(text: string): JsonReading[] {
  const positionAt = positionsIn(text);
  return Array.from(text.matchAll(/[^\r\n]+/g)).flatMap(({ 0: line, index: start }) =>
    line.trim() === '' ? [] : [readJson(line, (offset) => positionAt(start + offset))],
  );
}

function listingOf(document: JsonDocument, place: Pick<Listing, 'file' | 'index' | 'count'>): Listing {
  return { ...place, value: withoutSchema(document.value), flaws: document.flaws, locate: document.locate };
}

/** cli.md, "A job file": `$schema` is for editors and not sent. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$schema' in value)) return value;
  const { $schema, ...listing } = value;
  return typeof $schema === 'string' ? listing : value;
}
