import { REMOTE_OPTIONS } from '../../../contract/values.ts';
import { choiceIn, jsonList, partsIn, type Reading } from './cells.ts';
import type { Cell, RowCells } from './row-cells.ts';

/** City, state and country make one location; a country without a city is where remote people work. */
export function addPlace(row: RowCells): void {
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
