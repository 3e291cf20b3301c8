import type { Info } from 'csv-parse/sync';
import { createPositionFinder, type Position } from '../../../json/positions.ts';
import { asWritten } from '../../../text/csv.ts';
import { contentFault, type Fault } from '../../check/finding.ts';
import type { DocumentReading, FormatOptions, TableRow } from '../listing.ts';
import { decodeText } from '../other-formats.ts';
import { ROWS_MAX, readTable } from './table.ts';

const SEPARATORS = [',', ';', '\t'] as const;
const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** Maximum length of a row, because a listing has at most 1 MiB. */
const ROW_CHARACTERS_MAX = 1024 * 1024;

/** Bounds consecutive separators, because a file can be one line of commas. */
const EMPTY_CELLS_MAX = 5000;

export const readTsv = (bytes: Uint8Array, options?: FormatOptions) => readCsv(bytes, options, '\t');

export async function* readCsv(
  bytes: Uint8Array,
  options: FormatOptions = {},
  given?: string,
): AsyncGenerator<DocumentReading> {
  const source = openSource(bytes, given);
  if ('fault' in source) return yield { ok: false, fault: source.fault };
  const { rows, fault } = await parseRows(source);
  if (rows.length > 1 || fault === undefined) {
    yield* readTable(rows, source.delimiter === ';' ? ',' : '.', options);
  }
  if (fault !== undefined) yield { ok: false, fault };
}

interface Source {
  readonly bytes: Buffer;
  readonly delimiter: string;
  /** Returns the line of a byte, and its column in bytes. */
  readonly positionAt: (offset: number) => Position;
}

/** Keeps the text with one byte per character, because a table can be large. */
function openSource(file: Uint8Array, given: string | undefined): Source | { readonly fault: Fault } {
  const decoded = decodeText(file);
  if ('fault' in decoded) return decoded;
  const { text } = decoded;
  const delimiter = given ?? detectSeparator(text);
  if (text.includes(delimiter.repeat(EMPTY_CELLS_MAX))) return { fault: TOO_MANY };
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const latin = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  const positionAt = createPositionFinder(latin);
  return { bytes: bytes.subarray(bytes.length - latin.length), delimiter, positionAt };
}

/** The first line determines the separator, unless it's a title and most of the next lines have another one. */
function detectSeparator(text: string): string {
  const parts = text.slice(0, 100_000).split('"');
  const bare = parts.filter((_, index) => index % 2 === 0).join('');
  const lines = bare.split(/[\r\n]+/, 20).filter((line) => line.trim() !== '');
  const candidates = SEPARATORS.map((sign) => {
    const counts = lines.map((line) => line.split(sign).length);
    const alike = counts.map((count) => (count > 1 ? counts.filter((other) => other === count).length : 0));
    return { sign, inFirst: counts[0] ?? 0, alike: Math.max(0, ...alike) };
  });
  const [best] = candidates.toSorted((one, other) => other.inFirst - one.inFirst);
  const [steady] = candidates.toSorted((one, other) => other.alike - one.alike);
  return (best && best.alike * 2 >= lines.length ? best : steady)?.sign ?? ',';
}

const TOO_MANY = contentFault(
  `the table has more than ${ROWS_MAX.toLocaleString('en')} rows, or a row with only separators`,
  'put one listing per line in an .ndjson file',
);

async function parseRows(source: Source) {
  const { parse, CsvError } = await import('csv-parse/sync');
  const { bytes, delimiter } = source;
  const rows: TableRow[] = [];
  let end = 0;
  const nextRow = (cells: readonly string[], row: number): TableRow => {
    const start = skipLineEnds(bytes, end);
    return { cells, row, locateCell: (index) => findPosition(source, start, index) };
  };
  const on_record = (cells: string[], info: Pick<Info, 'bytes' | 'records' | 'empty_lines'>): null => {
    rows.push(nextRow(cells.map(asWritten), info.records + info.empty_lines));
    end = info.bytes;
    return null;
  };
  try {
    const record_delimiter = ['\r\n', '\n', '\r'];
    parse(bytes, {
      delimiter,
      record_delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: ROW_CHARACTERS_MAX,
      to: ROWS_MAX + 2,
      on_record,
    });
    return rows.length > ROWS_MAX + 1 ? { rows: [], fault: TOO_MANY } : { rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = nextRow([], 0).locateCell(Number(error.index));
    return { rows, fault: { ...(FAULTS[error.code] ?? STRAY_QUOTE), ...at } };
  }
}

function skipLineEnds(bytes: Buffer, from: number): number {
  let start = from;
  while (bytes[start] === LF || bytes[start] === CR) start++;
  return start;
}

const OPEN_QUOTE = contentFault('unclosed quote', 'close it, and double each " inside the text');
const STRAY_QUOTE = contentFault(
  'the text contains a " but isn\'t fully in quotes',
  'put quotes around the whole text, and double each " inside it',
);
const FAULTS: Readonly<Record<string, Fault>> = {
  CSV_QUOTE_NOT_CLOSED: OPEN_QUOTE,
  CSV_MAX_RECORD_SIZE: contentFault(
    `the row has more than ${ROW_CHARACTERS_MAX.toLocaleString('en')} characters`,
    'shorten its longest text, or close an open quote',
  ),
};

function findPosition({ bytes, delimiter, positionAt }: Source, start: number, index: number): Position {
  const separator = delimiter.charCodeAt(0);
  let [at, isQuoted] = [start, false];
  for (let left = index; left > 0 && at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (byte === separator) left--;
    else if (byte === LF || byte === CR) break;
  }
  const { line, column } = positionAt(at);
  const before = bytes.toString('utf8', at - column + 1, at);
  return { line, column: Array.from(before).length + 1 };
}
