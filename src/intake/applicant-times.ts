import { PartnerError } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';
import { parseTime } from '../contract/time.ts';
import { chunksOf, type Input } from './bytes.ts';
import { decodeLine, foreignFault } from './encoding.ts';
import { type Line, linesByChunk } from './lines.ts';
import { headOf } from './one-per-line.ts';
import { shownName } from './read.ts';

/** When applicants came, from a file. */
export interface ApplicantTimes {
  readonly count: number;
  /** The earliest and the latest, in epoch ms. */
  readonly from: number;
  readonly to: number;
  /** Whether the file says who is qualified. */
  readonly saysQualified: boolean;
  /** In the order of time, whatever the file's; whether qualified is undefined where the file does not say. */
  arrivals(): Iterable<{ readonly time: number; readonly isQualified: boolean | undefined }>;
}

const LINE_BYTES_MAX = 64 * 1024;
const HEAD_BYTES = 4096;
const HINT =
  'write one ISO 8601 time a line, like 2026-12-01T09:30:00Z, in the first column or in one called `time`; `qualified` is true or false';

/**
 * A CSV of applicants, or stdin where the name is `-`: a time a row, in the first column or in the one that a header
 * calls `time` or `receivedAt`, and who is qualified in a column `qualified`. Eight bytes a row are kept. Throws
 * FILE_UNREADABLE, and FILE_INVALID with file and line for anything that is not so.
 */
export async function readApplicantTimes(name: string, input: Input): Promise<ApplicantTimes> {
  const file = shownName(name);
  const { head, all } = await headOf(chunksOf(name, input), ({ length }) => length >= HEAD_BYTES);
  const foreign = foreignFault(head.subarray(0, HEAD_BYTES));
  if (foreign !== undefined) throw invalid(file, 1, foreign.message, 'give a CSV of times in UTF-8');
  const kept = new Rows();
  let columns: Columns | undefined;
  for await (const lines of linesByChunk(all, LINE_BYTES_MAX)) {
    for (const line of lines) {
      const cells = cellsOf(line, file);
      if (cells.every((cell) => cell === '')) continue;
      const header = columns === undefined ? headerOf(cells) : undefined;
      columns ??= header ?? { time: 0, qualified: undefined };
      if (header === undefined) kept.add(...rowOf(cells, columns, file, line.number));
    }
  }
  if (kept.count === 0) throw invalid(file, 1, 'there is no time in it', HINT);
  return kept.sorted(columns?.qualified !== undefined);
}

/** Which column holds what, from 0. */
interface Columns {
  readonly time: number;
  readonly qualified: number | undefined;
}

const TIME_COLUMNS = ['time', 'receivedat'];

/** A first row of words alone is a header. */
function headerOf(cells: readonly string[]): Columns | undefined {
  if (!cells.every((cell) => cell === '' || /^\p{L}[\p{L}\p{N} _.-]*$/u.test(cell))) return undefined;
  const names = cells.map((cell) => cell.toLowerCase().replaceAll(/[ _.-]/g, ''));
  const [time, qualified] = [
    names.findIndex((column) => TIME_COLUMNS.includes(column)),
    names.indexOf('qualified'),
  ];
  return { time: Math.max(time, 0), qualified: qualified === -1 ? undefined : qualified };
}

function rowOf(
  cells: readonly string[],
  columns: Columns,
  file: string,
  line: number,
): [time: number, isQualified: boolean] {
  const text = cells[columns.time] ?? '';
  const time = parseTime(text);
  if (time === undefined) {
    throw invalid(
      file,
      line,
      text === '' ? 'the time is missing' : `\`${text}\` is not an ISO 8601 time`,
      HINT,
    );
  }
  if (columns.qualified === undefined) return [time, false];
  const said = (cells[columns.qualified] ?? '').toLowerCase();
  if (said === 'true' || said === 'false') return [time, said === 'true'];
  const near = nearest(said, ['true', 'false']);
  const message = said === '' ? 'the cell `qualified` is empty' : `\`${said}\` says neither true nor false`;
  throw invalid(file, line, message, near === undefined ? 'write true or false' : `did you mean ${near}?`);
}

/** The cells of a line (RFC 4180), without the spaces around them. A quoted cell ends on its line. */
function cellsOf(line: Line, file: string): string[] {
  if (line.isTooLong) throw invalid(file, line.number, 'the line has more than 64 KiB', HINT);
  const decoded = decodeLine(line);
  if ('fault' in decoded) throw invalid(file, line.number, decoded.fault.message, decoded.fault.hint);
  const { text } = decoded;
  if (!text.includes('"')) return text.split(',').map((cell) => cell.trim());
  const cells: string[] = [];
  const cell = /\s*(?:"((?:[^"]|"")*)"\s*|([^",]*)),/y;
  while (cell.lastIndex <= text.length) {
    const match = cell.exec(`${text},`);
    if (match === null) throw invalid(file, line.number, 'a quoted cell does not end before a comma', HINT);
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
  }
  return cells;
}

function invalid(file: string, line: number, message: string, hint: string | undefined): PartnerError {
  return new PartnerError('FILE_INVALID', { message: `${file}:${line}: ${message}`, hint });
}

/** A time and whether it is of a qualified applicant, as one number each: years of four digits leave room for it. */
class Rows {
  count = 0;
  private rows = new Float64Array(1024);

  add(time: number, isQualified: boolean): void {
    if (this.count === this.rows.length) {
      const more = new Float64Array(this.count * 2);
      more.set(this.rows);
      this.rows = more;
    }
    this.rows[this.count++] = time * 2 + (isQualified ? 1 : 0);
  }

  sorted(saysQualified: boolean): ApplicantTimes {
    const rows = this.rows.subarray(0, this.count).sort();
    const timeOf = (row = 0): number => Math.floor(row / 2);
    return {
      count: rows.length,
      from: timeOf(rows[0]),
      to: timeOf(rows.at(-1)),
      saysQualified,
      *arrivals() {
        for (const row of rows) {
          const time = timeOf(row);
          yield { time, isQualified: saysQualified ? row !== time * 2 : undefined };
        }
      },
    };
  }
}
