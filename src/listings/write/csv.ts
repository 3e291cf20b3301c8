import { csvLines } from '../../contract/csv.ts';
import type { JobInput } from '../../contract/job.ts';
import { sheetOf } from './sheet.ts';
import template from './template.json' with { type: 'json' };

/** A table that `jobs create` takes back, a row a listing, its columns named as people name them. */
export function writeCsv(inputs: readonly JobInput[]): string {
  const text = csvLines(sheetOf(inputs));
  // Excel takes a file without a byte order mark for Windows-1252.
  return /[^\0-\x7f]/.test(text) ? `\ufeff${text}` : text;
}

/** A table to start from: the header of each column, and two listings that may go live. */
export function tableTemplate(): string {
  return writeCsv(template as unknown as readonly JobInput[]);
}
