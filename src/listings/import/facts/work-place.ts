import { normalise } from '../../../contract/place-names.ts';
import { COUNTRIES } from '../../../contract/regions.ts';
import { LIMITS, REMOTE_OPTIONS, type RemoteOption } from '../../../contract/values.ts';
import type { PlaceMeaning } from '../../places/place-meaning.ts';
import type { ImportNote } from '../imported-posting.ts';
import type { SourcePlace, SourcePosting, SourceValue } from '../source-posting.ts';
import { type Facts, imported, leftOut, listed, missing, oneLine, PHRASES, shown, words } from './text.ts';

type MeaningOf = (text: string) => PlaceMeaning;
type Fields = SourcePosting['fields'];

/** All that the places of a posting mean, whatever it is. */
interface PlacesMeant {
  /** Texts that mean one place each. */
  readonly texts: readonly string[];
  readonly isGuessed: boolean;
  /** Names of countries, of places and of where one may work. */
  readonly countries: readonly string[];
  readonly remoteCountries: readonly string[];
  readonly options: readonly RemoteOption[];
  readonly unclear: readonly string[];
}

export interface WorkPlaceFacts extends Facts {
  readonly countries: readonly string[];
}

/** Where the work is done: the work place, the locations and, of a remote job, its country. */
export function workPlaceFacts(fields: Fields, meaningOf: MeaningOf): WorkPlaceFacts {
  const meant = placesMeant(fields.places?.value ?? [], meaningOf);
  const option = remoteOptionFacts(fields, meant);
  const isRemote = option.values?.remoteOption?.value === 'REMOTE';
  const country = isRemote ? remoteCountryFacts(fields.remoteCountries, meant, fields.places?.from) : {};
  const locations = locationFacts(fields.places, meant, isRemote);
  return {
    values: { ...option.values, ...country.values, ...locations.values },
    notes: [...(option.notes ?? []), ...(country.notes ?? []), ...(locations.notes ?? [])],
    countries: meant.countries,
  };
}

const PLACES_MAX = 4 * LIMITS.arrayEntries;
/** Of lists of places within lists. */
const DEPTH_MAX = 3;

function placesMeant(places: readonly SourcePlace[], meaningOf: MeaningOf): PlacesMeant {
  return together(places.slice(0, PLACES_MAX).map((place) => meantBy(place, meaningOf)));
}

function together(found: readonly PlacesMeant[]): PlacesMeant {
  const all = <T>(of: (one: PlacesMeant) => readonly T[]): T[] => [...new Set(found.flatMap(of))];
  return {
    texts: all(({ texts }) => texts),
    isGuessed: found.some(({ isGuessed }) => isGuessed),
    countries: all(({ countries }) => countries),
    remoteCountries: all(({ remoteCountries }) => remoteCountries),
    options: all(({ options }) => options),
    unclear: all(({ unclear }) => unclear),
  };
}

const NOTHING: PlacesMeant = {
  texts: [],
  isGuessed: false,
  countries: [],
  remoteCountries: [],
  options: [],
  unclear: [],
};

function meantBy({ text, city, region, country }: SourcePlace, meaningOf: MeaningOf): PlacesMeant {
  const parts = [city, region, country].map((part) => oneLine(part ?? '')).filter(Boolean);
  const joined = parts.join(', ');
  const whole = oneLine(text ?? '');
  const first = city && joined !== '' ? joined : whole || joined;
  if (first === '') return NOTHING;
  const meaning = meaningOf(first);
  const isPlain = first === whole || whole === '' || meaning.kind === 'place';
  return meantIn(isPlain ? meaning : meaningOf(whole), isPlain ? first : whole, meaningOf);
}

function meantIn(meaning: PlaceMeaning, text: string, meaningOf: MeaningOf, depth = 0): PlacesMeant {
  switch (meaning.kind) {
    case 'place': {
      const { place, sure, remoteOption } = meaning;
      const { country, displayName, locationId } = place;
      const again = meaningOf(displayName);
      const isOnlyOne = again.kind === 'place' && again.place.locationId === locationId;
      return {
        ...NOTHING,
        texts: [isOnlyOne ? displayName : `${locationId}:${displayName}`],
        isGuessed: sure === 'likely',
        countries: [country],
        options: remoteOption === undefined ? [] : [remoteOption],
      };
    }
    case 'several': {
      const parts = depth < DEPTH_MAX ? meaning.parts : [];
      return together(parts.map((part) => meantIn(part.meaning, part.text, meaningOf, depth + 1)));
    }
    case 'remote':
      return {
        ...NOTHING,
        countries: meaning.countries,
        remoteCountries: meaning.countries,
        options: ['REMOTE'],
      };
    case 'country':
      return { ...NOTHING, countries: [meaning.country], unclear: [`${shown(text)} is a country`] };
    case 'region':
      return {
        ...NOTHING,
        countries: [meaning.country],
        unclear: [`${shown(text)} is a region without a city`],
      };
    case 'ambiguous': {
      const names = meaning.candidates.slice(0, 3).map(({ displayName }) => displayName);
      return { ...NOTHING, unclear: [`${shown(text)} may be ${names.join(' or ')}`] };
    }
    case 'continent':
      return { ...NOTHING, unclear: [`${shown(text)} is no city`] };
    case 'unnamed':
      return { ...NOTHING, unclear: [`${shown(text)} names no place`] };
    case 'unknown':
      return { ...NOTHING, unclear: [`${shown(text)} is no known place`] };
  }
}

