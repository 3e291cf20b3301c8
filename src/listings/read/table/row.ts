import { CONTENT_FIELDS } from '../../../contract/job.ts';
import { JOB_LEVELS, JOB_TYPES, REMOTE_OPTIONS } from '../../../contract/values.ts';
import { contentFault, type Fault } from '../../check/finding.ts';
import type { ListingDocument } from '../listing.ts';
import { choiceIn, jsonList, partsIn, questionsIn, type Reading, yesOrNo } from './cells.ts';
import { COLUMNS, type HeaderRow, type TableRow } from './columns.ts';
import { type Cell, RowCells } from './row-cells.ts';
import { addBid, addBudgets, addPay } from './row-pay.ts';

/** The listing of a row: each value as the contract takes it, or as it is written where it cannot be read. */
export function listingOfRow(row: TableRow, header: HeaderRow, decimalSign: '.' | ','): ListingDocument {
  const cells = new RowCells(row, header, decimalSign);
  cells.read('key', (value) => ({ value }));
  for (const name of ['title', 'description', 'atsJobUrl'] as const) cells.read(name, (value) => ({ value }));
  cells.read('opportunityId', (value) =>
    /^\d(?:[.,]\d+)?E\+\d+$/.test(value) ? lostDigits(value) : { value },
  );
  addPlace(cells);
  cells.read('jobType', (text) => choiceIn('jobType', JOB_TYPES, text));
  cells.read('jobLevel', (text) => choiceIn('jobLevel', JOB_LEVELS, text));
  addPay(cells);
  addBid(cells);
  addQualifications(cells);
  cells.read('questions', questionsIn);
  addBudgets(cells);
  cells.read('publish', yesOrNo);
  const { flawsOmitted, locate, advice } = cells;
  const flaws = [...slipped(cells.flaws.length, row, header), ...cells.flaws];
  return { value: inOrder(cells.value), flaws, flawsOmitted, locate, advice };
}

/** A row with a comma too many or too few ends elsewhere than the headers, and is wrong in most of its cells. */
function slipped(count: number, { cells, positionOf }: TableRow, { columns }: HeaderRow): Fault[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  if (count < SLIPPED_FROM || last === columns.at(-1)?.index) return [];
  const message = `${count} cells of this row do not fit their columns`;
  const hint = 'compare the row with the headers: it may have a cell too many or too few';
  return [{ ...contentFault(message, hint), ...positionOf(0) }];
}

const SLIPPED_FROM = 5;

function lostDigits(text: string) {
  return { problem: `lost digits: "${text}"`, hint: 'format the column as text, and write the id again' };
}

/** City, state and country make one location; a country without a city is where remote people work. */
function addPlace(row: RowCells): void {
  const option = row.read('remoteOption', (text) => choiceIn('remoteOption', REMOTE_OPTIONS, text));
  const [place, ...regions] = (['locations', 'city', 'state', 'country'] as const)
    .map((name) => row.cell(name))
    .filter((cell) => cell !== undefined);
  const isRemote = option === 'REMOTE' || (option === undefined && place?.name === 'country');
  const country = row.cell('country');
  if (isRemote && country !== undefined) row.set('remoteCountry', country.text.trim(), country);
  row.read('remoteCountry', (value) => ({ value }));
  if (place === undefined || (isRemote && place === country)) return;
  row.read(place.name, (text) => jsonList(text) ?? joined(text, regions));
}

/** Each place with its region and country, which there are as many of, or one for all. */
function joined(text: string, cells: readonly Cell[]): Reading<readonly string[]> {
  const [places, regions] = [partsIn(text), cells.map((cell) => partsIn(cell.text))];
  if (regions.some(({ length }) => length !== 1 && length !== places.length)) return UNEVEN;
  return {
    value: places.map((place, at) => [place, ...regions.map((parts) => parts[at] ?? parts[0])].join(', ')),
  };
}

const UNEVEN = {
  problem: 'does not have as many values as a column beside it',
  hint: 'write a state and a country for each place, in the same order, or one for all',
};

const KINDS = [
  ['required', 'REQUIRED'],
  ['desired', 'DESIRED'],
] as const;

const NO_KIND = {
  problem: 'does not say whether an applicant must have it',
  hint: `name the column "${COLUMNS.required.header}" or "${COLUMNS.desired.header}"`,
};

/** A column for each kind; or all of them as an export writes them. */
function addQualifications(row: RowCells): void {
  row.read('qualifications', (text) => jsonList(text) ?? NO_KIND);
  let order = 1;
  for (const [name, kind] of KINDS) {
    const cell = row.cell(name);
    if (cell === undefined) continue;
    for (const text of partsIn(cell.text)) row.add('qualifications', { text, kind, order: order++ }, cell);
  }
}

function inOrder(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = ['key', ...CONTENT_FIELDS, 'publish'].filter((field) => value[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, value[field]]));
}
