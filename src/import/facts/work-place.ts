import { LIMITS, REMOTE_OPTIONS, type RemoteOption } from '../../contract/values.ts';
import { VALUES } from '../../listings/vocabulary/vocabulary.ts';
import type { PlaceMeaning } from '../../places/decide/place-meaning.ts';
import { normalise } from '../../places/place-names.ts';
import { countriesByName } from '../../places/regions.ts';
import { joinTexts, oneLine, words } from '../../text/words.ts';
import type { SourcePosting } from '../source-posting.ts';
import {
  describeSource,
  type Facts,
  fact,
  mergeFacts,
  noteMissing,
  noteOmission,
  quoteText,
} from './fact.ts';

type FindMeaning = (text: string) => PlaceMeaning;
type Fields = SourcePosting['fields'];

interface Named {
  readonly text: string;
  readonly meaning: Exclude<PlaceMeaning, { kind: 'several' }>;
}

const PLACES_MAX = 4 * LIMITS.arrayEntries;
const PLACE_CHARACTERS_MAX = 10_000;

export function placesNamed(places: Fields['places'], findMeaning: FindMeaning): Named[] {
  return (places?.value ?? []).slice(0, PLACES_MAX).flatMap((place) => {
    const written = [place.city, place.region, place.country, place.text];
    const [city = '', region = '', given = '', whole = ''] = written.map((part) =>
      oneLine((part ?? '').slice(0, PLACE_CHARACTERS_MAX)),
    );
    const known = countriesByName().get(normalise(given))?.name;
    const parts = [city || whole, region, known ?? given].filter(Boolean).join(', ');
    const text = findMeaning(parts).kind === 'place' ? parts : whole || parts;
    return (text === '' ? [] : flattenPlaces(text, findMeaning(text))).map((one) =>
      one.meaning.kind !== 'place' || one.meaning.place.country === (known ?? one.meaning.place.country)
        ? one
        : { text: `${one.text}, ${known}`, meaning: { kind: 'unknown' } },
    );
  });
}

function flattenPlaces(text: string, meaning: PlaceMeaning): Named[] {
  if (meaning.kind !== 'several') return [{ text, meaning }];
  return meaning.parts.flatMap((part) => flattenPlaces(part.text, part.meaning));
}

export function listCountries(named: readonly Named[]): string[] {
  const countries = named.flatMap(({ meaning }) => {
    if (meaning.kind === 'remote') return meaning.countries;
    if (meaning.kind === 'place') return [meaning.place.country];
    return meaning.kind === 'country' || meaning.kind === 'region' ? [meaning.country] : [];
  });
  return distinct(countries);
}

export function workPlaceFacts(fields: Fields, named: readonly Named[], findMeaning: FindMeaning): Facts {
  const option = remoteOptionFacts(fields, named);
  const isRemote = option.values?.remoteOption?.value === 'REMOTE';
  const country = isRemote && remoteCountryFacts(fields, named);
  return mergeFacts([option, country, locationFacts(fields.places, named, findMeaning)]);
}

