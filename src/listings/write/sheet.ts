import { isDeepStrictEqual } from 'node:util';
import { csvLines } from '../../contract/csv.ts';
import type { JobInput, LocationInput, QualificationInput, QuestionInput } from '../../contract/job.ts';
import { cellWord, jsonList, notedAmount, partsIn, questionLine, questionsIn } from '../read/table/cells.ts';
import { COLUMN_NAMES, COLUMNS, type ColumnName } from '../read/table/columns.ts';
import template from './template.json' with { type: 'json' };

type Cells = Partial<Record<ColumnName, string>>;

/** A header row and a row for each listing, with the columns that one of them fills. */
export function sheetOf(inputs: readonly JobInput[]): string[][] {
  const rows = inputs.map(cellsOf);
  const used = COLUMN_NAMES.filter((name) => rows.some((cells) => (cells[name] ?? '') !== ''));
  return [
    used.map((name) => COLUMNS[name].header),
    ...rows.map((cells) => used.map((name) => cells[name] ?? '')),
  ];
}

function cellsOf(input: JobInput): Cells {
  const { bidPerQualifiedApplicantCents: bid, locations = [], questions = [] } = input;
  return {
    opportunityId: input.opportunityId ?? '',
    title: input.title ?? '',
    description: input.description ?? '',
    remoteOption: capitalised(input.remoteOption),
    remoteCountry: input.remoteCountry ?? '',
    locations: listed(locations.map(placeText)) ?? JSON.stringify(locations),
    jobType: capitalised(input.jobType),
    jobLevel: capitalised(input.jobLevel),
    salaryMin: String(input.salaryMin ?? ''),
    salaryMax: String(input.salaryMax ?? ''),
    salaryPeriod: input.salaryPeriod == null ? '' : cellWord(input.salaryPeriod),
    bidPerQualifiedApplicantCents: bid == null ? '' : dollarText(bid),
    ...qualificationCells(input.qualifications ?? []),
    questions: questionCell(questions),
    ...budgetCells(input.budgets ?? []),
    atsJobUrl: input.atsJobUrl ?? '',
    publish: input.publish === undefined ? '' : input.publish ? 'yes' : 'no',
  };
}

function capitalised(value: string | null | undefined): string {
  const word = value == null ? '' : cellWord(value);
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** A template names its places by text alone. */
function placeText(place: LocationInput | string): string {
  if (typeof place === 'string') return place;
  const { locationId, city, stateProvince, country } = place;
  return `${locationId}: ${[city, stateProvince, country].filter((name) => name !== '').join(', ')}`;
}

/** One on each line; undefined where the cell would not be read as these texts. */
function listed(texts: readonly string[]): string | undefined {
  const lines = texts.join('\n');
  const cell = texts.length === 1 && lines.includes(';') ? `${lines}\n` : lines;
  return jsonList(cell) === undefined && isDeepStrictEqual(partsIn(cell), texts) ? cell : undefined;
}

function qualificationCells(entries: readonly QualificationInput[]): Cells {
  const of = (kind: string) => entries.filter((entry) => entry.kind === kind);
  const sorted = [...of('REQUIRED'), ...of('DESIRED')];
  const isPlain = sorted.every((entry, at) => entry === entries[at] && entry.order === at + 1);
  const [required, desired] = [of('REQUIRED'), of('DESIRED')].map((some) =>
    listed(some.map(({ text }) => text)),
  );
  if (isPlain && required !== undefined && desired !== undefined) return { required, desired };
  return { qualifications: JSON.stringify(entries) };
}

/** One on each line, or as JSON where the cell would not be read as these. */
function questionCell(entries: readonly QuestionInput[]): string {
  const cell = entries.map(questionLine).join('\n');
  const isSame = isDeepStrictEqual(questionsIn(cell), { value: entries.map(withoutUndefined) });
  return isSame ? cell : JSON.stringify(entries);
}

function withoutUndefined<T extends object>(entry: T): object {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

function budgetCells(entries: NonNullable<JobInput['budgets']>): Cells {
  const cells = entries.map(({ window, budgetCents, notes }) => {
    const amount = dollarText(budgetCents);
    const cell = notes ? `${amount} (${notes})` : amount;
    const isSame = isDeepStrictEqual(notedAmount(cell), notes ? { amount, notes } : { amount });
    return isSame ? ([window, cell] as const) : undefined;
  });
  return cells.includes(undefined)
    ? { budgets: JSON.stringify(entries) }
    : Object.fromEntries(cells.filter((cell) => cell !== undefined));
}

function dollarText(cents: number): string {
  return cents % 100 === 0
    ? String(cents / 100)
    : `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

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

/** The same table as `writeCsv`, as a workbook. Each cell is text, which no spreadsheet runs as a formula. */
export async function writeXlsx(inputs: readonly JobInput[]): Promise<Uint8Array> {
  const { default: writeXlsxFile } = await import('write-excel-file/universal');
  const rows = sheetOf(inputs).map((cells, at) =>
    cells.map((value) =>
      value === ''
        ? null
        : {
            value: inXml(value),
            type: String,
            ...(at === 0 ? { fontWeight: 'bold' as const } : { wrap: true }),
          },
    ),
  );
  const blob = await writeXlsxFile(rows, { sheet: 'Jobs', stickyRowsCount: 1 }).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}

/** What XML does not keep is written by its number; so is what would be read as that, and what the library trips over. */
function inXml(text: string): string {
  const coded = text in {} ? /^./ : /_(?=x[\da-f]{4}_)|(?![\t\n])\p{Cc}|[\ufffe\uffff]/giu;
  return text.replace(coded, (sign) => {
    const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `_x${code}_`;
  });
}
