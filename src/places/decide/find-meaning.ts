import { normalise, type Place, type Places } from '../place-names.ts';
import { toPieces } from './explained.ts';
import { decidePlace, findAreasByName, isInArea, isKnownName, listNamesakes } from './named-place.ts';
import type { PlaceMeaning } from './place-meaning.ts';
import { findPartsMeaning } from './place-parts.ts';
import { intersectAreas } from './place-pieces.ts';
import { type NamePart, parsePlaceText, withoutRemarks } from './place-text.ts';
import { resolveList, type Several } from './several.ts';
import { findCounty, isDistrict } from './subdivisions.ts';
import words from './words.json' with { type: 'json' };

const TEXT_MAX = 2_000;
const SEVERAL_MAX = 50;

const OR =
  /(?:(?<!\s)\s+)?(?:[;|•·\n\r/]|(?<=\s)(?:or|and|and\/or|oder|bzw\.?|sowie|ou|und|y|et|oraz|lub|ili|ali|och|eller|og|tai|nebo|l|&|\+)(?=\s))\s*/i;
/** Words for "and" and "or" that also occur inside names. They separate only if both sides are places. */
const OR_OF_NAMES = /\s(?:i|e|o|en|of|te|a|ja|in|y)\s/i;

/** Abbreviated prepositions in city names, such as `Limburg a. d. Lahn`. */
const ABBREVIATED = /\s(?:a|i|o|u|v|b)\. ?(?:d\. ?)?/gi;
const NEAR = /\s(?:bei|near|nr\.?|k\.)\s/;
/** A city and its region's code, separated by a slash: `Belo Horizonte/MG`. */
const BEFORE_CODE = /(\p{L}[^/]*)\/ ?([A-Z]{2})(?=\s|$)/gu;
const CITY_AND_DISTRICT = /^(\p{L}+)[ -]+(\p{L}[\p{L}. -]*)$/u;

/** Place names that are also common words. They don't match a place on their own. */
const COMMON_WORDS = new Set(words.commonWords);

export function findMeaning(text: string, all: Places): PlaceMeaning {
  if (text.length > TEXT_MAX) return { kind: 'unknown' };
  const trimmed = text.trim();
  if (!/\p{L}/u.test(trimmed) || /^n\.? ?\/? ?a\.?$/i.test(trimmed)) return { kind: 'unnamed' };
  if (COMMON_WORDS.has(normalise(trimmed))) return { kind: 'unknown' };
  const places = cacheLookups(all);
  const called = findByFullName(trimmed, places);
  if (called) return { kind: 'place', place: called, sure: 'exact' };
  const plain = withFullNames(withoutRemarks(trimmed), places);
  const isOne = !OR.test(plain) || plain.split(',').some((part) => OR.test(part) && isName(part, places));
  if (isOne) return findTextMeaning(plain, places);
  const parts = plain.split(OR).filter((part) => normalise(part) !== '');
  return resolveTexts(parts.slice(0, SEVERAL_MAX), places);
}

/** Caches lookups, because each part of a text is looked up several times. */
function cacheLookups(places: Places): Places {
  const known = new Map<string, unknown>();
  const cacheResult = <T>(key: string, find: () => T): T => {
    if (!known.has(key)) known.set(key, find());
    return known.get(key) as T;
  };
  return {
    ...places,
    named: (name, area) => cacheResult(`${name}|${area?.first}|${area?.end}`, () => places.named(name, area)),
    areas: (name) => cacheResult(name, () => places.areas(name)),
  };
}

/** Simplifies segments that combine two names: `Frankfurt (Oder)`, `Belo Horizonte/MG`, `Berlin-Mitte`. */
function withFullNames(text: string, places: Places): string {
  const segments = text.split(/([,;|•\n+])/).map((segment) => {
    const [, before = '', name = ''] = /^(\s*(?:[\d-]{4,7}\s+)?)([^\d\s].*)$/s.exec(segment) ?? [];
    return before + simplifyName(name || segment, places);
  });
  return segments.join('');
}

