import { editDistance } from '../../contract/nearest.ts';
import { normalise, type Place, type PlaceArea, type Places } from '../../contract/place-names.ts';
import { isAccounted, isVenue, leftOver, type Piece, pieceOf } from './explained.ts';
import {
  areasCalled,
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
  namesakes,
  type PlaceDecision,
  wideAreaOf,
} from './named-place.ts';
import type { PlaceMeaning } from './place-meaning.ts';
import type { NamePart } from './place-text.ts';
import { countyCalled } from './postcodes.ts';
import words from './words.json' with { type: 'json' };

const SUBREGION = new RegExp(`(?:^| )(?:${words.within.join('|')})(?: |$)`);
const WORDS_MAX = 8;
const SPLITS_MAX = 2;
const SPLIT_PARTS_MAX = 3;
/** A name in a list of names alone is a city that everybody knows. */
const LISTED_PEOPLE = 100_000;

const PIECES_MAX = 10;
const UNKNOWN: PlaceMeaning = { kind: 'unknown' };

type Parts = readonly NamePart[];

/** What the parts of a text mean together. */
export function meaningOfParts(parts: Parts, places: Places): PlaceMeaning {
  const [first, second] = parts;
  if (first === undefined) return { kind: 'unknown' };
  const known = knownPlace(parts.map(({ names }) => names[0]).join(' '), places);
  if (known) return likely(known);
  const pieces = parts.map((part) => pieceOf(part, places));
  const whole =
    parts.length > PIECES_MAX ? UNKNOWN : second ? meaningOfPieces(pieces, places) : alone(pieces, places);
  if (whole.kind !== 'unknown') return whole;
  return (
    atWords(parts, places) ??
    listOf(parts, places) ??
    inRow(parts, places) ??
    besideVenue(pieces, places) ??
    mistyped(pieces, places) ??
    unclear(pieces, places)
  );
}

/** One name, with the codes that are written beside it. */
function alone([piece]: readonly Piece[], places: Places): PlaceMeaning {
  if (piece === undefined) return UNKNOWN;
  const meaning = meaningOfName(piece.part, places);
  if (piece.part.codes.length === 0) return meaning;
  const isCity = meaning.kind === 'place' || meaning.kind === 'ambiguous';
  return isCity ? (accounted(meaning, piece, [piece], places) ?? UNKNOWN) : meaning;
}

/** A city among its areas, or areas alone. */
function meaningOfPieces(pieces: readonly Piece[], places: Places): PlaceMeaning {
  let ambiguous: PlaceMeaning | undefined;
  // The city is in front as a rule, and else at the end.
  for (const piece of [pieces[0], ...pieces.slice(1).reverse()] as Piece[]) {
    if (wideAreaOf(piece.part)) continue;
    const ranges = within(besides(piece, pieces));
    const meaning =
      decideIn(piece, ranges, places) ??
      besideSame(piece, pieces, places) ??
      besideCodes(piece, pieces, places);
    const found = accounted(meaning, piece, pieces, places);
    if (found?.kind === 'place') return found;
    ambiguous ??= found;
  }
  return ambiguous ?? onlyAreas(pieces, places) ?? UNKNOWN;
}

/** The other parts; of those in front of the city none is a province. */
function besides(city: Piece, pieces: readonly Piece[]): Piece[] {
  const at = pieces.indexOf(city);
  return pieces
    .filter((piece) => piece !== city)
    .map((piece) =>
      pieces.indexOf(piece) > at ? { ...piece, areas: [...piece.areas, ...piece.provinces] } : piece,
    );
}

/**
 * A decision that accounts for every part of the text. If the place in use does not, one of its namesakes may: the
 * postcode of "15230 Frankfurt" is that of Frankfurt (Oder).
 */
