import { CONTENT_FIELDS } from '../../../contract/job.ts';
import { clipped, type FieldPath, fieldName } from '../../../contract/problems.ts';
import { COUNTRIES } from '../../../contract/regions.ts';
import {
  BUDGET_WINDOWS,
  JOB_LEVELS,
  JOB_TYPES,
  REMOTE_OPTIONS,
  SALARY_PERIODS,
} from '../../../contract/values.ts';
import { periodIn } from '../../../contract/words.ts';
import type { Fault, SourcePosition } from '../../check/finding.ts';
import type { ListingDocument } from '../listing.ts';
import { centsIn, dollarsIn, rangeIn } from './amounts.ts';
import {
  choiceIn,
  jsonList,
  linesIn,
  notedAmount,
  partsIn,
  qualificationIn,
  questionIn,
  type Reading,
  sheetError,
  yesOrNo,
} from './cells.ts';
import {
  type Column,
  type ColumnName,
  exampleOf,
  type HeaderRow,
  headerOf,
  type TableRow,
} from './columns.ts';

/** A cell that says something, with its column. */
interface Cell extends Column {
  readonly text: string;
}

/** The listing of a row: each value as the contract takes it, or as it is written where it cannot be read. */
export class RowListing implements ListingDocument {
  readonly value: Record<string, unknown> = {};
  readonly flaws: Fault[] = [];
  readonly flawsOmitted = 0;
  private readonly cells = new Map<ColumnName, Cell>();
  /** The column of each value, by its path. */
  private readonly places = new Map<string, number>();

  constructor(
    private readonly row: TableRow,
    private readonly header: HeaderRow,
    private readonly decimalSign: '.' | ',',
  ) {
    for (const column of header.columns) this.addCell(column, row.cells[column.index] ?? '');
    for (const name of ['title', 'description', 'opportunityId', 'atsJobUrl'] as const) this.addText(name);
    this.addPlace();
    this.addChoices();
    this.addPay();
    this.addBid();
    this.addQualifications();
    this.addList('questions', (text) => ({
      value: linesIn(text).map((line, at) => questionIn(line, at + 1)),
    }));
    this.addBudgets();
    this.read('publish', ['publish'], yesOrNo);
    this.addStrayCells();
    this.value = inOrder(this.value);
  }

  readonly locate = (path: FieldPath): SourcePosition => {
    for (let length = path.length; length > 0; length--) {
      const index = this.places.get(fieldName(path.slice(0, length)));
      if (index !== undefined) return this.row.positionOf(index);
    }
    return this.row.positionOf(this.columnOf(path)?.index ?? this.header.columns[0]?.index ?? 0);
  };

  /** What to fill in for a field that a live listing lacks. */
  readonly advice = (path: FieldPath): string => {
    const name = this.columnOf(path)?.name ?? COLUMNS_OF[String(path[0])]?.[0] ?? 'title';
    const has = this.columnOf(path) === undefined ? 'add a column' : 'fill in the column';
    return `${has} "${this.columnOf(path)?.header ?? headerOf(name)}": ${exampleOf(name)}`;
  };

  private columnOf(path: FieldPath): Column | undefined {
    const names = COLUMNS_OF[String(path[0])] ?? [path[0]];
    return this.header.columns.find(({ name }) => names.includes(name));
  }

  private addCell(column: Column, text: string): void {
    if (text.trim() === '') return;
    const error = sheetError(text);
    if (error === undefined) {
      const isShort = SHORT.test(column.name);
      this.cells.set(column.name, { ...column, text: isShort ? clipped(text, SHORT_CHARACTERS) : text });
    } else this.flaw(column, [FIELD_OF[column.name] ?? column.name], error.problem, error.hint);
  }

  private flaw(column: Column, path: FieldPath, problem: string, hint: string): void {
    const message = `the column "${column.header}" ${problem}`;
    this.flaws.push({ rule: 'invalid-value', path, message, hint, ...this.row.positionOf(column.index) });
  }

  /** Takes what a cell says as the value at `path`; the text itself where it cannot be read. */
  private read<T>(
    name: ColumnName,
    path: FieldPath,
    readText: (text: string, cell: Cell) => Reading<T>,
  ): T | undefined {
    const cell = this.cells.get(name);
    if (cell === undefined) return undefined;
    const read = readText(cell.text, cell);
    this.places.set(fieldName(path), cell.index);
    if ('problem' in read) this.flaw(cell, path, read.problem, read.hint);
    if (path.length === 1) this.value[String(path[0])] = 'problem' in read ? cell.text : read.value;
    return 'problem' in read ? undefined : read.value;
  }

  private addText(name: 'title' | 'description' | 'opportunityId' | 'atsJobUrl' | 'remoteCountry'): void {
    this.read(name, [name], (text) => {
      const isShortened = name === 'opportunityId' && /^\d(?:[.,]\d+)?E\+\d+$/.test(text);
      if (!isShortened) return { value: text };
      return { problem: `lost digits: "${text}"`, hint: 'format the column as text, and write the id again' };
    });
  }

