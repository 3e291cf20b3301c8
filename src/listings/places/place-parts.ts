import { editDistance } from '../../contract/nearest.ts';
import { normalise, type Place, type PlaceArea, type Places } from '../../contract/place-names.ts';
import {
  areasOf,
  decide,
  GREAT_CITY_PEOPLE,
  isFar,
  isFirstAnArea,
  isIn,
  isWeak,
  knownPlace,
  likely,
  mainPlace,
  meaningOfName,
  type PlaceDecision,
  wideAreaOf,
} from './named-place.ts';
import type { PlaceMeaning } from './place-meaning.ts';
import type { NamePart } from './place-text.ts';
import words from './words.json' with { type: 'json' };

const SUBREGION = new RegExp(`(?:^| )(?:${words.within.join('|')})(?: |$)`);
const WORDS_MAX = 8;
const SPLITS_MAX = 2;
const SPLIT_PARTS_MAX = 3;
/** A name in a list of names alone is a city that everybody knows. */
const LISTED_PEOPLE = 100_000;
const KNOWN_PEOPLE = 300_000;

type Parts = readonly NamePart[];

/** A part and the areas that it may be. */
interface Piece {
  readonly part: NamePart;
  readonly areas: readonly PlaceArea[];
}

/** What the parts of a text mean together. */
export function meaningOfParts(parts: Parts, places: Places): PlaceMeaning {
  const [first, second] = parts;
  if (first === undefined) return { kind: 'unknown' };
  const known = knownPlace(parts.map(({ names }) => names[0]).join(' '), places);
  if (known) return likely(known);
  const whole = second ? meaningOfPieces(parts, places) : meaningOfName(first, places);
  if (whole.kind !== 'unknown') return whole;
  const others = second ? (listOf(parts, places) ?? besideUnknown(parts, places)) : undefined;
  return atWords(parts, places) ?? others ?? mistyped(parts, places) ?? whole;
}

/** A city among its areas, or areas alone. */
function meaningOfPieces(parts: Parts, places: Places): PlaceMeaning {
  const pieces = parts.map((part) => ({ part, areas: areasOf(part, places) }));
  let ambiguous: PlaceMeaning | undefined;
  // The city is in front as a rule, and else at the end.
  for (const piece of [pieces[0], ...pieces.slice(1).reverse()] as Piece[]) {
    const rest = pieces.filter((other) => other !== piece);
    const isExplained = rest.every(({ part, areas }) => areas.length > 0 || isDetail(part, piece.part));
    if (!isExplained || wideAreaOf(piece.part)) continue;
    const meaning =
      decideIn(piece, within(rest), places) ??
      besideSame(piece, rest, places) ??
      besideCodes(piece, rest, places);
    if (meaning?.kind === 'place') return meaning;
    ambiguous ??= meaning;
  }
  return ambiguous ?? onlyAreas(pieces, places) ?? { kind: 'unknown' };
}

/** `Cook County` adds nothing that is known; neither does a name that is there twice. */
function isDetail(part: NamePart, { names: [city = ''] }: NamePart): boolean {
  const isSubregion = part.names.some((name) => SUBREGION.test(name) || name === city);
  return isSubregion || part.isCode || wideAreaOf(part) !== undefined;
}

/** `Lima, Lima, Peru`: a region of the city's name may be another one than that of the city. */
function besideSame({ part }: Piece, rest: readonly Piece[], places: Places): PlaceDecision | undefined {
  const others = rest.filter(({ part: { names } }) => !names.some((name) => part.names.includes(name)));
  return others.length < rest.length ? decideIn({ part, areas: [] }, within(others), places) : undefined;
}

/** `Milano, MI, Italia`: the code of a province that may be that of a state elsewhere. */
function besideCodes(piece: Piece, rest: readonly Piece[], places: Places): PlaceDecision | undefined {
  const others = rest.filter(({ part }) => !part.isCode);
  const hasCountry = others.some(({ areas }) => areas.some(({ region }) => region === ''));
  return hasCountry && others.length < rest.length ? decideIn(piece, within(others), places) : undefined;
}

/** What the areas have in common: regions before countries, those of the United States first. */
function within(pieces: readonly Piece[]): PlaceArea[] {
  const [first = [], ...others] = pieces.map(({ areas }) => areas).filter((areas) => areas.length > 0);
  const common = others.reduce<readonly PlaceArea[]>(
    (ranges, areas) => ranges.flatMap((range) => areas.flatMap((area) => nested(range, area) ?? [])),
    first,
  );
  return [...common].sort((a, b) => orderOf(a) - orderOf(b));
}

function nested(a: PlaceArea, b: PlaceArea): PlaceArea | undefined {
  if (a.first >= b.first && a.end <= b.end) return a;
  return b.first >= a.first && b.end <= a.end ? b : undefined;
}

function orderOf({ region, countryCode }: PlaceArea): number {
  if (region === '') return 2;
  return countryCode === 'US' ? 0 : 1;
}