function simplifyName(name: string, places: Places): string {
  if (/[()/.]|\s[a-z]{1,5}\s/.test(name)) {
    const place = findByVariant(normalise(name.replace(ABBREVIATED, ' an ')), places);
    if (place) return place.city.replace(/[ ()]+/g, '-').replace(/-$/, '');
  }
  const [city = '', near] = name.split(NEAR);
  if (near !== undefined && places.named(normalise(city)).official.length === 1) return city;
  const parts = name.split(OR_OF_NAMES);
  const isPlace = (part: string) => isName(part, places) || listNamesakes(normalise(part), places).length > 0;
  if (parts.length > 1 && !isName(name, places) && parts.every(isPlace)) return parts.join(' / ');
  return (withoutDistrict(name, places) ?? name).replace(
    BEFORE_CODE,
    (slash, before: string, code: string) => {
      const ranges = findAreasByName(normalise(code), places);
      const isCity = before.split(' ').some((_, at, all) => {
        const decision = decidePlace(normalise(all.slice(at).join(' ')), places, undefined, false);
        return ranges.some(
          (area) =>
            (decision?.kind === 'place' && isInArea(decision.place, area)) ||
            (area.countryCode === 'BR' && places.named(normalise(before), area).official.length > 0),
        );
      });
      return isCity ? `${before}, ${code}` : slash;
    },
  );
}

/** Words between a city and its river or region: `Frankfurt an der Oder`, `Limburg a. d. Lahn`. */
const BETWEEN_NAMES =
  / (?:a|am|an|auf|bei|b|d|de|dem|den|der|die|i|im|in|la|le|les|lez|nad|o|ob|on|op|oder|sul|sulla|sur|the|u|under|unter|upon|v|von|vor)(?= )/g;

/** Finds a city by a variant of its full name: `Halle/Saale`, `Limburg a. d. Lahn`. */
function findByVariant(name: string, places: Places): Place | undefined {
  const official = places.named(name).official;
  if (official.length > 0) return official.length === 1 ? official[0] : undefined;
  const given = name.replace(BETWEEN_NAMES, '').split(' ');
  for (const count of [1, 2].filter((size) => size < given.length)) {
    const short = given.slice(0, count).join(' ');
    const found = listNamesakes(short, places).filter(({ city }) => {
      const full = normalise(city).replace(BETWEEN_NAMES, '').split(' ');
      return (
        full.length === given.length && full.every((word, at) => word === given[at] || word[0] === given[at])
      );
    });
    if (found.length === 1) return found[0];
  }
  return undefined;
}

/** A city name followed by its district means the city: `Berlin-Mitte`, `München Schwabing`. */
function withoutDistrict(name: string, places: Places): string | undefined {
  const [whole, city = '', district = ''] = CITY_AND_DISTRICT.exec(name.trim()) ?? [];
  if (whole === undefined) return undefined;
  const decision = decidePlace(normalise(city), places, undefined, false);
  return decision?.kind === 'place' && isDistrict(decision.place, [normalise(district)]) ? city : undefined;
}

function findByFullName(text: string, places: Places): Place | undefined {
  const [city = '', area] = text.split(',');
  const whole = normalise(text);
  const isCalled = ({ displayName }: Place) => normalise(displayName) === whole;
  const [only, another] = area === undefined ? [] : places.named(normalise(city)).official.filter(isCalled);
  return another === undefined ? only : undefined;
}

/** True if the whole text is one name, even if it looks like two (`Trinidad and Tobago`, `Brighton and Hove`). */
function isName(text: string, places: Places): boolean {
  const name = normalise(text);
  return (
    findAreasByName(name, places).length > 0 ||
    isKnownName(name) ||
    findCounty(name) !== undefined ||
    places.named(name).official.length > 0
  );
}

