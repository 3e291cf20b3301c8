import type { Column } from '../terminal/column.ts';
import type { ListShape } from '../terminal/list-shape.ts';
import { type Fields, listIn, numberIn, textIn } from '../terminal/read.ts';
import { table } from '../terminal/table.ts';
import type { View } from '../terminal/view.ts';
import { grouped } from '../terminal/words.ts';

const COMMON_COLUMNS: readonly Column<Fields>[] = [
  {
    title: 'ID',
    text: ({ locationId }) => textIn(locationId) ?? '',
    value: ({ locationId }) => numberIn(locationId),
  },
  { title: 'CITY', text: ({ city }) => textIn(city) ?? '', shrinksTo: 10 },
  { title: 'REGION', text: ({ stateProvince }) => textIn(stateProvince) ?? '', shrinksTo: 8, givesWay: 1 },
  { title: 'COUNTRY', text: ({ country }) => textIn(country) ?? '', shrinksTo: 8 },
];

/** What tells two places of the same name apart; only our own search knows it. */
const POPULATION: Column<Fields> = {
  title: 'POPULATION',
  text: ({ population }) => grouped(population) ?? '',
  whole: ({ population }) => textIn(population) ?? '',
  value: ({ population }) => numberIn(population),
  align: 'right',
  givesWay: 2,
};

/** The columns of the list of places: the last is left out where no place has it, unless it is asked for. */
export const PLACE_COLUMNS: readonly Column<Fields>[] = [...COMMON_COLUMNS, POPULATION];

/** Places as the location search answers them, best first. */
export function placeTable(places: unknown, view: View, shape?: ListShape<Fields>): Promise<string> {
  const rows = listIn(places);
  const isKnown = rows.some(({ population }) => population !== undefined);
  return table(isKnown ? PLACE_COLUMNS : COMMON_COLUMNS, rows, view, 'No places.', shape);
}

/** Where a job's work is done: the country of a REMOTE job, then every place. */
export function placesOf(job: Fields): string[] {
  const isRemote = job.remoteOption === 'REMOTE';
  const country = textIn(job.remoteCountry);
  const places = listIn(job.locations)
    .map(placeName)
    .filter((place) => place !== '');
  return [...(isRemote ? [['Remote', country].filter(Boolean).join(', ')] : []), ...places];
}

function placeName(place: Fields): string {
  const parts = [place.city, place.stateProvince, place.country].map(textIn).filter(Boolean);
  return textIn(place.displayName) ?? parts.join(', ');
}