function accounted(
  decision: PlaceDecision | undefined,
  city: Piece,
  pieces: readonly Piece[],
  places: Places,
): PlaceDecision | undefined {
  if (decision === undefined) return undefined;
  const isRight = (place: Place) => isAccounted(place, city, pieces, places);
  const candidates = decision.kind === 'place' ? [decision.place] : decision.candidates;
  if (candidates.every(isRight)) return decision;
  const ranges = within(besides(city, pieces));
  const others = city.part.names
    .flatMap((name) => [undefined, ...ranges].flatMap((area) => namesakes(name, places, area)))
    .filter(isRight);
  const [best, second] = [...new Map(others.map((place) => [place.locationId, place])).values()].sort(
    (a, b) => b.population - a.population,
  );
  return best && isFar(best, second, 4) ? likely(best) : undefined;
}

/** The area that a text gives beside names that nobody knows: `Ast, Bavaria, Germany`. */
export function areaIn(parts: Parts, places: Places): PlaceArea | undefined {
  return within(parts.map((part) => pieceOf(part, places)))[0];
}

/** The places that the parts may mean, where no one of them accounts for all of the text. */
function unclear(pieces: readonly Piece[], places: Places): PlaceMeaning {
  const candidates = pieces.slice(0, PIECES_MAX).flatMap((piece) => {
    const ranges = within(besides(piece, pieces));
    const decision = decideIn(piece, ranges, places) ?? decideName(piece, places);
    return decision?.kind === 'place' ? [decision.place] : (decision?.candidates ?? []);
  });
  const [first] = candidates;
  if (first === undefined) return UNKNOWN;
  return {
    kind: 'ambiguous',
    candidates: [...new Map(candidates.map((place) => [place.locationId, place])).values()],
  };
}

function decideName({ part }: Piece, places: Places): PlaceDecision | undefined {
  const meaning = part.isCode ? UNKNOWN : meaningOfName(part, places);
  return meaning.kind === 'place' || meaning.kind === 'ambiguous' ? meaning : undefined;
}

/** `Lima, Lima, Peru`: a region of the city's name may be another one than that of the city. */
function besideSame({ part }: Piece, pieces: readonly Piece[], places: Places): PlaceDecision | undefined {
  const others = pieces.filter(({ part: { names } }) => !names.some((name) => part.names.includes(name)));
  return others.length < pieces.length - 1
    ? decideIn({ part, areas: [], provinces: [] }, within(others), places)
    : undefined;
}

