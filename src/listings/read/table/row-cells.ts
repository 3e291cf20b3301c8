import type { ColumnName, ValueKind } from '../../../contract/job-fields.ts';
import { clipText, type FieldPath, fieldName } from '../../../contract/problems.ts';
import type { Parsed } from '../../../contract/words.ts';
import { decodeEntities } from '../../../text/html-entities.ts';
import { contentFault, type Fault, type SourcePosition } from '../../check/finding.ts';
import { findCurrency, isEmptyWord } from '../../vocabulary/vocabulary.ts';
import { type ListingDocument, type TableRow, toMappingKey } from '../listing.ts';
import cellHints from './cell-hints.json' with { type: 'json' };
import { findSheetError, joinPythonList } from './cells.ts';
import { COLUMNS, type Column, type HeaderRow } from './columns.ts';
import related from './related-columns.json' with { type: 'json' };

export interface Cell extends Column {
  readonly text: string;
}

const SHORT: readonly ValueKind[] = ['choice', 'dollars', 'cents', 'yesOrNo'];
const SHORT_CHARACTERS = 200;

const TEXT: readonly ValueKind[] = ['text', 'block'];
const VALUES_MAX = 10_000;
const TOO_LONG = { problem: 'has more than 10,000 values', hint: 'keep only the most important ones' };

/** In each group, a row can fill either the first column or the others. */
export const RIVALS = related.rivals as [ColumnName, ...ColumnName[]][];

export class RowCells implements ListingDocument {
  readonly value: Record<string, unknown> = {};
  unclearPay: ListingDocument['unclearPay'];
  readonly flaws: Fault[] = [];
  readonly cells = new Map<ColumnName, Cell>();
  private readonly places = new Map<string, Column>();

  constructor(
    private readonly row: TableRow,
    readonly header: HeaderRow,
    readonly decimalSign: '.' | ',',
  ) {
    for (const column of header.columns) this.addCell(column, row.cells[column.index] ?? '');
    for (const [name, ...others] of RIVALS) this.dropRival(name, others);
    this.addStrayCell();
  }

  readonly locate = (path: FieldPath): SourcePosition =>
    this.row.locateCell((this.findColumn(path) ?? this.header.columns[0])?.index ?? 0);

  readonly advice = (path: FieldPath, hint?: string): string => {
    if (hint !== undefined)
      return cellHints.reduce((said, [from = '', to = '']) => said.replace(new RegExp(from, 'g'), to), hint);
    const column = this.findColumn(path);
    const { header, example } = COLUMNS[column?.name ?? listColumns(path)[0] ?? 'title'];
    if (column === undefined) return `add a column "${header}": ${example}`;
    return this.cells.has(column.name)
      ? `check the column "${column.header}". Example: ${example}`
      : `fill in the column "${column.header}": ${example}`;
  };

  /** Returns the currency in the row's own column for it. */
  findCurrency(): string | undefined {
    const text = this.row.cells[this.header.currencyAt ?? -1]?.trim() ?? '';
    return isEmptyWord(text) ? undefined : (findCurrency(text) ?? clipText(text, 20));
  }

  flaw(column: Column, path: FieldPath, problem: string, hint: string, level?: Fault['level']): void {
    const message = `the ${this.header.noun ?? 'column'} "${column.header}" ${problem}`;
    const position = this.row.locateCell(column.index);
    this.flaws.push({ rule: 'invalid-value', path, message, hint, ...position, ...(level && { level }) });
  }

  /** Adds a warning about a value that the user should check. */
  warn(column: Column, field: string, guess: string): void {
    this.flaw(column, [field], guess, `check it. Example: ${COLUMNS[column.name].example}`, 'warning');
  }

  set(field: string, value: unknown, column: Column): void {
    this.value[field] = value;
    this.places.set(field, column);
  }

  add(field: string, entry: object, column: Column): FieldPath {
    const entries = (this.value[field] ?? []) as readonly object[];
    this.value[field] = [...entries, entry];
    const path = [field, entries.length];
    this.places.set(fieldName(path), column);
    return path;
  }

  read<T>(name: ColumnName, readText: (text: string, cell: Cell) => Parsed<T>): T | undefined {
    const cell = this.cells.get(name);
    if (cell === undefined) return undefined;
    const { field } = COLUMNS[name];
    const read = readText(cell.text, cell);
    const isWrong = 'problem' in read;
    if (isWrong) this.flaw(cell, [field], read.problem, read.hint);
    else if (read.guess !== undefined) this.warn(cell, field, read.guess);
    this.set(field, isWrong ? cell.text : read.value, cell);
    return isWrong ? undefined : read.value;
  }

  private findColumn(path: FieldPath): Column | undefined {
    for (let length = path.length; length > 0; length--) {
      const column = this.places.get(fieldName(path.slice(0, length)));
      if (column !== undefined) return column;
    }
    const { columns } = this.header;
    const name = listColumns(path).find((one) => columns.some((column) => column.name === one));
    return columns.find((column) => column.name === name);
  }

  private addCell(column: Column, given: string): void {
    const { field, kind, header } = COLUMNS[column.name];
    const own = joinPythonList(kind === 'block' ? given : decodeEntities(given));
    const ours = kind === 'block' ? undefined : this.header.mapping.values?.get(toMappingKey(own));
    const text = ours ?? own;
    if (text.trim() === '' || ours === 'ignore') return;
    const isShort = SHORT.includes(kind);
    const canSkip = isShort || kind === 'locations' || (column.header !== header && /[\p{L}{}]/u.test(text));
    const isLong = !TEXT.includes(kind) && text.split(/[;\n\r]/, VALUES_MAX + 1).length > VALUES_MAX;
    const error = findSheetError(text) ?? (isLong ? TOO_LONG : undefined);
    if (error !== undefined) this.flaw(column, [field], error.problem, error.hint);
    else if (!canSkip || !isEmptyWord(text))
      this.cells.set(column.name, { ...column, text: isShort ? clipText(text, SHORT_CHARACTERS) : text });
  }

  private dropRival(name: ColumnName, others: readonly ColumnName[]): void {
    const cell = this.cells.get(name);
    const other = others.map((one) => this.cells.get(one)).find((one) => one !== undefined);
    if (cell === undefined || other === undefined) return;
    const problem = `can't be combined with "${other.header}"`;
    this.flaw(cell, [COLUMNS[name].field], problem, 'clear one of the two cells');
    this.cells.delete(name);
  }

  private addStrayCell(): void {
    const { columns, ignored } = this.header;
    const isKnown = (at: number) => ignored.has(at) || columns.some(({ index }) => index === at);
    const stray = this.row.cells.findIndex((cell, index) => cell.trim() !== '' && !isKnown(index));
    if (stray === -1) return;
    const text = clipText(this.row.cells[stray]?.trim() ?? '', 60);
    const hint = 'add a column header, or put quotes around text that contains the separator';
    const fault = contentFault(`a cell has no column header: "${text}"`, hint);
    this.flaws.push({ ...fault, ...this.row.locateCell(stray) });
  }
}

const COLUMNS_FOR = related.columnsFor as Readonly<Record<string, readonly ColumnName[]>>;

function listColumns([field]: FieldPath): readonly ColumnName[] {
  return COLUMNS_FOR[String(field)] ?? [field as ColumnName];
}
