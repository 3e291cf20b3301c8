import { PartnerError } from '../../contract/errors.ts';
import { parseTime } from '../../contract/time.ts';
import type { SimulatedApplicant } from '../../engine/billing/simulate.ts';
import type { Input } from '../../listings/read/bytes.ts';
import { formatInputName, readInput } from '../../listings/read/read.ts';

export interface ApplicantTimes {
  /** False if the file has no `qualified` column. */
  readonly saysQualified: boolean;
  readonly applicants: readonly SimulatedApplicant[];
}

const HINT =
  'use one ISO 8601 time per line, such as 2026-12-01T09:30:00Z, in the first column or in a `time` column. An optional `qualified` column is true or false';

/** Reads a CSV file (`-` for stdin). Throws FILE_UNREADABLE, and FILE_INVALID with file and line. */
export async function readApplicantTimes(name: string, input: Input): Promise<ApplicantTimes> {
  const text = await readCsv(name, input);
  const applicants: SimulatedApplicant[] = [];
  let columns: ReturnType<typeof findColumns> | undefined;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const cells = parseCsvCells(line);
    if (cells.every((cell) => cell === '')) continue;
    const isFirst = columns === undefined;
    columns ??= findColumns(cells);
    if (isFirst && columns.isHeader) continue;
    const invalid = (message: string) =>
      invalidFile(`${formatInputName(name)}:${index + 1}: ${message}`, HINT);
    const written = cells[columns.time] ?? '';
    const time = parseTime(written);
    if (written === '') throw invalid('missing time');
    if (time === undefined) throw invalid(`expected an ISO 8601 time, got \`${written}\``);
    const qualified = columns.qualified === -1 ? 'false' : (cells[columns.qualified] ?? '').toLowerCase();
    if (qualified !== 'true' && qualified !== 'false') {
      throw invalid(`\`qualified\` must be true or false, not \`${qualified}\``);
    }
    applicants.push({ time, isQualified: qualified === 'true' });
  }
  if (applicants.length === 0)
    throw invalidFile(`${formatInputName(name)}:1: the file contains no times`, HINT);
  applicants.sort((one, other) => one.time - other.time);
  return { saysQualified: columns !== undefined && columns.qualified !== -1, applicants };
}

async function readCsv(name: string, input: Input): Promise<string> {
  try {
    return await readInput(name, input);
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'FILE_INVALID') throw error;
    // Replaces the original hint, which is about listings.
    throw invalidFile(error.message, 'use a CSV of times in UTF-8');
  }
}

/** A first row without a digit is a header. */
function findColumns(cells: readonly string[]) {
  const names = cells.map((cell) => cell.toLowerCase());
  const time = names.findIndex((name) => name === 'time' || name === 'receivedat');
  return {
    isHeader: !/\d/.test(cells.join('')),
    time: Math.max(time, 0),
    qualified: names.indexOf('qualified'),
  };
}

/** Trims cells. Quoted cells follow RFC 4180, but can't contain line breaks. */
function parseCsvCells(line: string): string[] {
  const cells = `${line},`.matchAll(/(?<=^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*)),/g);
  return Array.from(cells, ([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim());
}

function invalidFile(message: string, hint: string): PartnerError {
  return new PartnerError('FILE_INVALID', { message, hint });
}
