import { normalise } from '../../../contract/place-names.ts';
import { countriesByName } from '../../../contract/regions.ts';
import { LIMITS, REMOTE_OPTIONS, type RemoteOption } from '../../../contract/values.ts';
import type { PlaceMeaning } from '../../places/place-meaning.ts';
import type { SourcePosting } from '../source-posting.ts';
import { allOf, type Facts, fact, leftOut, listed, missing, readOf, shown } from './fact.ts';
import { oneLine, PHRASES, words } from './text.ts';

type MeaningOf = (text: string) => PlaceMeaning;
type Fields = SourcePosting['fields'];

interface Named {
  readonly text: string;
  readonly meaning: Exclude<PlaceMeaning, { kind: 'several' }>;
}

const PLACES_MAX = 4 * LIMITS.arrayEntries;
/** A longer text names no place. */
const PLACE_CHARACTERS_MAX = 10_000;

export function placesNamed(places: Fields['places'], meaningOf: MeaningOf): Named[] {
  return (places?.value ?? []).slice(0, PLACES_MAX).flatMap((place) => {
    const written = [place.city, place.region, place.country, place.text];
    const [city = '', region = '', given = '', whole = ''] = written.map((part) =>
      oneLine((part ?? '').slice(0, PLACE_CHARACTERS_MAX)),
    );
    const known = countriesByName().get(normalise(given))?.name;
    const parts = [city || whole, region, known ?? given].filter(Boolean).join(', ');
    const text = meaningOf(parts).kind === 'place' ? parts : whole || parts;
    // A city of that name in another country is another city.
    return (text === '' ? [] : namedIn(text, meaningOf(text))).map((one) =>
      one.meaning.kind !== 'place' || one.meaning.place.country === (known ?? one.meaning.place.country)
        ? one
        : { text: `${one.text}, ${known}`, meaning: { kind: 'unknown' } },
    );
  });
}

function namedIn(text: string, meaning: PlaceMeaning): Named[] {
  if (meaning.kind !== 'several') return [{ text, meaning }];
  return meaning.parts.flatMap((part) => namedIn(part.text, part.meaning));
}

export function countriesOf(named: readonly Named[]): string[] {
  const countries = named.flatMap(({ meaning }) => {
    if (meaning.kind === 'remote') return meaning.countries;
    if (meaning.kind === 'place') return [meaning.place.country];
    return meaning.kind === 'country' || meaning.kind === 'region' ? [meaning.country] : [];
  });
  return distinct(countries);
}

/** Where the work is done: the work place, the locations and, of a remote job, its country. */
export function workPlaceFacts(fields: Fields, named: readonly Named[], meaningOf: MeaningOf): Facts {
  const option = remoteOptionFacts(fields, named);
  const isRemote = option.values?.remoteOption?.value === 'REMOTE';
  const country = isRemote ? remoteCountryFacts(fields, named) : {};
  return allOf([option, country, locationFacts(fields.places, named, meaningOf)]);
}

