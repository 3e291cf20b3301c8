import type { LocationInput } from '../../contract/job.ts';
import { listPlaces, placeName } from '../../places/decide/locations.ts';
import { findKnownPlace } from '../../places/decide/named-place.ts';
import type { PlaceMeaning } from '../../places/decide/place-meaning.ts';
import { normalise, type Places } from '../../places/place-names.ts';
import type { Fault } from '../check/finding.ts';
import type { Listing } from '../read/listing.ts';
import {
  hasLocations,
  type PlaceMemory,
  quotePlaceText,
  type TextPlace,
  textLocations,
} from './place-problems.ts';

/** The text may mean a suburb of a larger city instead of a smaller place with the same name. */
const LEAST_PEOPLE = 5_000;
type Guess = { readonly names?: readonly string[]; readonly isSure?: boolean };

/**
 * Resolves locations that list several places or need the file's country, with a warning for each guess. In a table,
 * ignores locations that aren't cities, such as regions. Throws the errors of the search.
 */
export async function guessPlaces(
  given: Listing,
  memory: PlaceMemory,
  entriesMax: number,
  onGuess?: (text: string, names: readonly string[]) => void,
): Promise<Listing> {
  const { value, flaws, locate } = given;
  if (!hasLocations(value) || textLocations(value, entriesMax).length === 0) return given;
  const guesses: Fault[] = [];
  const found: (readonly [index: number, location: unknown])[] = [];
  for (const [index, location] of value.locations.entries()) {
    const { names, isSure = names === undefined } =
      typeof location === 'string' ? await guessNames(location, given, memory) : {};
    for (const one of names ?? [location]) found.push([index, one]);
    if (isSure) continue;
    onGuess?.(String(location), names ?? []);
    const path = ['locations', index];
    const reading = names?.length ? `read as ${names.join(' · ')}` : "ignored because it isn't a city";
    const message = `${quotePlaceText(String(location))} is ${reading}`;
    const hint =
      names?.length === 1 ? 'to correct it, add its region or country' : 'use an entry for each city';
    const rule = names?.length ? 'unusual-value' : 'unknown-place';
    guesses.push({ rule, level: 'warning', path, message, hint, ...locate(path) });
  }
  if (!guesses[0] && found.every(([, one], at) => one === value.locations[at])) return given;
  const { locations: _, ...others } = value;
  const locations = found.map(([, location]) => location);
  return {
    ...given,
    value: locations.length > 0 ? { ...others, locations } : others,
    flaws: [...flaws, ...guesses],
    locate: (path, part) => {
      const at = path[0] === 'locations' ? found[Number(path[1])]?.[0] : undefined;
      return locate(at === undefined ? path : ['locations', at, ...path.slice(2)], part);
    },
  };
}

async function guessNames(text: string, listing: Listing, memory: PlaceMemory): Promise<Guess> {
  const { value, advice, country } = listing;
  const { places: all, textPlace: findText } = memory;
  const place = await findText(text);
  const alone = 'location' in place ? place.location : undefined;
  const meaning = 'location' in place ? undefined : place.meaning;
  if (country !== undefined && /^[^\d,()]+$/.test(text)) {
    const inCountry = await findText(`${text}, ${country}`);
    const found = 'location' in inCountry ? inCountry.location : undefined;
    if (alone && !found) return { names: [placeName(alone)] };
    const { population = LEAST_PEOPLE } = (found && all?.byId(found.locationId)) ?? {};
    const isCalled = found !== undefined && normalise(found.city) === normalise(text);
    const isSure = meaning?.kind === 'unknown' && isCalled && population >= LEAST_PEOPLE;
    // Limburg (a province) doesn't match Limbourg (a town).
    if (found && found.locationId !== alone?.locationId && (isCalled || !isNoCity(place)))
      return { names: [placeName(found)], isSure };
  }
  if (alone)
    return advice && (await mayBeElsewhere(text, alone, memory)) ? { names: [placeName(alone)] } : {};
  if (meaning === undefined) return {};
  const isRemote = ['REMOTE', 'HYBRID'].includes(String((value as { remoteOption?: unknown }).remoteOption));
  const several = meaning.kind === 'several' ? meaning.parts : [];
  const parts = several.filter((part) => !isRemote || part.meaning.kind !== 'remote');
  const places = listPlaces({ kind: 'several', parts });
  if (places?.length) return { names: places.map(placeName) };
  const found = advice || country !== undefined ? await findInCountry(text, country, place, memory) : place;
  if ('location' in found) return { names: [placeName(found.location)] };
  return advice && isNoCity(found) ? { names: [] } : {};
}