function decideIn(piece: Piece, ranges: readonly PlaceArea[], places: Places): PlaceDecision | undefined {
  const decisions = ranges
    .map((area) => decideInArea(piece, area, places))
    .filter((found) => found !== undefined);
  const [found] = decisions;
  if (found?.kind !== 'place' || found.place.population >= 5_000) return found;
  // "London, CA" is hardly the one of 1,900 people.
  const greater = decisions.flatMap((other) =>
    other.kind === 'place' && other.place.locationId !== found.place.locationId ? [other.place] : [],
  );
  const [rival] = greater.filter((place) => isFar(place, found.place, 50));
  return rival ? { kind: 'ambiguous', candidates: [found.place, rival] } : found;
}

function decideInArea({ part, areas }: Piece, area: PlaceArea, places: Places): PlaceDecision | undefined {
  const own = areas.filter((of) => of.region !== '' && !part.isCode && nested(of, area) !== undefined);
  let weak: PlaceDecision | undefined;
  for (const name of part.isArea ? part.names.slice(0, 1) : part.names) {
    const [main] = own.flatMap((region) => mainPlace(name, region, places, false) ?? []);
    if (main && isIn(main, area)) return likely(main);
    const known = knownPlace(name, places, area);
    if (known) return likely(known);
    const decision = part.isCode ? undefined : decide(name, places, area, false);
    if (decision === undefined) continue;
    if (!areas.some(isFirstAnArea)) {
      if (own.length === 0 && !isWeak(name, decision, places, area)) return decision;
      weak ??= own.length === 0 ? decision : undefined;
    }
    if (decision.kind !== 'place' || !isOfficial(name, decision.place, area, places)) continue;
    // "Mexico, Missouri" and "Victoria, Canada" are cities, and "Georgia, United States" is a state.
    const isElsewhere =
      own.length === 0 && areas.every(({ region, country }) => region !== '' || normalise(country) !== name);
    if (isElsewhere || area.region !== '' || decision.place.population >= GREAT_CITY_PEOPLE) return decision;
  }
  return weak;
}

function isOfficial(name: string, { locationId }: Place, area: PlaceArea, places: Places): boolean {
  return places.named(name, area).official.some((place) => place.locationId === locationId);
}

/** `Texas, USA` and `Cook County, IL`; `US, Canada` is two. */
function onlyAreas(all: readonly Piece[], places: Places): PlaceMeaning | undefined {
  // "LATAM (Argentina, Brazil)" says it better.
  const named = all.filter(({ part, areas }) => areas.length > 0 || wideAreaOf(part)?.kind !== 'continent');
  const pieces = named.length > 0 ? named : all;
  const county = pieces.find(({ part, areas }) => areas.length === 0 && SUBREGION.test(part.names[0] ?? ''));
  const isArea = (piece: Piece) =>
    piece === county || piece.areas.length > 0 || wideAreaOf(piece.part) !== undefined;
  if (!pieces.every(isArea)) return undefined;
  const [common] = within(pieces);
  const [wide] = pieces.flatMap(({ part }) => wideAreaOf(part) ?? []);
  if (wide && (common === undefined || wide.kind === 'region')) return wide;
  if (common === undefined) {
    const list = pieces.map(({ part }) => ({ parts: [part], meaning: meaningOfName(part, places) }));
    // "Berlin, CT" is neither Berlin nor two places.
    const isElsewhere = list.some(
      ({ meaning }) =>
        meaning.kind === 'place' &&
        list.some(({ meaning: area }) => 'country' in area && area.country !== meaning.place.country),
    );
    return isElsewhere ? undefined : severalOf(list);
  }
  const { country, region } = common;
  if (county) return { kind: 'region', region: county.part.text, country };
  return region === '' ? { kind: 'country', country } : { kind: 'region', region, country };
}

function severalOf(list: readonly { parts: Parts; meaning: PlaceMeaning }[]): PlaceMeaning {
  const [first] = list;
  const idOf = ({ meaning }: { meaning: PlaceMeaning }) =>
    meaning.kind === 'place' ? meaning.place.locationId : undefined;
  if (first && idOf(first) !== undefined && list.every((one) => idOf(one) === idOf(first)))
    return first.meaning;
  const textOf = (parts: Parts) => parts.map(({ text }) => text).join(', ');
  return { kind: 'several', parts: list.map(({ parts, meaning }) => ({ text: textOf(parts), meaning })) };
}

/** `Austin TX USA`, `Germany Berlin`: areas without a comma, at the end or in front. */
function atWords(parts: Parts, places: Places, splitsLeft = SPLITS_MAX): PlaceMeaning | undefined {
  for (const [index, part] of parts.entries()) {
    const all = part.names.at(-1)?.split(' ') ?? [];
    if (all.length > WORDS_MAX) continue;
    for (let at = 1; at < all.length; at++) {
      const both = [all.slice(0, at), all.slice(at)].map((some) => partOf(some.join(' ')));
      if (both.every((half) => areasOf(half, places).length === 0)) continue;
      const split = [...parts.slice(0, index), ...both, ...parts.slice(index + 1)];
      const whole = meaningOfPieces(split, places);
      const isWhole = whole.kind !== 'unknown' && whole.kind !== 'several';
      const isShort = splitsLeft > 1 && parts.length <= SPLIT_PARTS_MAX;
      const meaning = isWhole ? whole : isShort ? atWords(split, places, splitsLeft - 1) : undefined;
      if (meaning) return meaning;
    }
  }
  return undefined;
}

