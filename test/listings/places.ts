import { openPlaces } from '../../src/places/index/open.ts';
import type { Place, Places } from '../../src/places/place-names.ts';
import { PLACES_PATH } from '../http/subject.ts';

const IDS = [
  ...[4671654, 5016884, 4930956, 2655138, 4409896, 4250542, 4951788, 2988507],
  ...[4717560, 5128581, 4736134, 5379439, 2867714, 4407066, 1880252],
];

const bundled = openPlaces(PLACES_PATH);

export const PLACES: readonly Place[] = IDS.map((id) => bundled.byId(id) as Place);

/** Aliases as in the real index. */
const ALIASES: Readonly<Record<string, string>> = {
  nyc: 'new york city',
  'new york': 'new york city',
  münchen: 'munich',
  'st louis': 'st. louis',
  'saint louis': 'st. louis',
};

/** Finds places by prefix, largest first. */
function startingWith(text: string): Place[] {
  const wanted = ALIASES[text.trim()] ?? text.trim();
  const found = PLACES.filter(({ city }) => city.toLowerCase().startsWith(wanted));
  return found.sort((a, b) => b.population - a.population);
}

/** Implements the place search for the few places, by the name before a comma or the last word. */
export const fewPlaces: Places = {
  search({ q, limit = 10 }) {
    const text = q.toLowerCase();
    const [name = ''] = text.split(',');
    const found = startingWith(name);
    return (found.length > 0 ? found : startingWith(text.replace(/ \S+$/, ''))).slice(0, limit);
  },
  byId: (locationId) => PLACES.find((place) => place.locationId === locationId),
  named(name, area) {
    const { official, others } = bundled.named(name, area);
    const few = (places: readonly Place[]) => places.filter(({ locationId }) => IDS.includes(locationId));
    return { official: few(official), others: few(others) };
  },
  areas: (name) => bundled.areas(name),
  largestIn: (area) => bundled.largestIn(area),
  nearest: (text, limit) => PLACES.filter(({ city }) => city[0] === text[0]?.toUpperCase()).slice(0, limit),
};

/** Returns a place of the few by ID. */
export function placeOf(locationId: number): Place {
  const place = fewPlaces.byId(locationId);
  if (place === undefined) throw new Error(`no place ${locationId}`);
  return place;
}