function distinct<T>(values: readonly (T | undefined)[]): T[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

function remoteOptionFacts({ workplace, places }: Fields, named: readonly Named[]): Facts {
  const given = words((workplace?.value ?? '').slice(0, 300));
  const own = REMOTE_OPTIONS.find((option) => VALUES.remoteOption[option].includes(given));
  const quotePlaces = (isSaid: (option: RemoteOption | undefined) => boolean) =>
    joinTexts(named.filter((one) => isSaid(getRemoteOption(one))).map(({ text }) => quoteText(text)));
  if (workplace && own) {
    // Some sources also set the remote flag for hybrid jobs.
    const note = own === 'REMOTE' && !workplace.isOwnField ? 'hybrid jobs may also have this' : undefined;
    const others = quotePlaces((option) => option !== undefined && option !== own);
    return mergeFacts([
      fact('remoteOption', own, { ...workplace, from: describeSource(workplace) }, note),
      others !== '' && noteOmission('remoteOption', `the places also include ${others}`),
    ]);
  }
  const [option, second] = distinct(named.map(getRemoteOption));
  if (second !== undefined) return noteMissing('remoteOption', 'the places have several options', true);
  if (places && option) {
    const isPlaced = option === 'REMOTE' && named.some(({ meaning }) => meaning.kind === 'place');
    const note = isPlaced ? 'the text also contains places' : undefined;
    const from = `${places.from}: ${quotePlaces((one) => one === option)}`;
    return fact('remoteOption', option, { from, isOwnField: false }, note);
  }
  const field = workplace ? describeSource(workplace) : 'the source';
  return noteMissing('remoteOption', `${field} doesn't include it`, true);
}

function getRemoteOption({ meaning }: Named): RemoteOption | undefined {
  return meaning.kind === 'remote' ? 'REMOTE' : meaning.kind === 'place' ? meaning.remoteOption : undefined;
}

function remoteCountryFacts({ remoteCountries, places }: Fields, named: readonly Named[]): Facts {
  const given = remoteCountries?.value.slice(0, 300) ?? [];
  const known = given.map((name) => countriesByName().get(normalise(name.slice(0, 100)))?.name);
  const remote = listCountries(named.filter(({ meaning }) => meaning.kind === 'remote'));
  const guesses = remote.length > 0 ? remote : listCountries(named);
  const own = distinct(known);
  const countries = own.length > 0 ? own : guesses;
  const [country, second] = countries;
  if (second !== undefined)
    return noteMissing(
      'remoteCountry',
      `only one country is allowed, but the source has ${joinTexts(countries)}`,
    );
  if (country === undefined) return noteMissing('remoteCountry', 'not in the source');
  if (!remoteCountries || own.length === 0) {
    return fact('remoteCountry', country, { from: places?.from ?? 'places', isOwnField: false });
  }
  const isOwnField = remoteCountries.isOwnField && !known.includes(undefined);
  const others = remote.filter((one) => one !== country);
  return mergeFacts([
    fact('remoteCountry', country, { from: describeSource(remoteCountries), isOwnField }),
    others.length > 0 && noteOmission('remoteCountry', `the places also include ${joinTexts(others)}`),
  ]);
}

function locationFacts(places: Fields['places'], named: readonly Named[], findMeaning: FindMeaning): Facts {
  const texts = distinct(named.map((one) => locationText(one, findMeaning)));
  const [kept, most] = [texts.slice(0, LIMITS.arrayEntries), LIMITS.arrayEntries];
  const isHidden = places?.value.some((place) => place.isHidden) === true;
  const unclear = distinct([isHidden ? 'the company hides it' : undefined, ...named.map(whyUnclear)]);
  if (places === undefined || kept.length === 0) {
    return noteMissing('locations', joinTexts(unclear) || 'the source has no place', !isHidden);
  }
  const isLikely = named.some(({ meaning }) => meaning.kind === 'place' && meaning.sure === 'likely');
  const origin = { from: places.from, isOwnField: places.isOwnField && !isLikely };
  const note = isLikely ? 'the most likely of several places with that name' : undefined;
  return mergeFacts([
    fact('locations', kept, origin, note),
    unclear.length > 0 && noteOmission('locations', joinTexts(unclear)),
    texts.length > most &&
      noteOmission('locations', `${texts.length - most} of ${texts.length} (maximum ${most})`),
  ]);
}

/** Returns a name that resolves to the same place. Adds the ID if another place has that name. */
function locationText({ meaning }: Named, findMeaning: FindMeaning): string | undefined {
  if (meaning.kind !== 'place') return undefined;
  const { displayName, locationId } = meaning.place;
  const again = findMeaning(displayName);
  const isOnlyOne = again.kind === 'place' && again.place.locationId === locationId;
  return isOnlyOne ? displayName : `${locationId}:${displayName}`;
}

const UNCLEAR: { readonly [Kind in Named['meaning']['kind']]?: string } = {
  country: 'is a country',
  region: 'is a region without a city',
  continent: "isn't a city",
  unnamed: "isn't a place",
  ambiguous: 'may be',
  unknown: "isn't a known place",
};

const CANDIDATES_MAX = 3;

function whyUnclear({ text, meaning }: Named): string | undefined {
  const reason = UNCLEAR[meaning.kind];
  if (reason === undefined) return undefined;
  const candidates = meaning.kind === 'ambiguous' ? meaning.candidates.slice(0, CANDIDATES_MAX) : [];
  return `${quoteText(text)} ${reason} ${candidates.map(({ displayName }) => displayName).join(' or ')}`.trim();
}
