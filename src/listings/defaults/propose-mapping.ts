import { PartnerError } from '../../contract/errors.ts';
import type { ColumnName } from '../../contract/job-fields.ts';
import { isObject } from '../../contract/values.ts';
import { findMeaning } from '../../places/decide/find-meaning.ts';
import { findCommonCountry, type PlaceMeaning } from '../../places/decide/place-meaning.ts';
import type { Places } from '../../places/place-names.ts';
import { groupBy } from '../../text/group-by.ts';
import { words } from '../../text/words.ts';
import { type Finding, toListingError } from '../check/finding.ts';
import { checkListing } from '../check/findings.ts';
import { textLocations } from '../places/place-problems.ts';
import type { Input } from '../read/bytes.ts';
import { findFormat, type ReadOptions } from '../read/formats.ts';
import { type Listing, type Mapping, type TableParts, toMappingKey } from '../read/listing.ts';
import { readEntries } from '../read/read.ts';
import { parseChoiceCell } from '../read/table/cells.ts';
import { COLUMNS, findColumn, isIgnoredHeader, splitUnit, suggestColumns } from '../read/table/columns.ts';
import { formatCell } from '../read/table/mapped-fields.ts';
import { RIVALS } from '../read/table/row-cells.ts';
import { findCurrency } from '../vocabulary/vocabulary.ts';
import { listUnclear, type UnclearValue } from './unclear-values.ts';

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
  /** Key of the mapping in `_defaults.yaml`. */
  readonly part: 'columns' | 'fields';
  readonly columns: readonly MappedColumn[];
  readonly missing: readonly string[];
  readonly sheet?: string | undefined;
  readonly currency?: string | undefined;
  readonly country?: string | undefined;
  readonly unclear: readonly UnclearValue[];
}

const ROWS_MAX = 300;

/** Proposes a job field for each column or field name in a file. Throws USAGE, FILE_UNREADABLE and FILE_INVALID. */
export async function proposeMapping(file: string, input: Input, options: ReadOptions, places: Places) {
  const { mapping: known = {}, sheet } = options;
  if (file === '-') throw new PartnerError('USAGE', { message: "can't map stdin", hint: 'pass a file path' });
  const isTable = ['csv', 'tsv', 'xlsx'].includes(findFormat(file) ?? options.format ?? '');
  const part = isTable ? 'columns' : 'fields';
  const { names, faults } = isTable
    ? await readColumns(file, input, options)
    : await readFieldNames(file, input, options, places);
  const asColumns = { ...known, columns: known[part] ?? new Map() };
  const found = names.map(({ name, values, isRead }) => {
    const column = proposeColumn(name, values, asColumns, places);
    return { ...column, isRead: isRead ?? column.isRead };
  });
  const columns = withoutRivals(
    part,
    found.filter(({ name, example }) => name !== '' || example !== ''),
  );
  // Without a title, a row is no use. The doubt stays, so that the user checks the column.
  const hasTitle = columns.some(({ field }) => field === 'title');
  const title = columns.findIndex(({ candidate, example }) => candidate === 'title' && example !== '');
  if (!hasTitle && title >= 0) columns[title] = { ...(columns[title] as Proposed), field: 'title' };
  const own = columns.filter(({ isRead }) => isTable || !isRead);
  const read = (chosen: readonly MappedColumn[], rowsMax: number, country = known.country) => {
    const added = new Map(chosen.map(({ name, field }) => [toMappingKey(name), field]));
    const mapping = { ...known, country, [part]: new Map([...(known[part] ?? []), ...added]) };
    return readSample(file, input, { ...options, mapping }, rowsMax);
  };
  const mapped = await read(own, ROWS_MAX);
  const refused = toListingError(names.length === 0 ? faults : mapped.faults);
  if (refused !== undefined) throw refused;
  const checked = mapped.listings.map((listing) => [listing, listErrors(listing, places)] as const);
  const texts = groupBy(
    mapped.listings.flatMap(({ value }) => textLocations(value)),
    (text) => text,
  );
  const meanings: PlaceMeaning[] = [...texts].flatMap(([text, uses]) =>
    Array(uses.length).fill(findMeaning(text, places)),
  );
  const isPlaces = meanings.filter(({ kind }) => kind === 'unknown').length * 2 <= meanings.length;
  const proposed = withoutTaken(columns.map((column) => doubtWrong(column, checked, asColumns, isPlaces)));
  const country = known.country === undefined ? findCommonCountry(meanings) : undefined;
  const all = isTable ? await read(proposed, Number.POSITIVE_INFINITY, country) : { listings: [] };
  return {
    part,
    columns: proposed,
    missing: listMissing(mapped.listings, places),
    sheet: sheet === known.sheet ? undefined : sheet,
    country,
    unclear: await listUnclear(all.listings, country ?? known.country, places),
  } as const;
}