const REMOTE_BEHIND = /[,(]\s*((?:fully |100% )?remote\b[^,]*)$/i;

function findTextMeaning(text: string, places: Places): PlaceMeaning {
  const { remoteOption, isUnnamed, nationwide, parts } = parsePlaceText(text);
  if (parts.length === 0) {
    if (remoteOption === 'REMOTE') return { kind: 'remote', countries: nationwide };
    return isUnnamed || remoteOption ? { kind: 'unnamed' } : { kind: 'unknown' };
  }
  const meaning = findPartsMeaning(parts, places);
  if (meaning.kind === 'several' && remoteOption === 'REMOTE') {
    const named = meaning.parts.filter((part) => part.meaning.kind === 'place');
    const behind = REMOTE_BEHIND.exec(text)?.[1];
    const said = behind ? findTextMeaning(behind, places) : undefined;
    const remote: PlaceMeaning = said?.kind === 'remote' ? said : { kind: 'remote', countries: [] };
    if (named.length > 0) return { kind: 'several', parts: [...named, { text: 'Remote', meaning: remote }] };
  }
  if (meaning.kind === 'place') return remoteOption ? { ...meaning, remoteOption } : meaning;
  if (remoteOption === 'REMOTE') {
    const countries =
      parts.length === 1 && isOfTwo(parts[0] as NamePart, places) ? [] : findCountries(meaning);
    if (countries) return { kind: 'remote', countries };
    const country = intersectAreas(toPieces(parts, places))[0]?.country;
    if (country || meaning.kind === 'unknown') return { kind: 'remote', countries: country ? [country] : [] };
  }
  if (isUnnamed && (meaning.kind === 'unknown' || meaning.kind === 'country')) return { kind: 'unnamed' };
  return meaning;
}

/** True for a code with two meanings: `Remote, CA` is California or Canada. */
function isOfTwo({ names: [name = ''], isCode }: NamePart, places: Places): boolean {
  return isCode && new Set(findAreasByName(name, places).map(({ country }) => country)).size > 1;
}

function findCountries(meaning: PlaceMeaning): string[] | undefined {
  if (meaning.kind === 'remote') return [...meaning.countries];
  if (meaning.kind === 'country' || meaning.kind === 'region')
    return meaning.country === '' ? [] : [meaning.country];
  if (meaning.kind === 'continent' || meaning.kind === 'unnamed') return [];
  if (meaning.kind !== 'several') return undefined;
  const lists = meaning.parts.map(({ meaning: part }) => findCountries(part));
  return lists.every((list) => list !== undefined) ? [...new Set(lists.flat())] : undefined;
}

/** A text with an unresolved part is ambiguous or unknown, unless at least two other parts are resolved. */
function withUnknown(all: Several): PlaceMeaning {
  const { parts } = all;
  const isDecided = ({ meaning }: Several['parts'][number]) =>
    meaning.kind !== 'unknown' && meaning.kind !== 'ambiguous';
  const decided = parts.filter(isDecided);
  if (decided.length === parts.length || decided.length > 1) return all;
  const candidates = parts.flatMap(({ meaning }) => {
    if (meaning.kind === 'place') return [meaning.place];
    return meaning.kind === 'ambiguous' ? meaning.candidates : [];
  });
  return candidates.length > 0 ? { kind: 'ambiguous', candidates } : { kind: 'unknown' };
}

function resolveTexts(texts: readonly string[], places: Places): PlaceMeaning {
  const shared = parsePlaceText(texts.at(-1) ?? '').parts.slice(1);
  const parts = texts.flatMap((text) => {
    const alone = findTextMeaning(text, places);
    if (alone.kind === 'several') return alone.parts;
    if (shared.length === 0 || text === texts.at(-1)) return [{ text, meaning: alone }];
    // In "Springfield or Chicago, IL", the state applies to both cities.
    const both = [text.trim(), ...shared.map((part) => part.text)].join(', ');
    const inShared = alone.kind === 'ambiguous' ? findTextMeaning(both, places) : alone;
    return inShared.kind === 'place' && alone.kind !== 'place'
      ? [{ text: both, meaning: inShared }]
      : [{ text, meaning: alone }];
  });
  const named = parts.filter(({ meaning }) => meaning.kind !== 'unnamed');
  const isRemote = named.some(({ meaning }) => meaning.kind === 'remote');
  const [only] = named;
  if (only === undefined) return { kind: 'unnamed' };
  if (named.length === 1) return withOption(only.meaning, texts);
  const all = resolveList(named, places);
  if (all.kind !== 'several') return withOption(all, texts);
  const countries = isRemote ? findCountries(all) : undefined;
  return countries ? { kind: 'remote', countries } : withUnknown(all);
}

/** Adds the work option from another part of the text: `Hybrid | Austin, TX`. */
function withOption(meaning: PlaceMeaning, texts: readonly string[]): PlaceMeaning {
  if (meaning.kind !== 'place' || meaning.remoteOption) return meaning;
  const option = texts.map((text) => parsePlaceText(text).remoteOption).find((found) => found !== undefined);
  return option ? { ...meaning, remoteOption: option } : meaning;
}
