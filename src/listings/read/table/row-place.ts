import { COUNTRIES } from '../../../contract/regions.ts';
import { REMOTE_OPTIONS } from '../../../contract/values.ts';
import { choiceIn, jsonList, partsIn, type Reading } from './cells.ts';
import { COLUMNS } from './columns.ts';
import type { Cell, RowCells } from './row-cells.ts';

/** `Remote (US)`, `Remote - Canada` */
const REMOTE_IN = /^remote\s*[-–—,:(]?\s*(?:in\s+)?([^()]+?)\)?$/i;

/** City, state and country make one location; a country without a city is where remote people work. */
export function addPlace(row: RowCells): void {
  const workplace = row.cell('remoteOption');
  const [, named = ''] = REMOTE_IN.exec(workplace?.text.trim() ?? '') ?? [];
  const isNamed = isCountry(named);
  const option = row.read('remoteOption', (text) =>
    choiceIn('remoteOption', REMOTE_OPTIONS, isNamed ? 'REMOTE' : text),
  );
  const [city, state, country] = (['city', 'state', 'country'] as const).map((name) => row.cell(name));
  row.read('remoteCountry', (value) => ({ value }));
  row.read('locations', (text) => jsonList(text) ?? placesIn(text));
  const isRemote = option === 'REMOTE' || (option === undefined && !city && !state);
  if (isRemote && row.cell('remoteCountry') === undefined) {
    if (country !== undefined) row.set('remoteCountry', country.text.trim(), country);
    else if (workplace !== undefined && isNamed) row.set('remoteCountry', named, workplace);
  }
  if (city || state || (country && !isRemote)) addCities(row, [city, state, country]);
}

function addCities(row: RowCells, given: readonly (Cell | undefined)[]): void {
  const cells = given.filter((cell) => cell !== undefined);
  const [first] = cells as [Cell];
  const other = row.cell('locations');
  if (other !== undefined) {
    row.clash(first, other);
    return;
  }
  const lists = cells.map(({ text }) => partsIn(text));
  const count = lists[0]?.length ?? 0;
  const texts = Array.from({ length: count }, (_, at) =>
    lists.map((parts) => parts[at] ?? parts[0]).join(', '),
  );
  row.set('locations', texts, first);
  const uneven = cells.find((_, at) => ![1, count].includes(lists[at]?.length ?? 0));
  if (uneven === undefined) return;
  const hint = `write one for each "${first.header}", in the same order, or one for all`;
  row.flaw(uneven, ['locations'], `does not have as many values as "${first.header}"`, hint);
}

function placesIn(text: string): Reading<readonly string[]> {
  const value = partsIn(text);
  if (!value.some((place) => /^(?:fully )?remote\b/i.test(place))) return { value };
  const hint = `leave it out here, and write Remote in the column "${COLUMNS.remoteOption.header}"`;
  return { problem: `is no place: "${text.trim().slice(0, 60)}"`, hint };
}

function isCountry(text: string): boolean {
  const word = text.toLowerCase();
  return COUNTRIES.some(({ code, alpha3, name, aliases }) =>
    [code, alpha3, name, ...aliases].some((known) => known.toLowerCase() === word),
  );
}
