import { PartnerError } from '../../contract/errors.ts';
import type { ColumnName } from '../../contract/job-fields.ts';
import { isObject } from '../../contract/values.ts';
import { findMeaning } from '../../places/decide/find-meaning.ts';
import type { Places } from '../../places/place-names.ts';
import { words } from '../../text/words.ts';
import { type Finding, toListingError } from '../check/finding.ts';
import { checkListing } from '../check/findings.ts';
import type { Input } from '../read/bytes.ts';
import { findFormat, type ReadOptions } from '../read/formats.ts';
import { type Listing, type Mapping, type TableParts, toMappingKey } from '../read/listing.ts';
import { readEntries } from '../read/read.ts';
import { parseChoiceCell } from '../read/table/cells.ts';
import { COLUMNS, findColumn, isIgnoredHeader, suggestColumns } from '../read/table/columns.ts';
import { RIVALS } from '../read/table/row-cells.ts';
import { findCurrency } from '../vocabulary/vocabulary.ts';

export interface MappedColumn {
  readonly name: string;
  readonly field: ColumnName | 'ignore';
  readonly example: string;
  /** True if the column is read like this without an entry. */
  readonly isRead: boolean;
  /** The field that a doubtful column may be, and why it's ignored. */
  readonly candidate?: ColumnName | undefined;
  readonly doubt?: string | undefined;
  /** True if the doubt is whether the amounts are in US dollars. */
  readonly needsCurrency?: boolean | undefined;
}

export interface Proposal {
  readonly columns: readonly MappedColumn[];
  readonly sheet?: string | undefined;
  readonly currency?: string | undefined;
}

const ROWS_MAX = 300;

/** Proposes a field for each column of a table. Throws USAGE, FILE_UNREADABLE and FILE_INVALID. */
export async function proposeMapping(file: string, input: Input, options: ReadOptions, places: Places) {
  const { mapping: known = {}, sheet } = options;
  if (file === '-' || !['csv', 'tsv', 'xlsx'].includes(findFormat(file) ?? options.format ?? ''))
    throw new PartnerError('USAGE', {
      message: `can't map ${file === '-' ? 'stdin' : file}: expected a CSV, TSV or Excel file`,
      hint: 'for the names in a YAML or JSON file, set `fields` in _defaults.yaml',
    });
  const { parts, faults } = await readSample(file, input, options, 1);
  const rows = parts?.listings.slice(0, ROWS_MAX).map(({ cells }) => cells.map((cell) => cell.trim())) ?? [];
  const found = parts?.header.cells.map((cell, at) => {
    const values = rows.map((cells) => cells[at] ?? '').filter(Boolean);
    return proposeColumn(cell.trim().replace(/\s+/g, ' '), values, known, places);
  });
  const columns = withoutRivals(found?.filter(({ name, example }) => name !== '' || example !== '') ?? []);
  const own = new Map(columns.map(({ name, field }) => [toMappingKey(name), field]));
  const mapped = await readSample(file, input, { ...options, mapping: { ...known, columns: own } }, ROWS_MAX);
  const refused = toListingError(parts === undefined ? faults : mapped.faults);
  if (refused !== undefined) throw refused;
  const checked = mapped.listings.map((listing) => {
    const { findings } = checkListing(listing, { draft: true, places });
    return [
      listing,
      findings.filter((one) => one.level === 'error' && one.rule !== 'unknown-place'),
    ] as const;
  });
  const proposal = { columns: columns.map((column) => doubtWrong(column, checked, known)) };
  return sheet === undefined || sheet === known.sheet ? proposal : { ...proposal, sheet };
}

async function readSample(file: string, input: Input, options: ReadOptions, rowsMax: number) {
  const tables: TableParts[] = [];
  const [listings, faults]: [Listing[], Finding[]] = [[], []];
  const onTable = (parts: TableParts) => tables.push(parts);
  for await (const { listing, finding } of readEntries(file, input, { ...options, onTable })) {
    if (finding !== undefined) faults.push(finding);
    if (listing !== undefined && listings.push(listing) === rowsMax) break;
  }
  return { parts: tables[0], listings, faults };
}