function partOf(name: string): NamePart {
  return { text: name, names: [name], isCode: name.length === 2, isArea: false };
}

/** `Austin, TX, Denver, CO`: each of them a place. */
function listOf(parts: Parts, places: Places): PlaceMeaning | undefined {
  const list: { parts: Parts; meaning: PlaceMeaning }[] = [];
  for (let at = 0; at < parts.length; ) {
    const groups = [3, 2, 1].map((size) => parts.slice(at, at + size));
    const found = groups
      .map((group) => ({ parts: group, meaning: listedMeaning(group, places) }))
      .find(({ meaning }) => meaning.kind === 'place' || meaning.kind === 'continent');
    if (found === undefined) return undefined;
    list.push(found);
    at += found.parts.length;
  }
  return list.length > 1 ? severalOf(list) : undefined;
}

function listedMeaning(parts: Parts, places: Places): PlaceMeaning {
  const [first, second] = parts;
  if (first === undefined || second) return meaningOfPieces(parts, places);
  const meaning = wideAreaOf(first) ?? meaningOfName({ ...first, names: first.names.slice(0, 1) }, places);
  const isKnown = meaning.kind !== 'place' || meaning.place.population >= LISTED_PEOPLE;
  return isKnown ? meaning : { kind: 'unknown' };
}

/** `Domain Tower, Austin, TX`: a place in the areas that are given, beside what is no place. */
function besideUnknown(parts: Parts, places: Places): PlaceMeaning | undefined {
  const pieces = parts.map((part) => ({ part, areas: areasOf(part, places) }));
  const only = cityOfDistrict(parts, places);
  if (only) return only;
  const found = pieces.toReversed().flatMap((piece) => {
    const ranges = within(pieces.filter((other) => other !== piece));
    const meaning = piece.part.isCode || wideAreaOf(piece.part) ? undefined : decideIn(piece, ranges, places);
    return meaning?.kind === 'place' ? [{ parts: [piece.part], meaning }] : [];
  });
  const [last, ...others] = found;
  if (last === undefined) return undefined;
  const cities = others.filter(({ meaning }) => meaning.place.population >= LISTED_PEOPLE);
  if (cities.length === 0) return { ...last.meaning, sure: 'likely' };
  const list = [...cities.reverse(), last].map(({ meaning }) => ({
    text: meaning.place.displayName,
    meaning,
  }));
  return { kind: 'several', parts: list };
}

/** `Canary Wharf, London`: one city that everybody knows, beside names that are no city's. */
function cityOfDistrict(parts: Parts, places: Places): PlaceMeaning | undefined {
  const meanings = parts.map((part) => meaningOfName(part, places));
  const [city, another] = meanings.filter((meaning) => peopleOf(meaning) >= KNOWN_PEOPLE);
  const others = meanings.filter((meaning) => meaning !== city);
  const isOnly = others.every(
    (meaning) => OBSCURE.has(meaning.kind) && peopleOf(meaning) < LISTED_PEOPLE / 2,
  );
  return another === undefined && isOnly && city?.kind === 'place' ? city : undefined;
}

const OBSCURE: ReadonlySet<string> = new Set(['unknown', 'ambiguous', 'place']);

function peopleOf(meaning: PlaceMeaning): number {
  if (meaning.kind === 'place') return meaning.place.population;
  return meaning.kind === 'ambiguous' ? (meaning.candidates[0]?.population ?? 0) : 0;
}

/**
 * `San Fransisco, CA`: one or two letters from the name of one far larger place in the area that is given. Only names
 * with the same first letter are compared, which takes a millisecond.
 */
function mistyped([first, ...rest]: Parts, places: Places): PlaceMeaning | undefined {
  const name = first?.names.at(-1) ?? '';
  const editsMax = name.length < 8 ? 1 : 2;
  const ranges = within(rest.map((part) => ({ part, areas: areasOf(part, places) })));
  if (name.length < 5) return undefined;
  for (const area of ranges) {
    const near = places
      .nearest([name, area.region, area.country].filter(Boolean).join(', '), 5, { namesLeft: 1 })
      .filter((place) => isIn(place, area) && editDistance(normalise(place.city), name) <= editsMax)
      .sort((a, b) => b.population - a.population);
    const [best, second] = near;
    // "Austin, CA" is no misspelt Tustin.
    const [namesake] = places.named(name).official;
    if (best && best.population >= 20_000 && isFar(best, second, 5) && isFar(best, namesake, 3))
      return likely(best);
  }
  return undefined;
}
