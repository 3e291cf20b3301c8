import { PartnerError } from '../../contract/errors.ts';
import { isObject } from '../../contract/values.ts';
import { findMeaning } from '../../places/decide/find-meaning.ts';
import { findCommonCountry } from '../../places/decide/place-meaning.ts';
import type { Places } from '../../places/place-names.ts';
import { groupBy } from '../../text/group-by.ts';
import { type Finding, toListingError } from '../check/finding.ts';
import { checkListing } from '../check/findings.ts';
import { textLocations } from '../places/place-problems.ts';
import type { Input } from '../read/bytes.ts';
import { findFormat, type ReadOptions } from '../read/formats.ts';
import { type Listing, type TableParts, toMappingKey } from '../read/listing.ts';
import { readEntries } from '../read/read.ts';
import { formatCell } from '../read/table/mapped-fields.ts';
import {
  chooseColumns,
  doubtWrong,
  listErrors,
  type MappedColumn,
  proposeColumn,
  rootField,
  withoutTaken,
} from './propose-columns.ts';
import { listUnclear, type UnclearValue } from './unclear-values.ts';

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
  const read = (chosen: readonly MappedColumn[], rowsMax: number, country = known.country) => {
    const added = new Map(chosen.map(({ name, field }) => [toMappingKey(name), field]));
    const mapping = { ...known, country, [part]: new Map([...(known[part] ?? []), ...added]) };
    return readSample(file, input, { ...options, mapping }, rowsMax);
  };
  let found = names.map(({ name, values, isRead }) => {
    const column = proposeColumn(name, values, asColumns, places);
    return { ...column, isRead: isRead ?? column.isRead };
  });
  for (;;) {
    const columns = chooseColumns(part, found);
    const own = columns.filter(({ isRead }) => isTable || !isRead);
    const mapped = await read(own, ROWS_MAX);
    const refused = toListingError(names.length === 0 ? faults : mapped.faults);
    if (refused !== undefined) throw refused;
    const checked = mapped.listings.map((listing) => [listing, listErrors(listing, places)] as const);
    const texts = mapped.listings.flatMap(({ value }) => textLocations(value));
    const meaningOf = new Map([...new Set(texts)].map((text) => [text, findMeaning(text, places)]));
    const meanings = texts.flatMap((text) => meaningOf.get(text) ?? []);
    const isPlaces = meanings.filter(({ kind }) => kind === 'unknown').length * 2 <= meanings.length;
    const judged = columns.map((column) => doubtWrong(column, checked, asColumns, isPlaces));
    // If the values of a column don't fit, another column may match its field.
    const lost = judged.filter(
      ({ field, candidate, name }, at) =>
        field !== columns[at]?.field &&
        found.some((one) => one.name === name && one.field !== 'ignore') &&
        columns.some((one) => one.name !== name && one.candidate === candidate),
    );
    found = found.map((one) => ({ ...one, ...lost.find(({ name }) => name === one.name) }));
    if (lost.length > 0) continue;
    const country = known.country === undefined ? findCommonCountry(meanings) : undefined;
    const proposed = withoutTaken(judged);
    const all = isTable ? await read(proposed, Number.POSITIVE_INFINITY, country) : { listings: [] };
    return {
      part,
      columns: proposed,
      missing: listMissing(isTable ? all.listings.slice(0, ROWS_MAX) : mapped.listings, places),
      sheet: sheet === known.sheet ? undefined : sheet,
      country,
      unclear: await listUnclear(all.listings, country ?? known.country, places),
    } as const;
  }
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
