import { hintElsewhere } from '../../../contract/how-to-write.ts';
import {
  type ColumnName,
  type FieldName,
  indexFieldParts,
  JOB_FIELDS,
} from '../../../contract/job-fields.ts';
import { BUDGET_WINDOWS } from '../../../contract/values.ts';
import { nearest } from '../../../text/nearest.ts';
import { contentFault, type Fault, type SourcePosition } from '../../check/finding.ts';

export const COLUMNS = indexFieldParts('columns');

export const COLUMN_NAMES: readonly ColumnName[] = [
  ...(['key', 'opportunityId', 'title', 'description', 'remoteOption', 'remoteCountry'] as const),
  ...(['locations', 'city', 'state', 'country', 'jobType', 'jobLevel'] as const),
  ...(['salaryMin', 'salaryMax', 'salary', 'salaryPeriod', 'bidPerQualifiedApplicantCents'] as const),
  ...(['required', 'desired', 'qualifications', 'questions', ...BUDGET_WINDOWS, 'budgets'] as const),
  ...(['atsJobUrl', 'publish', 'department'] as const),
];

export interface Column {
  readonly name: ColumnName;
  readonly index: number;
  readonly header: string;
  readonly unit: 'dollars' | 'cents' | undefined;
}

export interface TableRow {
  readonly cells: readonly string[];
  /** Number of the row in a spreadsheet. */
  readonly row: number;
  readonly locateCell: (index: number) => SourcePosition;
}

export interface HeaderRow {
  readonly columns: readonly Column[];
  readonly flaws: readonly Fault[];
  readonly ignored: ReadonlySet<number>;
}

const COLUMNS_MAX = 250;

export const TEMPLATE = '`partner schema --csv` prints a template';

export function readHeader({ cells, locateCell }: TableRow): HeaderRow | { readonly fault: Fault } {
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  if (last >= COLUMNS_MAX) {
    const fault = contentFault(`the table has ${last + 1} columns (maximum ${COLUMNS_MAX})`, TEMPLATE);
    return { fault: { ...fault, ...locateCell(COLUMNS_MAX) } };
  }
  const columns: Column[] = [];
  const flaws: Fault[] = [];
  const ignored = new Set<number>();
  for (const [index, cell] of cells.slice(0, last + 1).entries()) {
    const header = cell.trim().replace(/\s+/g, ' ');
    const known = header.startsWith('#') ? undefined : columnCalled(header);
    if (known !== undefined) {
      const twin = columns.find(({ name }) => name === known.name);
      if (twin !== undefined)
        return { fault: { ...createRepeatedFault(header, twin.header), ...locateCell(index) } };
      columns.push({ ...known, index, header });
    } else if (header !== '') {
      ignored.add(index);
      if (!header.startsWith('#')) flaws.push({ ...unknownHeader(header), ...locateCell(index) });
    }
  }
  if (columns.length > 0) return { columns, flaws, ignored };
  const begins = cells
    .slice(0, 3)
    .map((cell) => `"${cell.trim().slice(0, 40)}"`)
    .join(', ');
  const hint = `the first row must contain the column names: Job title, Description, Pay from, … (${TEMPLATE})`;
  return {
    fault: {
      ...contentFault(`not a table of listings: it starts with ${begins}`, hint),
      ...locateCell(0),
    },
  };
}

function createRepeatedFault(header: string, other: string): Fault {
  const message = `the column "${header}" duplicates "${other}"`;
  return contentFault(message, 'remove one of the two, or start its header with # to ignore it');
}

function unknownHeader(header: string): Fault {
  const near = nearest(header.replace(/\([^()]*\)/g, ''), SUGGESTED);
  const column = near === undefined ? undefined : columnCalled(near);
  const hint = column
    ? `did you mean "${COLUMNS[column.name].header}"?`
    : (hintElsewhere(header) ?? 'remove the column, or start its header with # to ignore it');
  const fault = contentFault(`unknown column "${header.slice(0, 60)}"`, hint);
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
 * Maps each word to its column. The column's own words override the synonyms of its field. `publish` doesn't have
 * synonyms, because a column called Status doesn't mean it.
 */
const BY_WORD: ReadonlyMap<string, ColumnName> = new Map(
  [
    ...(Object.keys(JOB_FIELDS) as FieldName[]).map(
      (field) => [field, field === 'publish' ? '' : (JOB_FIELDS[field].synonyms ?? '')] as const,
    ),
    ...COLUMN_NAMES.map((name) => {
      const { header, names = '' } = COLUMNS[name];
      return [name, `${name} ${header.replace(/\W/g, '')} ${names}`] as const;
    }),
  ].flatMap(([name, words]) =>
    words
      .toLowerCase()
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => [word, name] as const),
  ),
);

/** Names to compare a misspelled header with. Excludes short synonyms, because most short words would match one. */
const SUGGESTED: readonly string[] = [
  ...COLUMN_NAMES.flatMap((name) => [COLUMNS[name].header, name]),
  ...[...BY_WORD.keys()].filter((word) => word.length > 5),
];
