import { PartnerError } from '../../contract/errors.ts';
import { parseTime } from '../../contract/time.ts';
import type { SimulatedApplicant } from '../../engine/billing/simulate.ts';
import type { Input } from '../../listings/read/bytes.ts';
import { readInput, shownName } from '../../listings/read/read.ts';

export interface ApplicantTimes {
  /** False where the file has no column `qualified`. */
  readonly saysQualified: boolean;
  readonly applicants: readonly SimulatedApplicant[];
}

const HINT =
  'write one ISO 8601 time a line, like 2026-12-01T09:30:00Z, in the first column or in one called `time`; `qualified` is true or false';

/** A CSV of applicants, `-` for stdin. Throws FILE_UNREADABLE, and FILE_INVALID with file and line. */
export async function readApplicantTimes(name: string, input: Input): Promise<ApplicantTimes> {
  const text = await readCsv(name, input);
  const applicants: SimulatedApplicant[] = [];
  let columns: ReturnType<typeof columnsOf> | undefined;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const cells = cellsOf(line);
    if (cells.every((cell) => cell === '')) continue;
    const isFirst = columns === undefined;
    columns ??= columnsOf(cells);
    if (isFirst && columns.isHeader) continue;
    const invalid = (message: string) => invalidFile(`${shownName(name)}:${index + 1}: ${message}`, HINT);
    const written = cells[columns.time] ?? '';
    const time = parseTime(written);
    if (written === '') throw invalid('the time is missing');
    if (time === undefined) throw invalid(`\`${written}\` is not an ISO 8601 time`);
    const qualified = columns.qualified === -1 ? 'false' : (cells[columns.qualified] ?? '').toLowerCase();
    if (qualified !== 'true' && qualified !== 'false') {
      throw invalid(`\`qualified\` must be true or false, not \`${qualified}\``);
    }
    applicants.push({ time, isQualified: qualified === 'true' });
  }
  if (applicants.length === 0) throw invalidFile(`${shownName(name)}:1: there is no time in it`, HINT);
  applicants.sort((one, other) => one.time - other.time);
  return { saysQualified: columns !== undefined && columns.qualified !== -1, applicants };
}

async function readCsv(name: string, input: Input): Promise<string> {
  try {
    return await readInput(name, input);
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'FILE_INVALID') throw error;
    // The hint of a file that is no text speaks of listings.
    throw invalidFile(error.message, 'give a CSV of times in UTF-8');
  }
}

/** Which column holds what, by the first row; a row without a digit is a header. */
function columnsOf(cells: readonly string[]) {
  const names = cells.map((cell) => cell.toLowerCase());
  const time = names.findIndex((name) => name === 'time' || name === 'receivedat');
  return {
    isHeader: !/\d/.test(cells.join('')),
    time: Math.max(time, 0),
    qualified: names.indexOf('qualified'),
  };
}

/** The cells of a line (RFC 4180), without the spaces around them. A quoted cell ends on its line. */
function cellsOf(line: string): string[] {
  const cells = `${line},`.matchAll(/(?<=^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*)),/g);
  return Array.from(cells, ([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim());
}

function invalidFile(message: string, hint: string): PartnerError {
  return new PartnerError('FILE_INVALID', { message, hint });
}
