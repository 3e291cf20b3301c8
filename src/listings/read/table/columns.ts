import { hintElsewhere } from '../../../contract/how-to-write.ts';
import { type ColumnName, indexFieldParts, JOB_FIELDS } from '../../../contract/job-fields.ts';
import { nearest } from '../../../text/nearest.ts';
import { words } from '../../../text/words.ts';
import { contentFault, type Fault } from '../../check/finding.ts';
import {
  findCurrency,
  LABELS,
  type PayPeriod,
  periodNamed,
  TABLE_WORDS,
  withoutCurrency,
} from '../../vocabulary/vocabulary.ts';
import { type Mapping, type TableRow, toMappingKey } from '../listing.ts';
import related from './related-columns.json' with { type: 'json' };

export const COLUMNS = indexFieldParts('columns');

/** Returns the header of a field's column, as in the template. */
export function getHeader(field: string): string {
  return COLUMNS[field === 'qualifications' ? 'required' : (field as ColumnName)].header;
}

export const COLUMN_NAMES = related.names as readonly ColumnName[];

export interface Column {
  readonly name: ColumnName;
  readonly index: number;
  readonly header: string;
  readonly unit: 'dollars' | 'cents' | undefined;
  /** An ISO code, `$` for amounts that are dollars only in the United States, or undefined if it's unclear. */
  readonly currency: string | undefined;
  readonly period: PayPeriod | undefined;
}

export interface HeaderRow {
  readonly columns: readonly Column[];
  readonly flaws: readonly Fault[];
  readonly ignored: ReadonlySet<number>;
  readonly mapping: Mapping;
  /** Index of a column with currencies. */
  readonly currencyAt?: number | undefined;
  /** Column label in messages. */
  readonly noun?: string;
}

const COLUMNS_MAX = 250;

export const TEMPLATE = '`partner schema --csv` prints a template';

export function readHeader({ cells, locateCell }: TableRow, mapping: Mapping = {}) {
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  if (last >= COLUMNS_MAX) {
    const fault = contentFault(`the table has ${last + 1} columns (maximum ${COLUMNS_MAX})`, TEMPLATE);
    return { fault: { ...fault, ...locateCell(COLUMNS_MAX) } };
  }
  const columns: Column[] = [];
  const flaws: Fault[] = [];
  const ignored = new Set<number>();
  let currencyAt: number | undefined;
  for (const [index, cell] of cells.entries()) {
    const header = cell.trim().replace(/\s+/g, ' ');
    const known = findColumn(header, mapping);
    const isCurrency = TABLE_WORDS.currency.includes(words(header));
    if (isCurrency) currencyAt = index;
    if (known === 'ignore') ignored.add(index);
    else if (known !== undefined) {
      const twin = columns.find(({ name }) => name === known.name);
      const message = `the column "${header}" duplicates "${twin?.header}"`;
      if (twin) return { fault: { ...contentFault(message, IGNORE_ONE), ...locateCell(index) } };
      columns.push({ ...known, index, header });
    } else if (header !== '') {
      ignored.add(index);
      if (!isCurrency) flaws.push({ ...unknownHeader(header), ...locateCell(index) });
    }
  }
  if (columns.length > 0) return { columns, flaws, ignored, mapping, currencyAt };
  const begins = cells.slice(0, 3).map((cell) => `"${cell.trim().slice(0, 40)}"`);
  const fault = contentFault(`not a table of listings: it starts with ${begins.join(', ')}`, NO_NAMES);
  return { fault: { ...fault, ...locateCell(0) } };
}

const NOT_OURS = 'run `partner jobs map FILE`, or prefix its header with # to ignore it';
const IGNORE_ONE = 'remove one of the two, or start its header with # to ignore it';
const NO_NAMES = `the first row must contain the column names: Job title, Description, Pay from, … (${TEMPLATE}). To map other names, set \`columns\` in _defaults.yaml`;

/** Finds a column by its header, unless a `_defaults.yaml` maps the header. */
export function findColumn(header: string, { columns }: Mapping = {}): NamedColumn | 'ignore' | undefined {
  const mapped = columns?.get(toMappingKey(header));
  if (mapped === undefined) return header.startsWith('#') ? 'ignore' : columnCalled(header);
  const meant = mapped === 'ignore' ? undefined : columnCalled(mapped);
  if (meant === undefined) return 'ignore';
  const own = columnCalled(header);
  const currency = own?.name === meant.name ? own.currency : findCurrency(header);
  const { unit = meant.unit } = splitUnit(header);
  return { ...meant, unit, currency, period: meant.period ?? periodNamed(header) };
}

function unknownHeader(header: string): Fault {
  const { near, contained } = suggestColumns(header);
  const meant = near && `did you mean "${COLUMNS[near].header}"?`;
  const other = contained && `it may be "${COLUMNS[contained].header}": ${NOT_OURS}`;
  const hint = meant ?? other ?? hintElsewhere(header) ?? NOT_OURS;
  const fault = contentFault(`unknown column "${header.slice(0, 60)}"`, hint);
  return { ...fault, rule: 'unknown-field', path: [header], isOfFile: true };
}

