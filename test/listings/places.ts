import type { Place, Places } from '../../src/contract/places.ts';

const ROWS: [
  id: number,
  city: string,
  stateProvince: string,
  country: string,
  code: string,
  population: number,
][] = [
  [4671654, 'Austin', 'Texas', 'United States', 'US', 961_855],
  [5016884, 'Austin', 'Minnesota', 'United States', 'US', 24_718],
  [4930956, 'Boston', 'Massachusetts', 'United States', 'US', 667_137],
  [2655138, 'Boston', 'England', 'United Kingdom', 'GB', 41_340],
  [4409896, 'Springfield', 'Missouri', 'United States', 'US', 166_810],
  [4250542, 'Springfield', 'Illinois', 'United States', 'US', 116_565],
  [4951788, 'Springfield', 'Massachusetts', 'United States', 'US', 154_341],
  [2988507, 'Paris', 'Île-de-France', 'France', 'FR', 2_138_551],
  [4717560, 'Paris', 'Texas', 'United States', 'US', 24_782],
  [5128581, 'New York City', 'New York', 'United States', 'US', 8_175_133],
  [4736134, 'Texas City', 'Texas', 'United States', 'US', 47_618],
  [5379439, 'Ontario', 'California', 'United States', 'US', 171_214],
  [2867714, 'Munich', 'Bavaria', 'Germany', 'DE', 1_260_391],
  [4407066, 'St. Louis', 'Missouri', 'United States', 'US', 315_685],
  [1880252, 'Singapore', '', 'Singapore', 'SG', 3_547_809],
];

/** A few of the places that there are, with their own ids. */
export const PLACES: readonly Place[] = ROWS.map(
  ([locationId, city, stateProvince, country, countryCode, population]) => ({
    locationId,
    city,
    stateProvince,
    country,
    countryCode,
    population,
    displayName: [city, stateProvince, country].filter(Boolean).join(', '),
  }),
);

/** Other names, as the real index knows them. */
const ALIASES: Readonly<Record<string, string>> = {
  nyc: 'new york city',
  'new york': 'new york city',
  münchen: 'munich',
  'st louis': 'st. louis',
  'saint louis': 'st. louis',
};

/** Those whose name begins so, largest first. */
function startingWith(text: string): Place[] {
  const wanted = ALIASES[text.trim()] ?? text.trim();
  const found = PLACES.filter(({ city }) => city.toLowerCase().startsWith(wanted));
  return found.sort((a, b) => b.population - a.population);
}

/** The few places behind the interface of all of them: by the name before a comma or before the last word. */
export const fewPlaces: Places = {
  search({ q, limit = 10 }) {
    const text = q.toLowerCase();
    const [name = ''] = text.split(',');
    const found = startingWith(name);
    return (found.length > 0 ? found : startingWith(text.replace(/ \S+$/, ''))).slice(0, limit);
  },
  byId: (locationId) => PLACES.find((place) => place.locationId === locationId),
  nearest: (text, limit) => PLACES.filter(({ city }) => city[0] === text[0]?.toUpperCase()).slice(0, limit),
};

/** A place of the few by its id. */
export function placeOf(locationId: number): Place {
  const place = fewPlaces.byId(locationId);
  if (place === undefined) throw new Error(`no place ${locationId}`);
  return place;
}
