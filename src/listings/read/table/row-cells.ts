import { clipped, type FieldPath, fieldName } from '../../../contract/problems.ts';
import { BUDGET_WINDOWS } from '../../../contract/values.ts';
import type { Fault, SourcePosition } from '../../check/finding.ts';
import type { ListingDocument } from '../listing.ts';
import { type Reading, sheetError } from './cells.ts';
import { COLUMNS, type Column, type ColumnName, type HeaderRow, type TableRow } from './columns.ts';

/** A cell that says something, with its column. */
export interface Cell extends Column {
  readonly text: string;
}

/** Columns whose values are a few words: patterns need not look through more. */
const SHORT = /^(?:remoteOption|job|salary|bid|publish)/;
const SHORT_CHARACTERS = 200;

/** Columns of one text. Any other column may hold a list. */
const TEXT = /^(?:title|description)$/;
const VALUES_MAX = 10_000;

/** The first says the same thing as the others: a row has one of the two. */
const RIVALS: readonly (readonly [ColumnName, ...ColumnName[]])[] = [
  ['locations', 'city', 'state'],
  ['salary', 'salaryMin', 'salaryMax'],
  ['qualifications', 'required', 'desired'],
  ['budgets', ...BUDGET_WINDOWS],
];

/** The listing of a row, and where each of its values is written. */
export class RowCells implements ListingDocument {
  readonly value: Record<string, unknown> = {};
  readonly flaws: Fault[] = [];
  readonly flawsOmitted = 0;
  private readonly cells = new Map<ColumnName, Cell>();
  /** The column of each value, by its path. */
  private readonly places = new Map<string, number>();

  constructor(
    private readonly row: TableRow,
    private readonly header: HeaderRow,
    readonly decimalSign: '.' | ',',
  ) {
    for (const column of header.columns) this.addCell(column, row.cells[column.index] ?? '');
    for (const [name, ...others] of RIVALS) this.dropRival(name, others);
    this.addStrayCell();
  }

  readonly locate = (path: FieldPath): SourcePosition => {
    return this.row.positionOf((this.columnFor(path) ?? this.header.columns[0])?.index ?? 0);
  };

  readonly advice = (path: FieldPath): string => {
    const column = this.columnFor(path);
    const { header, example } = COLUMNS[column?.name ?? columnsFor(path)[0] ?? 'title'];
    if (column === undefined) return `add a column "${header}": ${example}`;
    return this.cells.has(column.name)
      ? `check the column "${column.header}", written like this: ${example}`
      : `fill in the column "${column.header}": ${example}`;
  };

  cell(name: ColumnName): Cell | undefined {
    return this.cells.get(name);
  }

  flaw(column: Column, path: FieldPath, problem: string, hint: string): void {
    const message = `the column "${column.header}" ${problem}`;
    this.flaws.push({ rule: 'invalid-value', path, message, hint, ...this.row.positionOf(column.index) });
  }

  set(field: string, value: unknown, column: Column): void {
    this.value[field] = value;
    this.place([field], column);
  }

  place(path: FieldPath, { index }: Column): void {
    this.places.set(fieldName(path), index);
  }

  /** The path of one more entry of a list. */
  add(field: string, entry: object, column: Column): FieldPath {
    const entries = (this.value[field] ?? []) as readonly object[];
    this.value[field] = [...entries, entry];
    this.place([field, entries.length], column);
    return [field, entries.length];
  }

  /** Takes what the cell of a column says as the value of its field, or its text where it cannot be read. */
  read<T>(name: ColumnName, readText: (text: string, cell: Cell) => Reading<T>): T | undefined {
    const cell = this.cells.get(name);
    if (cell === undefined) return undefined;
    const { field } = COLUMNS[name];
    const read = readText(cell.text, cell);
    const isWrong = 'problem' in read;
    if (isWrong) this.flaw(cell, [field], read.problem, read.hint);
    this.set(field, isWrong ? cell.text : read.value, cell);
    return isWrong ? undefined : read.value;
  }

  /** The column that the value was taken from, or else the one that would hold it. */
  private columnFor(path: FieldPath): Column | undefined {
    for (let length = path.length; length > 0; length--) {
      const place = this.places.get(fieldName(path.slice(0, length)));
      if (place !== undefined) return this.header.columns.find(({ index }) => index === place);
    }
    const columns = columnsFor(path).map((name) =>
      this.header.columns.find((column) => column.name === name),
    );
    return columns.find((column) => column !== undefined);
  }

  private addCell(column: Column, text: string): void {
    if (text.trim() === '') return;
    const error = sheetError(text);
    if (error !== undefined) {
      this.flaw(column, [COLUMNS[column.name].field], error.problem, error.hint);
      return;
    }
    if (!TEXT.test(column.name) && text.split(/[;\n\r]/, VALUES_MAX + 1).length > VALUES_MAX) {
      const problem = `has more than ${VALUES_MAX.toLocaleString('en')} values`;
      this.flaw(column, [COLUMNS[column.name].field], problem, 'keep the most important ones');
      return;
    }
    const isShort = SHORT.test(column.name);
    this.cells.set(column.name, { ...column, text: isShort ? clipped(text, SHORT_CHARACTERS) : text });
  }

  private dropRival(name: ColumnName, others: readonly ColumnName[]): void {
    const cell = this.cells.get(name);
    const other = others.map((one) => this.cells.get(one)).find((one) => one !== undefined);
    if (cell === undefined || other === undefined) return;
    const problem = `is filled in beside "${other.header}"`;
    this.flaw(cell, [COLUMNS[name].field], problem, 'clear one of the two cells');
    this.cells.delete(name);
  }

  private addStrayCell(): void {
    const { columns, ignored } = this.header;
    const isKnown = (at: number) => ignored.has(at) || columns.some(({ index }) => index === at);
    const stray = this.row.cells.findIndex((cell, index) => cell.trim() !== '' && !isKnown(index));
    if (stray === -1) return;
    const text = clipped(this.row.cells[stray]?.trim() ?? '', 60);
    const message = `a cell has no header above it: "${text}"`;
    const hint = 'name its column, or put quotes around a text that holds the separator';
    this.flaws.push({ rule: 'file-content', message, hint, ...this.row.positionOf(stray) });
  }
}

/** Where several columns may hold a field, the one to name first first. */
const COLUMNS_FOR: Readonly<Record<string, readonly ColumnName[]>> = {
  remoteCountry: ['remoteCountry', 'country'],
  locations: ['locations', 'city'],
  salaryMin: ['salaryMin', 'salary'],
  salaryMax: ['salaryMax', 'salary'],
  qualifications: ['required', 'qualifications'],
  budgets: ['MONTHLY', 'DAILY', 'WEEKLY', 'LIFETIME', 'budgets'],
};

function columnsFor([field]: FieldPath): readonly ColumnName[] {
  return COLUMNS_FOR[String(field)] ?? [field as ColumnName];
}