function distinct<T>(values: readonly (T | undefined)[]): T[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

function remoteOptionFacts({ workplace, places }: Fields, named: readonly Named[]): Facts {
  const given = words((workplace?.value ?? '').slice(0, 300));
  const own = REMOTE_OPTIONS.find((option) => PHRASES.workplace[option].includes(given));
  const saying = (isSaid: (option: RemoteOption | undefined) => boolean) =>
    listed(named.filter((one) => isSaid(optionOf(one))).map(({ text }) => shown(text)));
  if (workplace && own) {
    // The remote flag is also set for hybrid jobs.
    const note = own === 'REMOTE' && !workplace.isOwnField ? 'hybrid jobs may have it, too' : undefined;
    const others = saying((option) => option !== undefined && option !== own);
    const also = others === '' ? {} : leftOut('remoteOption', `the places also say ${others}`);
    return allOf([fact('remoteOption', own, { ...workplace, from: readOf(workplace) }, note), also]);
  }
  const [option, second] = distinct(named.map(optionOf));
  if (second !== undefined) return missing('remoteOption', 'the places say several', true);
  if (places && option) {
    const isPlaced = option === 'REMOTE' && named.some(({ meaning }) => meaning.kind === 'place');
    const note = isPlaced ? 'it names places, too' : undefined;
    const from = `${places.from}: ${saying((one) => one === option)}`;
    return fact('remoteOption', option, { from, isOwnField: false }, note);
  }
  const field = workplace ? readOf(workplace) : 'the source';
  return missing('remoteOption', `${field} does not say it`, true);
}

function optionOf({ meaning }: Named): RemoteOption | undefined {
  return meaning.kind === 'remote' ? 'REMOTE' : meaning.kind === 'place' ? meaning.remoteOption : undefined;
}

function remoteCountryFacts({ remoteCountries, places }: Fields, named: readonly Named[]): Facts {
  const given = remoteCountries?.value.slice(0, 300) ?? [];
  const known = given.map((name) => countriesByName().get(normalise(name.slice(0, 100)))?.name);
  const remote = countriesOf(named.filter(({ meaning }) => meaning.kind === 'remote'));
  const guesses = remote.length > 0 ? remote : countriesOf(named);
  const own = distinct(known);
  const countries = own.length > 0 ? own : guesses;
  const [country, second] = countries;
  if (second !== undefined)
    return missing('remoteCountry', `one country only; the source has ${listed(countries)}`);
  if (country === undefined) return missing('remoteCountry', 'the source does not say it');
  if (!remoteCountries || own.length === 0) {
    return fact('remoteCountry', country, { from: places?.from ?? 'places', isOwnField: false });
  }
  const isOwnField = remoteCountries.isOwnField && !known.includes(undefined);
  const others = remote.filter((one) => one !== country);
  const also = others.length > 0 ? leftOut('remoteCountry', `the places also say ${listed(others)}`) : {};
  return allOf([fact('remoteCountry', country, { from: readOf(remoteCountries), isOwnField }), also]);
}

function locationFacts(places: Fields['places'], named: readonly Named[], meaningOf: MeaningOf): Facts {
  const texts = distinct(named.map((one) => locationText(one, meaningOf)));
  const [kept, most] = [texts.slice(0, LIMITS.arrayEntries), LIMITS.arrayEntries];
  const isHidden = places?.value.some((place) => place.isHidden) === true;
  const unclear = distinct([isHidden ? 'the company does not show it' : undefined, ...named.map(whyUnclear)]);
  if (places === undefined || kept.length === 0) {
    return missing('locations', listed(unclear) || 'the source names no place', !isHidden);
  }
  const isLikely = named.some(({ meaning }) => meaning.kind === 'place' && meaning.sure === 'likely');
  const origin = { from: places.from, isOwnField: places.isOwnField && !isLikely };
  const note = isLikely ? 'likely meant among places of that name' : undefined;
  return allOf([
    fact('locations', kept, origin, note),
    unclear.length > 0 ? leftOut('locations', listed(unclear)) : {},
    texts.length > most
      ? leftOut('locations', `${texts.length - most} of ${texts.length}; at most ${most}`)
      : {},
  ]);
}

/** The name that means this place again; with its id where another has the same name. */
function locationText({ meaning }: Named, meaningOf: MeaningOf): string | undefined {
  if (meaning.kind !== 'place') return undefined;
  const { displayName, locationId } = meaning.place;
  const again = meaningOf(displayName);
  const isOnlyOne = again.kind === 'place' && again.place.locationId === locationId;
  return isOnlyOne ? displayName : `${locationId}:${displayName}`;
}

const UNCLEAR: Readonly<Record<Named['meaning']['kind'], string | undefined>> = {
  place: undefined,
  remote: undefined,
  country: 'is a country',
  region: 'is a region without a city',
  continent: 'is no city',
  unnamed: 'names no place',
  ambiguous: 'may be',
  unknown: 'is no known place',
};

const CANDIDATES_MAX = 3;

function whyUnclear({ text, meaning }: Named): string | undefined {
  const reason = UNCLEAR[meaning.kind];
  if (reason === undefined) return undefined;
  const candidates = meaning.kind === 'ambiguous' ? meaning.candidates.slice(0, CANDIDATES_MAX) : [];
  return `${shown(text)} ${reason} ${candidates.map(({ displayName }) => displayName).join(' or ')}`.trim();
}
