import { isDeepStrictEqual } from 'node:util';
import {
  CONTENT_FIELDS,
  type JobInput,
  type LocationInput,
  type QualificationInput,
  type QuestionInput,
} from '../../contract/job.ts';
import { type ColumnName, type FieldName, JOB_FIELDS } from '../../contract/job-fields.ts';
import { withoutUndefined } from '../../contract/values.ts';
import { formatCents } from '../../contract/words.ts';
import { csvLines } from '../../text/csv.ts';
import {
  cellWord,
  formatQuestion,
  parseJsonList,
  parseNotedAmount,
  parseParts,
  parseQuestions,
} from '../read/table/cells.ts';
import { COLUMN_NAMES, COLUMNS } from '../read/table/columns.ts';
import template from './template.json' with { type: 'json' };

type Cells = Partial<Record<ColumnName, string>>;

export function buildSheet(inputs: readonly JobInput[]): string[][] {
  const rows = inputs.map(toCells);
  const used = COLUMN_NAMES.filter((name) => rows.some((cells) => (cells[name] ?? '') !== ''));
  const headers = used.map((name) => COLUMNS[name].header);
  return [headers, ...rows.map((cells) => used.map((name) => cells[name] ?? ''))];
}

function toCells(input: JobInput): Cells {
  const { locations = [], qualifications = [], questions = [], budgets = [], publish } = input;
  return {
    ...Object.fromEntries(CONTENT_FIELDS.map((field) => [field, valueCell(field, input[field])])),
    locations: formatListCell(locations.map(placeText)) ?? JSON.stringify(locations),
    ...qualificationCells(qualifications),
    questions: questionCell(questions),
    ...budgetCells(budgets),
    publish: publish === undefined ? '' : publish ? 'yes' : 'no',
  };
}

function valueCell(field: FieldName, value: unknown): string {
  if (value === undefined || value === null || Array.isArray(value)) return '';
  const { kind } = JOB_FIELDS[field];
  if (kind === 'cents') return dollarText(Number(value));
  if (kind !== 'choice') return String(value);
  const word = cellWord(String(value));
  return field === 'salaryPeriod' ? word : word.slice(0, 1).toUpperCase() + word.slice(1);
}

function placeText(place: LocationInput | string): string {
  if (typeof place === 'string') return place;
  const { locationId, city, stateProvince, country } = place;
  return `${locationId}: ${[city, stateProvince, country].filter((name) => name !== '').join(', ')}`;
}

function formatListCell(texts: readonly string[]): string | undefined {
  const lines = texts.join('\n');
  const cell = texts.length === 1 && lines.includes(';') ? `${lines}\n` : lines;
  return parseJsonList(cell) === undefined && isDeepStrictEqual(parseParts(cell), texts) ? cell : undefined;
}

function qualificationCells(entries: readonly QualificationInput[]): Cells {
  const of = (kind: string) => entries.filter((entry) => entry.kind === kind);
  const sorted = [...of('REQUIRED'), ...of('DESIRED')];
  const isPlain = sorted.every((entry, at) => entry === entries[at] && entry.order === at + 1);
  const [required, desired] = [of('REQUIRED'), of('DESIRED')].map((some) =>
    formatListCell(some.map(({ text }) => text)),
  );
  if (isPlain && required !== undefined && desired !== undefined) return { required, desired };
  return { qualifications: JSON.stringify(entries) };
}

function questionCell(entries: readonly QuestionInput[]): string {
  const cell = entries.map(formatQuestion).join('\n');
  const value = entries.map((entry) => withoutUndefined(entry));
  return isDeepStrictEqual(parseQuestions(cell), { value }) ? cell : JSON.stringify(entries);
}

function budgetCells(entries: NonNullable<JobInput['budgets']>): Cells {
  const cells = entries.flatMap(({ window, budgetCents, notes }) => {
    const amount = dollarText(budgetCents);
    const cell = notes ? `${amount} (${notes})` : amount;
    const isSame = isDeepStrictEqual(parseNotedAmount(cell), notes ? { amount, notes } : { amount });
    return isSame ? [[window, cell]] : [];
  });
  return cells.length < entries.length ? { budgets: JSON.stringify(entries) } : Object.fromEntries(cells);
}

function dollarText(cents: number): string {
  return formatCents(cents).replace(/[$,]|\.00$/g, '');
}

export function writeCsv(inputs: readonly JobInput[]): string {
  const text = csvLines(buildSheet(inputs));
  // Without a byte order mark, Excel assumes Windows-1252.
  return /[^\0-\x7f]/.test(text) ? `\ufeff${text}` : text;
}

export function tableTemplate(): string {
  return writeCsv(template as unknown as readonly JobInput[]);
}

/** Writes the same table as `writeCsv`. All cells are text, so a spreadsheet doesn't run them as formulas. */
export async function writeXlsx(inputs: readonly JobInput[]): Promise<Uint8Array> {
  const { default: writeXlsxFile } = await import('write-excel-file/universal');
  const rows = buildSheet(inputs).map((cells, at) => {
    const style = at === 0 ? { fontWeight: 'bold' as const } : { wrap: true };
    return cells.map((value) => (value === '' ? null : { value: inXml(value), type: String, ...style }));
  });
  const blob = await writeXlsxFile(rows, { sheet: 'Jobs', stickyRowsCount: 1 }).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}

/** Escapes characters that XML can't store, and names such as `constructor`, which make the library fail. */
function inXml(text: string): string {
  const coded = text in {} ? /^./ : /_(?=x[\da-f]{4}_)|(?![\t\n])\p{Cc}|[\ufffe\uffff]/giu;
  return text.replace(coded, (sign) => {
    const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `_x${code}_`;
  });
}