/** `Warsaw, MZ, Poland` and `Lyon (69)`: codes and districts say which place it is, and not where to look for it. */
function besideCodes(piece: Piece, pieces: readonly Piece[], places: Places): PlaceDecision | undefined {
  const others = pieces.filter((other) => other !== piece && !other.part.isCode);
  const ranges = within(others);
  return others.some(({ areas }) => areas.length > 0)
    ? decideIn(piece, ranges, places)
    : decideName(piece, places);
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
  const inside = areas.filter((of) => of.region !== '' && nested(of, area) !== undefined);
  const own = part.isCode ? [] : inside;
  let weak: PlaceDecision | undefined;
  for (const name of part.isArea ? part.names.slice(0, 1) : part.names) {
    const [main] = own.flatMap((region) => mainPlace(name, region, places, false) ?? []);
    if (main && isIn(main, area)) return likely(main);
    const known = knownPlace(name, places, area);
    // "LA, US" may be Louisiana.
    if (known && inside.every((region) => isIn(known, region))) return likely(known);
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
  if (wide && common === undefined) return wide;
  // "East Coast" of a country that is not the usual one.
  if (wide?.kind === 'region') return { ...wide, country: common?.country ?? wide.country };
  if (common === undefined) {
    const list = pieces.map(({ part }) => ({ parts: [part], meaning: meaningOfName(part, places) }));
    // "Berlin, CT" is neither Berlin nor two places.
    const isElsewhere = list.some(
      ({ meaning }) =>
        meaning.kind === 'place' &&
        list.some(({ meaning: area }) => 'country' in area && area.country !== meaning.place.country),
    );
    return isElsewhere ? undefined : severalOf(list, places);
  }
  const { country, region } = common;
  const own =
    county ?? pieces.find(({ part }) => part.names.some((name) => countyCalled(name) !== undefined));
  if (own) return { kind: 'region', region: own.part.text, country };
  return region === '' ? { kind: 'country', country } : { kind: 'region', region, country };
}

function severalOf(list: readonly Listed[], places: Places): PlaceMeaning {
  const [first] = list;
  const idOf = ({ meaning }: { meaning: PlaceMeaning }) =>
    meaning.kind === 'place' ? meaning.place.locationId : undefined;
  if (first && idOf(first) !== undefined && list.every((one) => idOf(one) === idOf(first)))
    return first.meaning;
  const textOf = (parts: Parts) => parts.map(({ text }) => text).join(', ');
  return severalTogether(
    list.map(({ parts, meaning }) => ({ text: textOf(parts), meaning })),
    places,
  );
}

type Several = Extract<PlaceMeaning, { kind: 'several' }>;

/** Among countries, Georgia is one too. */
export function severalTogether(parts: Several['parts'], places: Places): Several {
  const countries = parts.flatMap(({ meaning }) => (meaning.kind === 'country' ? [meaning.country] : []));
  return {
    kind: 'several',
    parts: parts.map((part) => {
      const { meaning } = part;
      if (meaning.kind !== 'region' || countries.length === 0 || countries.includes(meaning.country))
        return part;
      const [country] = areasCalled(normalise(meaning.region), places).filter(({ region }) => region === '');
      return country ? { ...part, meaning: { kind: 'country', country: country.country } } : part;
    }),
  };
}

/** `Austin TX USA`, `Germany Berlin`: areas without a comma, at the end or in front. */
function atWords(parts: Parts, places: Places, splitsLeft = SPLITS_MAX): PlaceMeaning | undefined {
  for (const [index, part] of parts.entries()) {
    const all = part.names.at(-1)?.split(' ') ?? [];
    if (all.length > WORDS_MAX) continue;
    for (let at = 1; at < all.length; at++) {
      const both = [all.slice(0, at), all.slice(at)].map((some) => partOf(some.join(' ')));
      if (both.every((half) => pieceOf(half, places).areas.length === 0)) continue;
      const split = [...parts.slice(0, index), ...both, ...parts.slice(index + 1)];
      const whole = meaningOfPieces(
        split.map((piece) => pieceOf(piece, places)),
        places,
      );
      const isWhole = whole.kind !== 'unknown' && whole.kind !== 'several';
      const isShort = splitsLeft > 1 && parts.length <= SPLIT_PARTS_MAX;
      const meaning = isWhole ? whole : isShort ? atWords(split, places, splitsLeft - 1) : undefined;
      if (meaning) return meaning;
    }
  }
  return undefined;
}

function partOf(name: string): NamePart {
  return { text: name, names: [name], codes: [], isCode: name.length === 2, isArea: false };
}

/** `Austin, TX, Denver, CO`: each of them a place. */
function listOf(given: Parts, places: Places): PlaceMeaning | undefined {
  const parts = given.flatMap((part, at) => (at > 0 ? splitAtArea(part, places) : [part]));
  const list: Listed[] = [];
  for (let at = 0; at < parts.length; ) {
    const groups = [3, 2, 1].map((size) => parts.slice(at, at + size));
    const found = groups
      .map((group) => ({ parts: group, meaning: listedMeaning(group, places) }))
      .find(({ meaning }) => meaning.kind === 'place' || meaning.kind === 'continent');
    if (found === undefined) return undefined;
    list.push(found);
    at += found.parts.length;
  }
  return list.length > 1 && isList(list) ? severalOf(list, places) : undefined;
}

interface Listed {
  readonly parts: Parts;
  readonly meaning: PlaceMeaning;
}

/** A list of two, or one that ends with its largest city, may be a town with what it is near: "Garching, München". */
function isList(list: readonly Listed[]): boolean {
  const alone = list.filter(({ parts }) => parts.length === 1);
  const people = alone.flatMap(({ meaning }) => (meaning.kind === 'place' ? [meaning.place] : []));
  if (people.every(({ population }) => population >= LISTED_PEOPLE)) return true;
  const [first] = people;
  const isRising = people.every(
    ({ population }, at) => at === 0 || population > (people[at - 1]?.population ?? 0),
  );
  const isOneCountry = people.every(({ countryCode }) => countryCode === first?.countryCode);
  return list.length > 2 && isOneCountry && !isRising;
}

/** `Owings Mills, MD Baltimore, MD`: the area of one city and the next city between two commas. */
function splitAtArea(part: NamePart, places: Places): NamePart[] {
  const all = part.names.at(-1)?.split(' ') ?? [];
  const at = [1, 2].find((size) => {
    const areas = pieceOf(partOf(all.slice(0, size).join(' ')), places).areas;
    const rest = all.slice(size).join(' ');
    return areas.length > 0 && namesakes(rest, places).length > 0;
  });
  const isWhole = at === undefined || namesakes(all.join(' '), places).length > 0;
  return isWhole
    ? [part]
    : [partOf(all.slice(0, at).join(' ')), { ...partOf(all.slice(at).join(' ')), codes: part.codes }];
}

/** `Berlin Hamburg München`: nothing but cities that everybody knows, without separators, in one country. */
function inRow(parts: Parts, places: Places): PlaceMeaning | undefined {
  const [part, second] = parts;
  const all = part?.names[0]?.split(' ') ?? [];
  if (second !== undefined || all.length < 2) return undefined;
  const list: Listed[] = [];
  for (let at = 0; at < all.length; ) {
    const sizes = [4, 3, 2, 1].filter((size) => at + size <= all.length);
    const found = sizes
      .map((size) => ({ size, parts: [partOf(all.slice(at, at + size).join(' '))] }))
      .map((group) => ({ ...group, meaning: listedMeaning(group.parts, places) }))
      .find(({ meaning }) => meaning.kind === 'place');
    if (found === undefined) return undefined;
    list.push(found);
    at += found.size;
  }
  const countries = new Set(
    list.map(({ meaning }) => (meaning.kind === 'place' ? meaning.place.countryCode : '')),
  );
  return list.length > 1 && countries.size === 1 ? severalOf(list, places) : undefined;
}

function listedMeaning(parts: Parts, places: Places): PlaceMeaning {
  const [first, second] = parts;
  if (first === undefined || second)
    return meaningOfPieces(
      parts.map((part) => pieceOf(part, places)),
      places,
    );
  const meaning = wideAreaOf(first) ?? meaningOfName({ ...first, names: first.names.slice(0, 1) }, places);
  return meaning;
}

/** `Domain Tower, Austin, TX`: a city followed by its area, beside a name that is no place's. */
function besideVenue(pieces: readonly Piece[], places: Places): PlaceMeaning | undefined {
  if (pieces.length > PIECES_MAX) return undefined;
  for (const [at, city] of pieces.entries()) {
    const [area] = within(pieces.filter((piece) => piece !== city));
    if (area === undefined || city.part.isCode || (pieces[at + 1]?.areas.length ?? 0) === 0) continue;
    const decision = decideInArea(city, area, places);
    if (decision?.kind !== 'place') continue;
    const left = leftOver(decision.place, city, pieces, places);
    if (left.every((piece) => piece.areas.length === 0 && isVenue(piece, area, places)))
      return likely(decision.place);
  }
  return undefined;
}

/**
 * `San Fransisco, CA`: one or two letters from the name of one far larger place in the area that is given. Only names
 * with the same first letter are compared, which takes a millisecond.
 */
function mistyped(pieces: readonly Piece[], places: Places): PlaceMeaning | undefined {
  const [first, ...rest] = pieces;
  const name = first?.part.names.at(-1) ?? '';
  const editsMax = name.length < 8 ? 1 : 2;
  if (first === undefined || name.length < 5) return undefined;
  for (const area of within(rest)) {
    const near = places
      .nearest([name, area.region, area.country].filter(Boolean).join(', '), 5, { namesLeft: 1 })
      .filter((place) => isIn(place, area) && editDistance(normalise(place.city), name) <= editsMax)
      .sort((a, b) => b.population - a.population);
    const [best, second] = near;
    // "Austin, CA" is no misspelt Tustin.
    const [namesake] = places.named(name).official;
    const isClear = best && best.population >= 20_000 && isFar(best, second, 5) && isFar(best, namesake, 3);
    if (isClear && isAccounted(best, first, pieces, places)) return likely(best);
  }
  return undefined;
}