/** Returns the column whose name a header misspells, or whose name it contains. */
export function suggestColumns(header: string): { near?: ColumnName; contained?: ColumnName } {
  const word = nearest(header.replace(/\([^()]*\)/g, ''), SUGGESTED);
  const near = word === undefined ? undefined : columnCalled(word)?.name;
  if (near !== undefined) return { near };
  const parts = isIgnoredHeader(header) ? [] : words(header).split(' ').slice(0, 12);
  const runs = parts.flatMap((_, from) =>
    parts.map((__, at) => parts.slice(from, parts.length - at).join('')),
  );
  const [contained] = runs
    .filter((run) => run.length > 2 && !TABLE_WORDS.generic.includes(run))
    .flatMap((run) => findName(run)?.name ?? []);
  return contained === undefined ? {} : { contained };
}

export function isIgnoredHeader(header: string): boolean {
  return IGNORED.has(words(header).replaceAll(' ', ''));
}

type NamedColumn = Pick<Column, 'name' | 'unit' | 'currency' | 'period'>;

/** Returns the unit at the end of a header, such as `Bid ($)`, and its word with and without the unit. */
export function splitUnit(header: string) {
  const spelledOut = header.replaceAll('$', 'usd').replaceAll('¢', 'cents');
  const word = words(spelledOut).replace(/[^\p{L}\p{N}]/gu, '');
  const [, bare = word, sign] = /^(.+?)(usd|dollars|cents)$/.exec(word) ?? [];
  const unit = sign === undefined ? undefined : sign === 'cents' ? ('cents' as const) : ('dollars' as const);
  return { word, bare, unit };
}

export function columnCalled(header: string): NamedColumn | undefined {
  const { word, bare, unit } = splitUnit(header);
  const found =
    findName(word) ??
    findName(bare) ??
    findName(bare.replace(/in$/, '')) ??
    findName(withoutQualifiers(header));
  if (found === undefined || (unit === 'cents' && !MAY_BE_CENTS.test(found.name))) return undefined;
  const { name, isEnglish } = found;
  const { kind, header: own } = COLUMNS[name];
  const isMoney = kind === 'dollars' || kind === 'cents';
  const given = isMoney ? findCurrency(header) : undefined;
  if (kind === 'cents' && given !== undefined && !['USD', '$'].includes(given)) return undefined;
  const isOwn = name !== 'salary' && [name, own].includes(header);
  const currency =
    given === 'USD' || (isOwn && (given ?? '$') === '$') ? 'USD' : (given ?? (isEnglish ? '$' : undefined));
  return { name, unit, currency, period: kind === 'dollars' ? periodNamed(header) : undefined };
}

const MAY_BE_CENTS = /^(?:bid|[A-Z])/;

/** Removes currencies, periods, remarks in brackets and words such as `gross` from a header. */
function withoutQualifiers(header: string): string {
  const rest = withoutCurrency(header.replace(/\([^()]*\)|\[[^[\]]*\]/g, ' '));
  const kept = words(rest)
    .split(' ')
    .filter((one) => !TABLE_WORDS.qualifiers.includes(one));
  const word = kept.join('');
  return findName(word) ? word : kept.filter((one) => periodNamed(one) === undefined).join('');
}

function findName(word: string): { readonly name: ColumnName; readonly isEnglish: boolean } | undefined {
  const english = BY_WORD.get(word);
  const name = english ?? FOREIGN.get(word);
  return name && { name, isEnglish: english !== undefined };
}

const IGNORED = new Set(
  [...TABLE_WORDS.ignored, ...TABLE_WORDS.currency].map((text) => text.replaceAll(' ', '')),
);

const TABLE_COLUMNS = Object.entries(TABLE_WORDS.columns) as [
  ColumnName,
  Record<'english' | 'others', string[]>,
][];

/** Words of other languages for columns. A word that usually means another column isn't one of them. */
const FOREIGN: ReadonlyMap<string, ColumnName> = indexWords([
  ...Object.entries({
    locations: LABELS.places,
    remoteOption: [...LABELS.workplace, ...LABELS.remote],
    jobType: LABELS.jobType,
    salary: LABELS.salaries,
    jobLevel: LABELS.jobLevel,
  }).map(([name, list]) => [name, list.filter((phrase) => !TABLE_WORDS.ignored.includes(phrase))] as const),
  ...TABLE_COLUMNS.map(([name, { others }]) => [name, others] as const),
]);

/**
 * Maps each word to its column. The column's own words override the synonyms of its field. `publish` doesn't have
 * synonyms, because a column called Status doesn't mean it.
 */
const BY_WORD: ReadonlyMap<string, ColumnName> = indexWords([
  ...TABLE_COLUMNS.map(([name, { english }]) => [name, english] as const),
  ...Object.entries(JOB_FIELDS).map(
    ([field, { synonyms = '' }]) => [field, field === 'publish' ? [] : synonyms.split(' ')] as const,
  ),
  ...COLUMN_NAMES.map((name) => {
    const { header, names = '' } = COLUMNS[name];
    return [name, [name, header.replace(/\W/g, ''), ...names.split(' ')]] as const;
  }),
]);

function indexWords(lists: readonly (readonly [string, readonly string[]])[]): Map<string, ColumnName> {
  const pairs = lists.flatMap(([name, list]) =>
    list.map((word) => [word.toLowerCase().replaceAll(' ', ''), name as ColumnName] as const),
  );
  return new Map(pairs.filter(([word]) => word !== ''));
}

/** Names to compare a misspelled header with. Excludes short synonyms, because most short words would match one. */
const SUGGESTED: readonly string[] = [
  ...COLUMN_NAMES.flatMap((name) => [COLUMNS[name].header, name]),
  ...[...BY_WORD.keys()].filter((word) => word.length > 5),
];
