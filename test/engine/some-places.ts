import { normalise, type Place, type Places } from '../../src/places/place-names.ts';

const place = (
  locationId: number,
  city: string,
  stateProvince: string,
  country: string,
  countryCode: string,
  population: number,
): Place => ({
  locationId,
  displayName: [city, stateProvince, country].filter((part) => part !== '').join(', '),
  city,
  stateProvince,
  country,
  countryCode,
  population,
});

export const AUSTIN = place(4671654, 'Austin', 'Texas', 'United States', 'US', 961_855);
const MUNICH = place(2867714, 'München', 'Bavaria', 'Germany', 'DE', 1_260_391);
const AUSTINTOWN = place(4505542, 'Austintown', 'Ohio', 'United States', 'US', 29_677);

const ALL = [AUSTIN, AUSTINTOWN, MUNICH];

/** A few places; the search over all of them has separate tests. */
export const SOME_PLACES: Places = {
  search: ({ q, limit = 10, country }) =>
    ALL.filter(
      ({ city, countryCode }) => startsWith(city, q) && (country ?? countryCode) === countryCode,
    ).slice(0, limit),
  byId: (locationId) => ALL.find((known) => known.locationId === locationId),
  named: (name) => ({ official: ALL.filter(({ city }) => normalise(city) === name), others: [] }),
  areas: () => [],
  largestIn: () => undefined,
  nearest: (text, limit) => ALL.filter(({ city }) => startsWith(city, text.slice(0, 3))).slice(0, limit),
};

function startsWith(city: string, text: string): boolean {
  return city.toLowerCase().startsWith(text.toLowerCase());
}