  private addChoices(): void {
    this.read('jobType', ['jobType'], (text) => choiceIn('jobType', JOB_TYPES, text));
    this.read('jobLevel', ['jobLevel'], (text) => choiceIn('jobLevel', JOB_LEVELS, text));
  }

  /** City, state and country make one location; a country without a city is where remote people work. */
  private addPlace(): void {
    const remote = this.read('remoteOption', ['remoteOption'], (text) => {
      const [, place = ''] = REMOTE_IN.exec(text.trim()) ?? [];
      return choiceIn('remoteOption', REMOTE_OPTIONS, isCountry(place) ? 'REMOTE' : text);
    });
    const [city, state, country] = (['city', 'state', 'country'] as const).map((name) =>
      this.cells.get(name),
    );
    this.addText('remoteCountry');
    this.read('locations', ['locations'], (text) => jsonList(text) ?? { value: partsIn(text) });
    const isRemote = remote === 'REMOTE' || (remote === undefined && !city && !state);
    if (isRemote && !this.cells.has('remoteCountry')) {
      const [, named] = REMOTE_IN.exec(this.cells.get('remoteOption')?.text.trim() ?? '') ?? [];
      const from = country ?? (named === undefined ? undefined : this.cells.get('remoteOption'));
      if (from) {
        this.value.remoteCountry = country?.text.trim() ?? named;
        this.places.set('remoteCountry', from.index);
      }
    }
    if (city || state || (country && !isRemote)) this.addCities(city, state, country);
  }

  private addCities(...given: (Cell | undefined)[]): void {
    const cells = given.filter((cell) => cell !== undefined);
    const [first] = cells as [Cell];
    const lists = cells.map(({ text }) => partsIn(text));
    const count = lists[0]?.length ?? 0;
    const other = this.cells.get('locations');
    const uneven = cells.find((_, at) => ![1, count].includes(lists[at]?.length ?? 0));
    if (other !== undefined) {
      this.flaw(first, ['locations'], `is filled in beside "${other.header}"`, 'clear one of the two');
      return;
    }
    this.places.set('locations', first.index);
    this.value.locations = Array.from({ length: count }, (_, at) =>
      lists.map((parts) => parts[at] ?? parts[0]).join(', '),
    );
    if (uneven === undefined) return;
    const hint = `write one for each "${first.header}", in the same order, or one for all`;
    this.flaw(uneven, ['locations'], `does not have as many values as "${first.header}"`, hint);
  }

  private addPay(): void {
    const periods = new Set<string>();
    const withoutPeriod = (text: string): string => {
      const period = periodIn(text);
      if (period !== undefined) periods.add(period);
      return period === undefined ? text : text.replace(PERIOD_WORDS, '');
    };
    const sign = this.decimalSign;
    for (const name of ['salaryMin', 'salaryMax'] as const) {
      this.read(name, [name], (text) => dollarsIn(withoutPeriod(text), sign));
    }
    const salary = this.cells.get('salary');
    if (salary !== undefined && (this.cells.has('salaryMin') || this.cells.has('salaryMax'))) {
      this.flaw(salary, ['salaryMin'], 'is filled in beside a column of one end', 'clear one of them');
    } else if (salary !== undefined) {
      const range = rangeIn(withoutPeriod(salary.text), sign);
      if ('problem' in range) this.flaw(salary, ['salaryMin'], range.problem, range.hint);
      const [low, high] = 'problem' in range ? [salary.text] : range.value;
      Object.assign(this.value, { salaryMin: low, ...(high === undefined ? {} : { salaryMax: high }) });
      for (const field of ['salaryMin', 'salaryMax']) this.places.set(field, salary.index);
    }
    const said = this.read('salaryPeriod', ['salaryPeriod'], (text) =>
      choiceIn('salaryPeriod', SALARY_PERIODS, text.replace(/^\s*(?:per|an?)\s+/i, '')),
    );
    const [period, other] =
      said === undefined ? periods : [said, ...[...periods].filter((word) => word !== said)];
    const cell =
      this.cells.get('salaryPeriod') ?? salary ?? this.cells.get('salaryMin') ?? this.cells.get('salaryMax');
    if (cell === undefined || period === undefined) return;
    if (!this.cells.has('salaryPeriod')) this.value.salaryPeriod = period;
    this.places.set('salaryPeriod', cell.index);
    if (other !== undefined)
      this.flaw(
        cell,
        ['salaryPeriod'],
        'says another time than the amounts',
        'let both say year, or both hour',
      );
  }

  private cents(text: string, { unit }: Column): Reading<number> {
    if (unit === 'cents') return /^\s*-?\d+\s*$/.test(text) ? { value: Number(text) } : NO_CENTS;
    const read = centsIn(text, this.decimalSign);
    if (unit !== undefined || 'problem' in read || /\$|usd|dollar|[.,]\d\d?\s*$/i.test(text)) return read;
    return {
      problem: `does not say whether it is in dollars or cents: "${text.trim()}"`,
      hint: `add ($) or (cents) to its header, or write $${text.trim()}`,
    };
  }

