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
  'use one ISO 8601 time per line, such as 2026-12-01T09:30:00Z. The times must be in the first column or a `time` column. A `qualified` column (true or false) is optional';

/** Reads a CSV file (`-` for stdin). Throws FILE_UNREADABLE, and FILE_INVALID with file and line. */
export async function readApplicantTimes(name: string, input: Input): Promise<ApplicantTimes> {
  const text = await readCsv(name, input);
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ line: index + 1, cells: parseCsvCells(line) }));
  const rows = lines.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const columns = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const timeAt = Math.max(
    0,
    columns.findIndex((column) => column === 'time' || column === 'receivedat'),
  );
  const qualifiedAt = columns.indexOf('qualified');
  // A first row without a digit is a header.
  if (!/\d/.test(columns.join(''))) rows.shift();
  const invalid = (line: number, message: string) =>
    invalidFile(`${formatInputName(name)}:${line}: ${message}`, HINT);
  if (rows.length === 0) throw invalid(1, 'the file contains no times');
  const applicants = rows.map(({ line, cells }): SimulatedApplicant => {
    const written = cells[timeAt] ?? '';
    const time = parseTime(written);
    if (written === '') throw invalid(line, 'missing time');
    if (time === undefined) throw invalid(line, `expected an ISO 8601 time, got \`${written}\``);
    const qualified = qualifiedAt === -1 ? 'false' : (cells[qualifiedAt] ?? '').toLowerCase();
    if (qualified !== 'true' && qualified !== 'false')
      throw invalid(line, `\`qualified\` must be true or false, not \`${qualified}\``);
    return { time, isQualified: qualified === 'true' };
  });
  applicants.sort((one, other) => one.time - other.time);
  return { saysQualified: qualifiedAt !== -1, applicants };
}

async function readCsv(name: string, input: Input): Promise<string> {
  try {
    return await readInput(name, input);
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'FILE_INVALID') throw error;
    // Replaces the original hint, which is about listings.
    throw invalidFile(error.message, 'use a UTF-8 CSV file of applicant times');
  }
}

/** Trims cells. Quoted cells follow RFC 4180, but can't contain line breaks. */
function parseCsvCells(line: string): string[] {
  const cells = `${line},`.matchAll(/(?<=^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*)),/g);
  return Array.from(cells, ([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim());
}

function invalidFile(message: string, hint: string): PartnerError {
  return new PartnerError('FILE_INVALID', { message, hint });
}