/** Clears the doubt if the column is empty or another column has the field. */
function withoutTaken(columns: readonly MappedColumn[]): MappedColumn[] {
  const taken = new Set(columns.map(({ field }) => field));
  return columns.map(({ candidate, doubt, ...column }) => {
    if (column.example === '') return column;
    return candidate && taken.has(candidate) ? { ...column, doubt } : { ...column, candidate, doubt };
  });
}

/** Returns the fields still required to publish every listing. */
function listMissing(listings: readonly Listing[], places: Places): string[] {
  const needed = listings.map((listing) => {
    const { findings } = checkListing(listing, { draft: false, places });
    return findings.filter(({ rule }) => rule === 'incomplete').map(rootField);
  });
  return (needed[0] ?? []).filter((field) => needed.every((fields) => fields.includes(field)));
}

async function readColumns(file: string, input: Input, options: ReadOptions) {
  const { parts, faults } = await readSample(file, input, options, 1);
  const rows = parts?.listings.slice(0, ROWS_MAX) ?? [];
  const names = parts?.header.cells.map((cell, at) => {
    const values = rows.map(({ cells }) => cells[at]?.trim() ?? '').filter(Boolean);
    return { name: cell.trim().replace(/\s+/g, ' '), values, isRead: undefined };
  });
  return { names: names ?? [], faults };
}

/** A field with our name and valid values needs no mapping. */
async function readFieldNames(file: string, input: Input, options: ReadOptions, places: Places) {
  const { listings, faults } = await readSample(file, input, options, ROWS_MAX);
  const wrong = new Set(listings.flatMap((listing) => listErrors(listing, places).map(rootField)));
  const found = listings.flatMap(({ value }) => (isObject(value) ? Object.entries(value) : []));
  const names = Array.from(
    groupBy(found, ([name]) => name),
    ([name, entries]) => {
      const values = entries.map(([, value]) => formatCell(value)).filter(Boolean);
      return { name, values, isRead: !wrong.has(name) };
    },
  );
  return { names, faults };
}

function listErrors(listing: Listing, places: Places): Finding[] {
  const { findings } = checkListing(listing, { draft: true, places });
  return findings.filter(({ level, rule }) => level === 'error' && rule !== 'unknown-place');
}

