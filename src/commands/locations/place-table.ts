import type { Column } from '../../cli/terminal/column.ts';
import type { ListShape } from '../../cli/terminal/list-shape.ts';
import { table } from '../../cli/terminal/table.ts';
import type { View } from '../../cli/terminal/view.ts';
import { grouped } from '../../cli/terminal/words.ts';
import type { LocationSuggestion } from '../../contract/job.ts';

export type PlaceRow = LocationSuggestion & { readonly population?: number | undefined };

const COMMON_COLUMNS: readonly Column<PlaceRow>[] = [
  { title: 'ID', text: ({ locationId }) => String(locationId), value: ({ locationId }) => locationId },
  { title: 'CITY', text: ({ city }) => city, shrinksTo: 10 },
  { title: 'REGION', text: ({ stateProvince }) => stateProvince, shrinksTo: 8, givesWay: 1 },
  { title: 'COUNTRY', text: ({ country }) => country, shrinksTo: 8 },
];

/** What tells two places of the same name apart; only our own search knows it. */
const POPULATION: Column<PlaceRow> = {
  title: 'POPULATION',
  text: ({ population }) => (population === undefined ? '' : grouped(population)),
  whole: ({ population = '' }) => String(population),
  value: ({ population }) => population,
  align: 'right',
  givesWay: 2,
};

/** The columns of the list of places: the last is left out where no place has it, unless it is asked for. */
export const PLACE_COLUMNS = [...COMMON_COLUMNS, POPULATION];

/** Places as the location search answers them, best first. */
export function placeTable(
  places: readonly PlaceRow[],
  view: View,
  shape?: ListShape<PlaceRow>,
): Promise<string> {
  const isKnown = places.some(({ population }) => population !== undefined);
  return table(isKnown ? PLACE_COLUMNS : COMMON_COLUMNS, places, view, 'No places.', shape);
}