const REMOTE_TITLE =
  /[([|,–—-]\s*(?:100\s?% |fully )?remote\b(?!\s+\w+ing\b)|^remote\s*[-–—:|]|\bremote\s*[)\]]|\bremote$/i;
const HYBRID_TITLE = /[([|–—]\s*hybrid\b\s*(?:[)\]|,–—-]|$)|\s-\s*hybrid$/i;

function remoteOptionFacts({ workplace, title, places }: Fields, meant: PlacesMeant): Facts {
  const given = workplace === undefined ? undefined : words(workplace.value.slice(0, 300));
  const own = REMOTE_OPTIONS.find(
    (option) => given !== undefined && PHRASES.workplace[option].includes(given),
  );
  if (workplace !== undefined && own !== undefined) {
    const from = `${workplace.from}: ${shown(workplace.value)}`;
    return {
      values: { remoteOption: imported(own, { sure: workplace.isOwnField ? 'taken' : 'guessed', from }) },
    };
  }
  const [option, second] = meant.options;
  if (places !== undefined && option !== undefined && second === undefined) {
    const note = option === 'REMOTE' && meant.texts.length > 0 ? 'it names places, too' : undefined;
    return { values: { remoteOption: imported(option, { sure: 'guessed', from: places.from, note }) } };
  }
  const line = oneLine((title?.value ?? '').slice(0, LIMITS.titleCharacters));
  const inTitle = REMOTE_TITLE.test(line) ? 'REMOTE' : HYBRID_TITLE.test(line) ? 'HYBRID' : undefined;
  const isOneInTitle = inTitle === 'REMOTE' ? !/hybrid/i.test(line) : true;
  if (title !== undefined && inTitle !== undefined && isOneInTitle && second === undefined) {
    const from = `${title.from}: ${shown(line)}`;
    return { values: { remoteOption: imported(inTitle, { sure: 'guessed', from }) } };
  }
  const unknown =
    workplace === undefined || given === ''
      ? 'the source does not say it'
      : `${shown(workplace.value)} is none of ${REMOTE_OPTIONS.join(', ')}`;
  return { notes: [missing('remoteOption', second === undefined ? unknown : 'the places say several')] };
}

/** By every name and code, the names of `COUNTRIES`. */
const COUNTRY_NAMES: ReadonlyMap<string, string> = new Map(
  COUNTRIES.flatMap(({ code, alpha3, name, aliases }) =>
    [code, alpha3, ...aliases, name].map((known) => [normalise(known), name] as const),
  ),
);

function remoteCountryFacts(
  given: SourceValue<readonly string[]> | undefined,
  meant: PlacesMeant,
  placesFrom = 'places',
): Facts {
  const named = (given?.value ?? [])
    .slice(0, 300)
    .map((name) => COUNTRY_NAMES.get(normalise(name.slice(0, 100))));
  const own = [...new Set(named.filter((name) => name !== undefined))];
  const guesses = meant.remoteCountries.length > 0 ? meant.remoteCountries : meant.countries;
  const countries =
    own.length > 0 ? own : guesses.filter((name) => COUNTRIES.some((one) => one.name === name));
  const [country, second] = countries;
  if (second !== undefined)
    return { notes: [missing('remoteCountry', `one country only; the source has ${listed(countries)}`)] };
  if (country === undefined) return { notes: [missing('remoteCountry', 'the source does not say it')] };
  const isOwn = own.length > 0 && given !== undefined;
  const isTaken = isOwn && given.isOwnField && !named.includes(undefined);
  const from = isOwn ? given.from : placesFrom;
  return {
    values: {
      remoteCountry: imported<'remoteCountry'>(country, { sure: isTaken ? 'taken' : 'guessed', from }),
    },
  };
}

function locationFacts(places: Fields['places'], meant: PlacesMeant, isRemote: boolean): Facts {
  const { texts, unclear } = meant;
  const most = LIMITS.arrayEntries;
  const notes: ImportNote[] = [];
  const isLeft = texts.length === 0 ? missing : leftOut;
  // Of a remote job, a country or nothing is enough.
  if (!isRemote || texts.length > 0)
    notes.push(...unclear.slice(0, 5).map((text) => isLeft('locations', text)));
  if (unclear.length > 5)
    notes.push(isLeft('locations', `${unclear.length - 5} more texts are no clear place`));
  if (texts.length > most)
    notes.push(leftOut('locations', `${texts.length - most} of ${texts.length} places; at most ${most}`));
  if (texts.length === 0 || places === undefined) {
    if (!isRemote && notes.length === 0) notes.push(missing('locations', 'the source names no place'));
    return { notes };
  }
  const value = texts.slice(0, most);
  const isGuessed = meant.isGuessed || !places.isOwnField;
  const note = meant.isGuessed ? 'likely meant among places of that name' : undefined;
  return {
    values: {
      locations: imported<'locations'>(value, {
        sure: isGuessed ? 'guessed' : 'taken',
        from: places.from,
        note,
      }),
    },
    notes,
  };
}
