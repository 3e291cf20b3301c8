import { asWritten } from '../../../contract/csv.ts';
import { contentFault, type Fault, type SourcePosition } from '../../check/finding.ts';
import type { DocumentReading } from '../listing.ts';
import { decodeText } from '../other-formats.ts';
import type { TableRow } from './columns.ts';
import { listingsOf, ROWS_MAX } from './table.ts';

const SEPARATORS = [',', ';', '\t'] as const;
const LF = 0x0a;
const CR = 0x0d;

/** Of one row: a table has no more columns, and a file may be one line of commas. */
const CELLS_MAX = 1000;

/** A table as text: commas, semicolons or tabs separate its cells, as its first line shows. */
export const readCsv = (bytes: Uint8Array): AsyncGenerator<DocumentReading> => listingsIn(bytes);

/** A table whose cells are separated by tabs. */
export const readTsv = (bytes: Uint8Array): AsyncGenerator<DocumentReading> => listingsIn(bytes, '\t');

async function* listingsIn(bytes: Uint8Array, given?: string): AsyncGenerator<DocumentReading> {
  const decoded = decodeText(bytes);
  if ('fault' in decoded) return yield { ok: false, fault: decoded.fault };
  // Excel may name the separator on a line of its own; it becomes an empty one.
  const [line = '', named] = /^sep=(.)(?=\r?\n)/.exec(decoded.text) ?? [];
  const text = decoded.text.slice(line.length);
  const separator = given ?? named ?? separatorIn(text);
  const { rows, fault } = await rowsIn(Buffer.from(text), separator);
  if (rows.length > 0 || fault === undefined) yield* listingsOf(rows, separator === ';' ? ',' : '.');
  if (fault !== undefined) yield { ok: false, fault };
}

/** What stands most often between the cells of the first line that is not empty, outside of quotes. */
function separatorIn(text: string): string {
  const [first = ''] = /^\s*(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 100_000)) ?? [];
  const bare = first.replace(/"(?:[^"]|"")*"/g, '');
  const counts = SEPARATORS.map((sign) => bare.split(sign).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

interface Parsed {
  readonly rows: readonly TableRow[];
  /** Why the rows end before the file does. */
  readonly fault?: Fault;
}

class TooMuch extends Error {}

async function rowsIn(bytes: Buffer, delimiter: string): Promise<Parsed> {
  const { parse, CsvError } = await import('csv-parse/sync');
  const rows: ByteRow[] = [];
  let [end, line] = [0, 1];
  /** Where the row behind the last cell begins. */
  const nextStart = (): number => {
    let start = end;
    while (bytes[start] === LF || bytes[start] === CR) start++;
    return start;
  };
  const cast = (cell: string, info: { readonly index: number; readonly bytes: number }): string => {
    if (info.index === 0) {
      if (rows.length > ROWS_MAX)
        throw new TooMuch(`the table has more than ${ROWS_MAX.toLocaleString('en')} rows`);
      const start = nextStart();
      line += linesBetween(bytes, rows.at(-1)?.start ?? 0, start);
      rows.push(new ByteRow(bytes, start, line));
    }
    if (info.index >= CELLS_MAX)
      throw new TooMuch(`a row has more than ${CELLS_MAX.toLocaleString('en')} cells`);
    end = info.bytes;
    rows.at(-1)?.add(asWritten(cell), end);
    return '';
  };
  try {
    const record_delimiter = ['\r\n', '\n', '\r'];
    parse(bytes, {
      delimiter,
      record_delimiter,
      cast,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: () => null,
    });
    return { rows };
  } catch (error) {
    if (error instanceof TooMuch) {
      const hint = 'write the listings one on each line into a file that ends in .ndjson';
      return { rows: [], fault: { ...contentFault(error.message, hint), ...rows.at(-1)?.positionOf(0) } };
    }
    if (!(error instanceof CsvError)) throw error;
    const isFirst = error.index === 0;
    const start = isFirst ? nextStart() : end + 1;
    const from = rows.at(-1);
    const at = positionAt(bytes, from?.start ?? 0, line, start);
    return { rows: isFirst ? rows : rows.slice(0, -1), fault: { ...quoteFault(error.code), ...at } };
  }
}

function quoteFault(code: string): Fault {
  return code === 'CSV_QUOTE_NOT_CLOSED'
    ? contentFault(
        'the quote that opens here is never closed',
        'close it, and write each " inside the text twice',
      )
    : contentFault(
        'the text here holds a " and is not all in quotes',
        'put quotes around the whole text, and write each " inside it twice',
      );
}

/** A row of a text, in which positions are looked up only for findings. */
class ByteRow implements TableRow {
  readonly cells: string[] = [];
  private readonly ends: number[] = [];

  constructor(
    private readonly bytes: Buffer,
    readonly start: number,
    private readonly line: number,
  ) {}

  add(cell: string, end: number): void {
    this.cells.push(cell);
    this.ends.push(end);
  }

  readonly positionOf = (index: number): SourcePosition => {
    const before = Math.min(index, this.ends.length) - 1;
    const start = before < 0 ? this.start : (this.ends[before] ?? 0) + (index < this.ends.length ? 1 : 0);
    return positionAt(this.bytes, this.start, this.line, start);
  };
}

/** The position of a byte, counted from the beginning of a row that stands before it. */
function positionAt(bytes: Buffer, from: number, line: number, at: number): SourcePosition {
  const lines = linesBetween(bytes, from, at);
  let begin = at;
  while (begin > 0 && bytes[begin - 1] !== LF && bytes[begin - 1] !== CR) begin--;
  return { line: line + lines, column: Array.from(bytes.toString('utf8', begin, at)).length + 1 };
}

function linesBetween(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) lines++;
  }
  return lines;
}