  private addBid(): void {
    const name = 'bidPerQualifiedApplicantCents';
    this.read(name, [name], (text, cell) => this.cents(text, cell));
  }

  /** A list of entries: as JSON, or as `readText` takes the cell. */
  private addList(
    name: 'questions' | 'qualifications' | 'budgets',
    readText: (text: string) => Reading<object[]>,
  ): void {
    this.read(name, [name], (text) => jsonList(text) ?? readText(text));
  }

  private addQualifications(): void {
    this.addList('qualifications', (text) => {
      const read = linesIn(text).map((line, at) => qualificationIn(line, at + 1));
      const problem = read.find((reading) => 'problem' in reading);
      return problem ?? { value: read.flatMap((reading) => ('value' in reading ? [reading.value] : [])) };
    });
    const entries: object[] = [];
    for (const [name, kind] of KINDS) {
      const cell = this.cells.get(name);
      for (const text of cell === undefined ? [] : partsIn(cell.text)) {
        this.places.set(`qualifications[${entries.length}]`, cell?.index ?? 0);
        entries.push({ text, kind, order: entries.length + 1 });
      }
    }
    if (entries.length === 0) return;
    const cell = this.cells.get('qualifications');
    if (cell === undefined) this.value.qualifications = entries;
    else
      this.flaw(
        cell,
        ['qualifications'],
        'is filled in beside "Required" or "Nice to have"',
        'clear one of them',
      );
  }

  private addBudgets(): void {
    this.addList('budgets', (text) => ({
      problem: `does not say for which time it is: "${text.trim().slice(0, 60)}"`,
      hint: `name the column ${BUDGET_WINDOWS.map((window) => `"${headerOf(window)}"`).join(' or ')}`,
    }));
    const entries: object[] = [];
    for (const window of BUDGET_WINDOWS) {
      const cell = this.cells.get(window);
      if (cell === undefined) continue;
      const { amount, ...notes } = notedAmount(cell.text);
      const path = ['budgets', entries.length, 'budgetCents'];
      const budgetCents = this.read(window, path, () => this.cents(amount, cell)) ?? amount;
      this.places.set(`budgets[${entries.length}]`, cell.index);
      entries.push({ window, budgetCents, ...notes });
    }
    if (entries.length > 0) this.value.budgets ??= entries;
  }

  private addStrayCells(): void {
    const known = new Set(this.header.columns.map(({ index }) => index));
    const stray = this.row.cells.findIndex(
      (cell, index) => cell.trim() !== '' && !known.has(index) && !this.header.ignored.has(index),
    );
    if (stray === -1) return;
    const message = `a cell has no header above it: "${this.row.cells[stray]?.trim().slice(0, 60)}"`;
    const hint = 'name its column, or put quotes around a text that holds the separator';
    this.flaws.push({ rule: 'file-content', message, hint, ...this.row.positionOf(stray) });
  }
}

/** Columns whose values are a few words: patterns need not look through more. */
const SHORT = /^(?:remoteOption|job|salary|bid|publish)/;
const SHORT_CHARACTERS = 200;

const NO_CENTS = { problem: 'is no whole number of cents', hint: 'write 1850 for $18.50' };

const KINDS = [
  ['required', 'REQUIRED'],
  ['desired', 'DESIRED'],
] as const;

/** The columns that may hold a field, the one to name first first. */
const COLUMNS_OF: Readonly<Record<string, readonly ColumnName[]>> = {
  remoteCountry: ['remoteCountry', 'country'],
  locations: ['locations', 'city'],
  salaryMin: ['salaryMin', 'salary'],
  salaryMax: ['salaryMax', 'salary'],
  qualifications: ['required', 'qualifications'],
  budgets: ['MONTHLY', 'DAILY', 'WEEKLY', 'LIFETIME', 'budgets'],
};

const FIELD_OF: Readonly<Partial<Record<ColumnName, string>>> = {
  city: 'locations',
  state: 'locations',
  country: 'locations',
  salary: 'salaryMin',
  required: 'qualifications',
  desired: 'qualifications',
  DAILY: 'budgets',
  WEEKLY: 'budgets',
  MONTHLY: 'budgets',
  LIFETIME: 'budgets',
};

const PERIOD_WORDS =
  /\s*(?:\/|\bper\b|\ban?\b)?\s*\b(?:hour|hourly|hr|h|year|yearly|yr|annum|annual|annually|pa)\b\.?\s*/i;

/** `Remote (US)`, `Remote - Canada` */
const REMOTE_IN = /^remote\s*[-–—,:(]?\s*(?:in\s+)?([^()]+?)\)?$/i;

function isCountry(text: string): boolean {
  const named = text.toLowerCase();
  return COUNTRIES.some(({ code, alpha3, name, aliases }) =>
    [code, alpha3, name, ...aliases].some((word) => word.toLowerCase() === named),
  );
}

/** In the order of the contract. */
function inOrder(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = [...CONTENT_FIELDS, 'publish'].filter((field) => value[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, value[field]]));
}
