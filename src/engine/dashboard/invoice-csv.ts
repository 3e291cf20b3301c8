import { csvLines } from '../../contract/csv.ts';
import { INVISIBLE_CHARS } from '../../contract/outside-text.ts';
import type { Invoice } from '../companies/invoice.ts';

const COLUMNS = ['JOB', 'TITLE', 'CHARGES', 'CHARGED_CENTS'] as const;

/** An invoice for a spreadsheet, a line a job: adding up is a spreadsheet's own work. */
export function invoiceCsv({ items }: Invoice): string {
  const rows = items.map(({ jobId, title, charges, chargedCents }) => [
    String(jobId),
    oneLine(title),
    String(charges),
    String(chargedCents),
  ]);
  return csvLines([COLUMNS, ...rows]);
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(INVISIBLE_CHARS, '');
}
