import { asWritten } from '../../../contract/csv.ts';
import { contentFault, type Fault, type SourcePosition } from '../../check/finding.ts';
import type { DocumentReading } from '../listing.ts';
import { decodeText } from '../other-formats.ts';
import type { TableRow } from './columns.ts';
import { listingsOf, ROWS_MAX } from './table.ts';

const SEPARATORS = [',', ';', '\t'] as const;
const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** One listing has 1 MiB at most. */
const ROW_CHARACTERS_MAX = 1024 * 1024;

/** A file may be one line of commas. */
const EMPTY_CELLS_MAX = 5000;

/** A table as text: commas, semicolons or tabs separate its cells, as its first line shows. */
export const readCsv = (bytes: Uint8Array): AsyncGenerator<DocumentReading> => listingsIn(bytes);

export const readTsv = (bytes: Uint8Array): AsyncGenerator<DocumentReading> => listingsIn(bytes, '\t');

async function* listingsIn(bytes: Uint8Array, given?: string): AsyncGenerator<DocumentReading> {
  const source = sourceOf(bytes, given);
  if ('fault' in source) return yield { ok: false, fault: source.fault };
  const { rows, fault } = await rowsIn(source);
  if (rows.length > 1 || fault === undefined) {
    yield* listingsOf(rows, source.delimiter === ';' ? ',' : '.');
  }
  if (fault !== undefined) yield { ok: false, fault };
}

interface Source {
  readonly bytes: Buffer;
  readonly delimiter: string;
}

/** The text itself is let go: its bytes are enough, and a table may be large. */
function sourceOf(file: Uint8Array, given: string | undefined): Source | { readonly fault: Fault } {
  const decoded = decodeText(file);
  if ('fault' in decoded) return decoded;
  const { text } = decoded;
  const delimiter = given ?? separatorIn(text);
  if (text.includes(delimiter.repeat(EMPTY_CELLS_MAX))) return { fault: TOO_MANY };
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const mark = bytes.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? 3 : 0;
  return { bytes: bytes.subarray(mark), delimiter };
}

/** What stands most often between the cells of the first line that is not empty, outside of quotes. */
function separatorIn(text: string): string {
  const [first = ''] = /^\s*(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 100_000)) ?? [];
  const bare = first
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('');
  const counts = SEPARATORS.map((sign) => bare.split(sign).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

const TOO_MANY = contentFault(
  `the table has more than ${ROWS_MAX.toLocaleString('en')} rows, or a row of nothing but separators`,
  'write the listings one on each line into a file that ends in .ndjson',
);

/** The rows, and why they end before the file does. */
async function rowsIn(
  source: Source,
): Promise<{ readonly rows: readonly TableRow[]; readonly fault?: Fault }> {
  const { parse, CsvError } = await import('csv-parse/sync');
  const { bytes, delimiter } = source;
  const rows: TableRow[] = [];
  let [start, line, end] = [0, 1, 0];
  const nextRow = (cells: readonly string[]): TableRow => {
    const begin = skipped(bytes, end);
    line += linesBetween(bytes, start, begin);
    start = begin;
    const rowLine = line;
    return { cells, positionOf: (index) => positionIn(source, begin, rowLine, index) };
  };
  const on_record = (cells: string[], info: { readonly bytes: number }): null => {
    rows.push(nextRow(cells.map(asWritten)));
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
      // The first of them has the headers.
      to: ROWS_MAX + 2,
      on_record,
    });
    return rows.length > ROWS_MAX + 1 ? { rows: [], fault: TOO_MANY } : { rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = nextRow([]).positionOf(Number(error.index));
    return { rows, fault: { ...(FAULTS[error.code] ?? STRAY_QUOTE), ...at } };
  }
}

function skipped(bytes: Buffer, from: number): number {
  let start = from;
  while (bytes[start] === LF || bytes[start] === CR) start++;
  return start;
}

const OPEN_QUOTE = contentFault(
  'the quote that opens here is never closed',
  'close it, and write each " inside the text twice',
);
const STRAY_QUOTE = contentFault(
  'the text here holds a " and is not all in quotes',
  'put quotes around the whole text, and write each " inside it twice',
);
const FAULTS: Readonly<Record<string, Fault>> = {
  CSV_QUOTE_NOT_CLOSED: OPEN_QUOTE,
  CSV_MAX_RECORD_SIZE: contentFault(
    `the row has more than ${ROW_CHARACTERS_MAX.toLocaleString('en')} characters`,
    'shorten its longest text, or close the quote that opens in it',
  ),
};

/** Where a cell of the row at `start` begins; it is looked up only for findings. */
function positionIn(
  { bytes, delimiter }: Source,
  start: number,
  line: number,
  index: number,
): SourcePosition {
  const separator = delimiter.charCodeAt(0);
  let [at, isQuoted] = [start, false];
  for (let left = index; left > 0 && at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (byte === separator) left--;
    else if (byte === LF || byte === CR) break;
  }
  let begin = at;
  while (begin > 0 && bytes[begin - 1] !== LF && bytes[begin - 1] !== CR) begin--;
  const column = Array.from(bytes.toString('utf8', begin, at)).length + 1;
  return { line: line + linesBetween(bytes, start, at), column };
}

function linesBetween(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) lines++;
  }
  return lines;
}