/** "Obour City, Cairo" may be a district or a city. "Johor" is a state, not its capital Johor Bahru. */
async function mayBeElsewhere(text: string, found: LocationInput, memory: PlaceMemory): Promise<boolean> {
  const { places } = memory;
  const city = normalise(found.city);
  const [first = '', ...others] = text.split(/[,()]/).map((part) => normalise(part));
  if (first === city || /\d(?:\s|$)/.test(first)) return false;
  const hasRegion = others.some((name) => listRegions(name, places).length > 0);
  const isCity = hasRegion || (places && findKnownPlace(first, places));
  if (!isCity && listRegions(first, places).some((region) => normalise(region) !== city)) return true;
  const alone = await memory.textPlace(`${first}, ${found.country}`);
  return 'location' in alone ? alone.location.locationId !== found.locationId : !isNoCity(alone);
}

function listRegions(name: string, places: Places | undefined): string[] {
  return (places?.areas(name) ?? []).flatMap(({ region }) => region || []);
}

const NO_CITIES: readonly PlaceMeaning['kind'][] = ['country', 'region', 'continent', 'remote', 'unnamed'];

function isNoCity(place: TextPlace): boolean {
  return 'problem' in place && place.meaning !== undefined && NO_CITIES.includes(place.meaning.kind);
}

async function findCountry(text: string, findText: PlaceMemory['textPlace']): Promise<string | undefined> {
  const place = text === '' ? undefined : await findText(text);
  const meaning = place && 'problem' in place ? place.meaning : undefined;
  return meaning?.kind === 'country' ? meaning.country : undefined;
}

/** Finds the first place of a text in the country of the text or file (`Bogotá, Distrito Capital, Colombia`). */
async function findInCountry(
  text: string,
  country: string | undefined,
  place: TextPlace,
  { places, textPlace: findText }: PlaceMemory,
): Promise<TextPlace> {
  const parts = text.split(/[,()]| - /).map((part) => normalise(part));
  const known = await Promise.all(parts.map((part) => findCountry(part, findText)));
  const named = known.find((name) => name !== undefined) ?? country;
  const [first = '', ...rest] = parts.filter((part, at) => part !== '' && known[at] === undefined);
  if (named === undefined || first === '') return place;
  const find = (names: readonly string[]) => findText([...names, named].join(', '));
  const whole = await find([first, ...rest]);
  if ('location' in whole || isNoCity(whole)) return whole;
  const [city, ...others] = await Promise.all([first, ...rest].map((name) => find([name])));
  const beside = others.flatMap((other) => ('location' in other ? other.location : []));
  // "Bavel, Breda" is probably a town and its city, but "Zagreb, Osijek" may be two cities.
  if (city && 'location' in city) {
    const { stateProvince } = city.location;
    const areas = rest.map((name) => listRegions(name, places));
    const regions = [...areas, ...beside.map((one) => [one.stateProvince])];
    return regions.every((names) => names.length === 0 || names.includes(stateProvince)) ? city : place;
  }
  if (beside.length > 0) return place;
  const [only, another] = city?.meaning?.kind === 'ambiguous' ? city.meaning.candidates : [];
  const isNamed = ` ${normalise(text)} `.includes(` ${normalise(only?.city ?? '')} `);
  return only?.country === named && another === undefined && isNamed ? { location: only } : place;
}
