import { hintElsewhere } from '../../../contract/field-names.ts';
import { nearest } from '../../../contract/nearest.ts';
import synonyms from '../../../contract/synonyms.json' with { type: 'json' };
import { contentFault, type Fault, type SourcePosition } from '../../check/finding.ts';
import headers from './headers.json' with { type: 'json' };

/** What a column of a table is about: a field of the contract, or a part of one. */
export type ColumnName = keyof typeof headers;

export const COLUMN_NAMES = Object.keys(headers) as ColumnName[];

interface ColumnKind {
  /** The field of the contract that it is about. */
  readonly field: string;
  /** How it is called where we name it, and a value that it may hold. */
  readonly header: string;
  readonly example: string;
  /** What else people call it, in lower case and without anything between the letters. */
  readonly names: string;
}

export const COLUMNS: Readonly<Record<ColumnName, ColumnKind>> = headers;

export interface Column {
  readonly name: ColumnName;
  readonly index: number;
  readonly header: string;
  /** What its header says about amounts; undefined where it says nothing. */
  readonly unit: 'dollars' | 'cents' | undefined;
}

/** A row of a table; each cell is text, empty where nothing is in it. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly positionOf: (index: number) => SourcePosition;
}

export interface HeaderRow {
  readonly columns: readonly Column[];
  /** Of columns that mean nothing to us. */
  readonly flaws: readonly Fault[];
  /** Columns that are not read: of an unknown header, or of one that begins with `#`. */
  readonly ignored: ReadonlySet<number>;
}

const COLUMNS_MAX = 250;

export const TEMPLATE = '`partner schema --csv` prints a table to start from';

/** What the columns of a table are, by its first row; a fault where it names none, or one twice. */
export function headerRow({ cells, positionOf }: TableRow): HeaderRow | { readonly fault: Fault } {
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  if (last >= COLUMNS_MAX) {
    const fault = contentFault(`the table has ${last + 1} columns; at most ${COLUMNS_MAX}`, TEMPLATE);
    return { fault: { ...fault, ...positionOf(COLUMNS_MAX) } };
  }
  const columns: Column[] = [];
  const flaws: Fault[] = [];
  const ignored = new Set<number>();
  for (const [index, cell] of cells.slice(0, last + 1).entries()) {
    const header = cell.trim().replace(/\s+/g, ' ');
    const known = header.startsWith('#') ? undefined : columnCalled(header);
    if (known !== undefined) {
      const twin = columns.find(({ name }) => name === known.name);
      if (twin !== undefined) return { fault: { ...repeated(header, twin.header), ...positionOf(index) } };
      columns.push({ ...known, index, header });
    } else if (header !== '') {
      ignored.add(index);
      if (!header.startsWith('#')) flaws.push({ ...unknownHeader(header), ...positionOf(index) });
    }
  }
  if (columns.length > 0) return { columns, flaws, ignored };
  const begins = cells
    .slice(0, 3)
    .map((cell) => `"${cell.trim().slice(0, 40)}"`)
    .join(', ');
  const hint = `the first row names the columns: Job title, Description, Pay from, …; ${TEMPLATE}`;
  return {
    fault: {
      ...contentFault(`this is no table of listings: it begins with ${begins}`, hint),
      ...positionOf(0),
    },
  };
}

function repeated(header: string, other: string): Fault {
  const message = `the column "${header}" means the same as "${other}"`;
  return contentFault(message, 'take one of the two out, or begin its header with # to keep it for yourself');
}

function unknownHeader(header: string): Fault {
  const near = nearest(header.replace(/\([^()]*\)/g, ''), SUGGESTED);
  const column = near === undefined ? undefined : columnCalled(near);
  const hint = column
    ? `did you mean "${COLUMNS[column.name].header}"?`
    : (hintElsewhere(header) ?? 'take the column out, or begin its header with # to keep it for yourself');
  const fault = contentFault(`the column "${header.slice(0, 60)}" is none of a listing`, hint);
  return { ...fault, rule: 'unknown-field', path: [header] };
}

function columnCalled(header: string): Pick<Column, 'name' | 'unit'> | undefined {
  const word = header
    .toLowerCase()
    .replaceAll('$', 'usd')
    .replaceAll('¢', 'cents')
    .replace(/[^a-z0-9]/g, '');
  const [, bare = word, sign] = /^(.+?)(usd|dollars|cents)$/.exec(word) ?? [];
  const unit = sign === undefined ? undefined : sign === 'cents' ? 'cents' : 'dollars';
  const name = BY_WORD.get(word) ?? BY_WORD.get(bare) ?? BY_WORD.get(bare.replace(/in$/, ''));
  if (name === undefined || (unit === 'cents' && !MAY_BE_CENTS.test(name))) return undefined;
  return { name, unit };
}

const MAY_BE_CENTS = /^(?:bid|[A-Z])/;

/**
 * Every word for a column: its own before those that the contract knows for its field. What goes live is not taken from
 * a column called Status.
 */
const BY_WORD: ReadonlyMap<string, ColumnName> = new Map(
  [
    ...Object.entries({ ...synonyms.fields, publish: '' }).map(
      ([fields, words]) => [fields.includes(' ') ? 'salary' : fields, words] as const,
    ),
    ...COLUMN_NAMES.map(
      (name) => [name, `${name} ${COLUMNS[name].header.replace(/\W/g, '')} ${COLUMNS[name].names}`] as const,
    ),
  ].flatMap(([name, words]) =>
    words
      .toLowerCase()
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => [word, name as ColumnName] as const),
  ),
);

/** Names to compare a misspelled header with. Short synonyms are excluded, because most short words are near one. */
const SUGGESTED: readonly string[] = [
  ...COLUMN_NAMES.flatMap((name) => [COLUMNS[name].header, name]),
  ...[...BY_WORD.keys()].filter((word) => word.length > 5),
];