function rootField({ field }: Finding): string {
  return field.replace(/\W.*/s, '');
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

function proposeColumn(name: string, values: readonly string[], known: Mapping, places: Places) {
  const currency = [name, ...values].map(findCurrency).find((code) => code !== undefined && code !== '$');
  const shown = { name, example: values[0] ?? '', currency };
  const column = findColumn(name, known);
  if (column !== undefined)
    return { ...shown, field: column === 'ignore' ? ('ignore' as const) : column.name, isRead: true };
  const isIgnored = name === '' || isIgnoredHeader(name);
  const { near, contained } = isIgnored ? {} : suggestColumns(name);
  const seen = isIgnored ? undefined : guessFromValues(values, places);
  const candidate = contained ?? seen;
  // A link of the company isn't the job's.
  const isOfOther = words(name).split(' ').some(isIgnoredHeader);
  const sure = near ?? (contained === seen && !isOfOther ? seen : undefined);
  const ignored = { ...shown, field: 'ignore' as const, isRead: false };
  if (sure !== undefined) return { ...ignored, field: sure };
  // Without its caps, a job's cost can be unlimited.
  const isMoney = !isIgnored && splitUnit(name).unit !== undefined;
  if (candidate === undefined)
    return { ...ignored, doubt: isMoney ? 'its name contains a currency' : undefined };
  const doubt = `its ${contained ? 'name contains' : 'values look like'} "${COLUMNS[candidate].header}"`;
  return { ...ignored, candidate, doubt };
}

type Proposed = MappedColumn & { readonly currency: string | undefined };

const VALUES_CHECKED = 30;
/** Headers of names that can be a company's or a person's. */
const A_NAME = /^(?:name|nombre)$/i;

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

/**
 * Keeps one column for each field, preferably one with values, then one in US dollars, then one with the field's own name.
 * If there's a state column, the column with places contains cities.
 */
function withoutRivals(part: Proposal['part'], given: readonly Proposed[]): Proposed[] {
  const has = (field: string) => given.some((one) => one.field === field);
  const isCity = has('state') && !has('city');
  const columns = given.map((one) =>
    isCity && one.field === 'locations' ? { ...one, field: 'city' as const, isRead: false } : one,
  );
  const rank = ({ name, field, currency, example }: (typeof given)[number]) => {
    const byName = field.toLowerCase().startsWith(words(name)) ? 1 : A_NAME.test(name) ? -1 : 0;
    return example === '' ? -1 : (currency === undefined ? 2 : currency === 'USD' ? 4 : 0) + byName;
  };
  const byPreference = columns.toReversed().sort((one, other) => rank(one) - rank(other));
  const taken = new Map<string, string>(byPreference.map(({ field, name }) => [field, name]));
  return columns.map((one) => {
    const { name, field } = one;
    if (field === 'ignore' || (part === 'fields' && one.isRead)) return one;
    const rivals = RIVALS.find(([first]) => first === field) ?? [field];
    const other = rivals.map((rival) => taken.get(rival)).find((column) => (column ?? name) !== name);
    if (other === undefined) return one;
    return { ...one, field: 'ignore', candidate: field, isRead: false, doubt: `"${other}" has this field` };
  });
}

const SHORT_CHARACTERS = 40;

/** Returns the reason that valid values probably don't fit the field. */
function describeUnlike(field: ColumnName, texts: readonly string[]): string | undefined {
  const short = texts.filter(({ length }) => length < SHORT_CHARACTERS).length;
  if (field === 'description' && short * 2 > texts.length) return 'most values are short';
  const isRepeated = texts.length > 1 && new Set(texts).size * 5 <= texts.length * 4;
  return /^(?:atsJobUrl|opportunityId)$/.test(field) && isRepeated ? 'rows have the same value' : undefined;
}

/** Ignores a column if more than half of its values can't be read, unless the user has mapped it. */
function doubtWrong(
  { currency, ...column }: Proposed,
  checked: readonly (readonly [listing: Listing, errors: readonly Finding[]])[],
  known: Mapping,
  isPlaces: boolean,
): MappedColumn {
  const { name, field } = column;
  if (field === 'ignore' || known.columns?.has(toMappingKey(name))) return column;
  const ignored = { ...column, field: 'ignore', isRead: false, candidate: field } as const;
  // Publishing spends money.
  if (field === 'publish' && !column.isRead) return { ...ignored, doubt: 'it would publish jobs' };
  const { field: ours, kind } = COLUMNS[field];
  const given = checked.filter(([{ value }]) => isObject(value) && Object.hasOwn(value, ours));
  const texts = given.flatMap(([{ value }]) => [(value as Record<string, unknown>)[ours]].flat().map(String));
  const unlike =
    isPlaces || !['locations', 'city'].includes(field)
      ? describeUnlike(field, texts)
      : "most values aren't places";
  if (unlike !== undefined && name.toLowerCase() !== field) return { ...ignored, doubt: unlike };
  const isHere = (one: Finding) =>
    kind === 'dollars' ? /^salaryM/.test(one.field) : rootField(one) === ours;
  const errors = given.flatMap(([, found]) => found.find(isHere) ?? []);
  const [first] = errors;
  if (first === undefined || errors.length * 2 <= given.length) return column;
  const doubt = first.message.replace(/^the (?:column|field) ".*?" /, '');
  const needsCurrency = kind === 'dollars' && currency === undefined && known.currency === undefined;
  return { ...ignored, doubt, needsCurrency };
}
