import { hash } from 'node:crypto';
import { CONTENT_FIELDS } from '../../../contract/job.ts';
import { type ColumnName, type FieldName, JOB_FIELDS } from '../../../contract/job-fields.ts';
import { clipText } from '../../../contract/problems.ts';
import { pickFields } from '../../../contract/values.ts';
import type { Parsed } from '../../../contract/words.ts';
import { findWideArea } from '../../../places/decide/named-place.ts';
import { parsePlaceText } from '../../../places/decide/place-text.ts';
import { normalise } from '../../../places/place-names.ts';
import { countriesByName } from '../../../places/regions.ts';
import { contentFault, type Fault } from '../../check/finding.ts';
import { isNeutralChoice } from '../../vocabulary/vocabulary.ts';
import type { DocumentReading, FormatOptions, ListingDocument, TableRow } from '../listing.ts';
import {
  cellWord,
  parseChoiceCell,
  parseJsonList,
  parseParts,
  parseQuestions,
  parseYesOrNo,
} from './cells.ts';
import { COLUMNS, type HeaderRow, readHeader, TEMPLATE } from './columns.ts';
import { type Cell, RowCells } from './row-cells.ts';
import { addBid, addBudgets, addPay } from './row-pay.ts';
import { createRowFilter, findHeader } from './table-rows.ts';

/** Maximum rows of a table, because all listings are in memory. Larger sets should be NDJSON files. */
export const ROWS_MAX = 100_000;

export function* readTable(
  rows: readonly TableRow[],
  decimalSign: '.' | ',',
  { mapping, onTable }: FormatOptions,
): Generator<DocumentReading> {
  const parts = findHeader(rows, mapping);
  if (parts === undefined) return yield { ok: false, fault: contentFault('the table is empty', TEMPLATE) };
  onTable?.(parts);
  const { listings } = parts;
  const header = readHeader(parts.header, mapping);
  if ('fault' in header) return yield { ok: false, fault: header.fault };
  const describeSkipped = createRowFilter(parts, header);
  const findRepeated = createRepeatFinder();
  let flaws = header.flaws;
  for (const row of listings) {
    const skipped = describeSkipped(row);
    if (skipped !== undefined) yield { ok: false, fault: skipped };
    else {
      const document = readRow(row, header, decimalSign);
      const ofRow = [...findSlippedCells(document.flaws.length, row, header), ...findRepeated(row)];
      flaws = [...flaws, ...ofRow, ...document.flaws];
      yield { ok: true, document: { ...document, flaws, unit: `row ${row.row}` } };
      flaws = [];
    }
  }
  const none = contentFault('the table has headers but no listings', 'add one listing per row');
  if (listings.length === 0) yield { ok: false, fault: none };
}

const FIELDS: readonly string[] = ['key', 'department', ...CONTENT_FIELDS, 'publish'];

/** Reads a listing from the cells of a row. */
export function readRow(row: TableRow, header: HeaderRow, decimalSign: '.' | ','): ListingDocument {
  const cells = new RowCells(row, header, decimalSign);
  for (const name of ['key', 'department'] as const) cells.read(name, (value) => ({ value }));
  addPlace(cells);
  addPay(cells);
  for (const field of CONTENT_FIELDS) {
    if (!Object.hasOwn(cells.value, field)) readValue(cells, field);
  }
  addBid(cells);
  addQualifications(cells);
  cells.read('questions', parseQuestions);
  addBudgets(cells);
  cells.read('publish', parseYesOrNo);
  const { flaws, locate, advice, unclearPay } = cells;
  return { value: pickFields(cells.value, FIELDS), flaws, locate, advice, unclearPay };
}

function readValue(cells: RowCells, field: FieldName): void {
  const { kind } = JOB_FIELDS[field];
  const cell = cells.cells.get(field as ColumnName);
  if (kind === 'choice' && cell && isNeutralChoice(field, cell.text))
    cells.warn(cell, field, `is ignored, because "${cell.text.trim()}" doesn't specify it`);
  else if (kind === 'choice') cells.read(field, (text) => parseChoiceCell(field, text));
  if (kind !== 'text' && kind !== 'block') return;
  cells.read(field, (text) => {
    const hasLostDigits = field === 'opportunityId' && /^\d(?:[.,]\d+)?E\+\d+$/.test(text);
    if (!hasLostDigits) return { value: field === 'atsJobUrl' ? text.trim() : text };
    return { problem: `lost digits: "${text}"`, hint: 'format the column as text, then enter the ID again' };
  });
}