function proposeColumn(
  name: string,
  values: readonly string[],
  known: Mapping,
  places: Places,
): MappedColumn & { readonly currency: string | undefined } {
  const currency = [name, ...values].map(findCurrency).find((code) => code !== undefined && code !== '$');
  const shown = { name, example: values[0] ?? '', currency };
  const column = findColumn(name, known);
  if (column !== undefined)
    return { ...shown, field: column === 'ignore' ? column : column.name, isRead: true };
  const isIgnored = name === '' || isIgnoredHeader(name);
  const { near, contained } = isIgnored ? {} : suggestColumns(name);
  const seen = isIgnored ? undefined : guessFromValues(values, places);
  const candidate = contained ?? seen;
  // A link of the company isn't the job's.
  const isOfOther = words(name).split(' ').some(isIgnoredHeader);
  const sure = near ?? (contained === seen && !isOfOther ? seen : undefined);
  if (sure !== undefined || candidate === undefined)
    return { ...shown, field: sure ?? 'ignore', isRead: false };
  const doubt = `its ${contained ? 'name contains' : 'values look like'} "${COLUMNS[candidate].header}"`;
  return { ...shown, field: 'ignore', isRead: false, candidate, doubt };
}

const VALUES_CHECKED = 30;

const LOOKS: readonly (readonly [ColumnName, (text: string, places: Places) => boolean])[] = [
  ['atsJobUrl', (text) => /^https?:\/\//.test(text)],
  ...(['jobType', 'remoteOption', 'jobLevel'] as const).map(
    (field) => [field, (text: string) => 'value' in parseChoiceCell(field, text)] as const,
  ),
  ['locations', (text, places) => ['place', 'remote'].includes(findMeaning(text, places).kind)],
];

function guessFromValues(values: readonly string[], places: Places): ColumnName | undefined {
  const distinct = [...new Set(values)].slice(0, VALUES_CHECKED);
  const isMostly = (test: (text: string) => boolean) =>
    distinct.length > 0 && distinct.filter(test).length * 5 >= distinct.length * 4;
  return LOOKS.find(([, test]) => isMostly((text) => test(text, places)))?.[0];
}

/** Keeps one column for each field, preferably one in US dollars or with the field's own name. A place next to a state is a city. */
function withoutRivals(given: readonly ReturnType<typeof proposeColumn>[]): typeof given {
  const has = (field: string) => given.some((one) => one.field === field);
  const isCity = has('state') && !has('city');
  const columns = given.map((one) =>
    isCity && one.field === 'locations' ? { ...one, field: 'city' as const, isRead: false } : one,
  );
  const rank = ({ name, field, currency }: (typeof given)[number]) =>
    (currency === undefined ? 2 : currency === 'USD' ? 4 : 0) + (name.toLowerCase() === field ? 1 : 0);
  const byPreference = columns.toReversed().sort((one, other) => rank(one) - rank(other));
  const taken = new Map<string, string>(byPreference.map(({ field, name }) => [field, name]));
  return columns.map((one) => {
    const { name, field } = one;
    if (field === 'ignore') return one;
    const rivals = RIVALS.find(([first]) => first === field) ?? [field];
    const other = rivals.map((rival) => taken.get(rival)).find((column) => (column ?? name) !== name);
    if (other === undefined) return one;
    return { ...one, field: 'ignore', candidate: field, isRead: false, doubt: `"${other}" has this field` };
  });
}

/** Ignores a column if more than half of its values can't be read, unless the user has mapped it. */
function doubtWrong(
  { currency, ...column }: ReturnType<typeof proposeColumn>,
  checked: readonly (readonly [listing: Listing, errors: readonly Finding[]])[],
  known: Mapping,
): MappedColumn {
  const { name, field } = column;
  if (field === 'ignore' || known.columns?.has(toMappingKey(name))) return column;
  const { field: ours, kind } = COLUMNS[field];
  const isHere = ({ field: at }: Finding) =>
    kind === 'dollars' ? /^salaryM/.test(at) : at.split(/\W/)[0] === ours;
  const given = checked.filter(([{ value }]) => isObject(value) && Object.hasOwn(value, ours));
  const errors = given.flatMap(([, found]) => found.find(isHere) ?? []);
  const [first] = errors;
  if (first === undefined || errors.length * 2 <= given.length) return column;
  const doubt = first.message.replace(`the column "${name}" `, '');
  const needsCurrency = kind === 'dollars' && currency === undefined && known.currency === undefined;
  return { ...column, field: 'ignore', isRead: false, candidate: field, doubt, needsCurrency };
}