/** Detects a missing or extra comma: the row ends at another column and most cells are invalid. */
function findSlippedCells(count: number, { cells, locateCell }: TableRow, { columns }: HeaderRow): Fault[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  if (count < SLIPPED_FROM || last === columns.at(-1)?.index) return [];
  const message = `${count} cells of this row don't match their columns`;
  const hint = 'compare the row with the headers: it may have an extra or a missing cell';
  return [{ ...contentFault(message, hint), ...locateCell(0) }];
}

const SLIPPED_FROM = 5;

/** Warns about duplicate rows, because each becomes a job. Compares digests to avoid copying the table. */
function createRepeatFinder() {
  const rows = new Map<string, number>();
  return ({ row, cells, locateCell }: TableRow): Fault[] => {
    const digest = hash('sha1', JSON.stringify(cells.map((cell) => cell.trim())));
    const first = rows.get(digest) ?? row;
    rows.set(digest, first);
    if (first === row) return [];
    const fault = contentFault(
      `the row duplicates row ${first}`,
      'remove it unless it is a separate opening',
    );
    return [{ ...fault, rule: 'unusual-value', level: 'warning', ...locateCell(0) }];
  };
}

function addPlace(row: RowCells): void {
  const [place, ...regions] = (['locations', 'city', 'state', 'country'] as const)
    .map((name) => row.cells.get(name))
    .filter((cell) => cell !== undefined);
  const { remoteOption, parts = [], isUnnamed } = place ? parsePlaceText(place.text) : {};
  const said = remoteOption ?? regions.map((cell) => parsePlaceText(cell.text).remoteOption).find(Boolean);
  let option = row.read('remoteOption', (text, cell) => parseChoiceCell('remoteOption', text, cell.header));
  if (place !== undefined && said !== undefined && !row.cells.has('remoteOption')) {
    option = said;
    row.set('remoteOption', said, place);
    row.warn(place, 'remoteOption', `has "${clipText(place.text, 60)}", which is read as ${cellWord(said)}`);
  }
  const isRemote = option === 'REMOTE';
  const country = row.cells.get('country');
  const [part, second] = parts;
  const inCountry = part && !second ? countriesByName().get(normalise(part.text))?.name : undefined;
  // For "APAC (Remote)", a column with countries may contain the one that a scraper searched.
  const isWide = part !== undefined && !second && findWideArea(part) !== undefined;
  if (isRemote && place && inCountry) row.set('remoteCountry', inCountry, place);
  else if (isRemote && country && !isWide) row.set('remoteCountry', country.text.trim(), country);
  row.read('remoteCountry', (value) => ({ value }));
  const isNoCity = said === 'REMOTE' && !isUnnamed && (part === undefined || inCountry !== undefined);
  if (place === undefined || (isRemote && (place === country || isNoCity))) return;
  row.read(place.name, (text) => parseJsonList(text) ?? joinRegions(text, regions));
}

function joinRegions(text: string, cells: readonly Cell[]): Parsed<readonly string[]> {
  // A remark in parentheses may be on a separate line: "Chicago, IL\n(West Town area)".
  const places = parseParts(text.replace(/ ?\r?\n\(/g, ' ('));
  const regions = cells.map((cell) => parseParts(cell.text));
  if (regions.some(({ length }) => length !== 1 && length !== places.length)) return UNEVEN;
  return {
    value: places.map((place, at) => [place, ...regions.map((parts) => parts[at] ?? parts[0])].join(', ')),
  };
}

const UNEVEN = {
  problem: 'has a different number of values than a neighboring column',
  hint: 'enter one state and country per place in the order of the places, or one for all places',
};

const NO_KIND = {
  problem: "doesn't specify whether it is required",
  hint: `rename the column to "${COLUMNS.required.header}" or "${COLUMNS.desired.header}"`,
};

function addQualifications(row: RowCells): void {
  row.read('qualifications', (text) => parseJsonList(text) ?? NO_KIND);
  let order = 1;
  for (const kind of ['REQUIRED', 'DESIRED'] as const) {
    const cell = row.cells.get(kind.toLowerCase() as ColumnName);
    if (cell === undefined) continue;
    for (const text of parseParts(cell.text)) row.add('qualifications', { text, kind, order: order++ }, cell);
  }
}
