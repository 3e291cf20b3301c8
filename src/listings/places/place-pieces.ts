import { normalise, type Place, type PlaceArea, type Places } from '../../contract/place-names.ts';
import { isAccounted, isVenue, leftOver, type Piece, piecesOf, SUBREGION } from './explained.ts';
import {
  decide,
  GREAT_CITY_PEOPLE,
  isFar,
  isFirstAnArea,
  isIn,
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
import { severalTogether } from './several.ts';
import { countyCalled } from './subdivisions.ts';

export const PIECES_MAX = 10;
export const UNKNOWN: PlaceMeaning = { kind: 'unknown' };

/** A city with its areas, or only areas. */
export function meaningOfPieces(pieces: readonly Piece[], places: Places): PlaceMeaning {
  let ambiguous: PlaceMeaning | undefined;
  // The city is usually first, otherwise last.
  for (const piece of [pieces[0], ...pieces.slice(1).reverse()] as Piece[]) {
    if (wideAreaOf(piece.part)) continue;
    const ranges = within(besides(piece, pieces));
    const meaning = decideIn(piece, ranges, places) ?? besideCodes(piece, pieces, places);
    const found = accounted(meaning, piece, pieces, places);
    if (found?.kind === 'place') return found;
    ambiguous ??= found;
  }
  return ambiguous ?? onlyAreas(pieces, places) ?? UNKNOWN;
}

/** The other parts. Parts before the city are never provinces. */
function besides(city: Piece, pieces: readonly Piece[]): Piece[] {
  const at = pieces.indexOf(city);
  return pieces
    .filter((piece) => piece !== city)
    .map((piece) =>
      pieces.indexOf(piece) > at ? { ...piece, areas: [...piece.areas, ...piece.provinces] } : piece,
    );
}

/**
 * A match that explains every part of the text. If the usual place doesn't, another place with the same name may.
 * For example, the postcode in "15230 Frankfurt" belongs to Frankfurt (Oder).
 */
export function accounted(
  decision: PlaceDecision | undefined,
  city: Piece,
  pieces: readonly Piece[],
  places: Places,
): PlaceDecision | undefined {
  if (decision === undefined) return undefined;
  const isRight = (place: Place) => isAccounted(place, city, pieces, places);
  const candidates = decision.kind === 'place' ? [decision.place] : decision.candidates;
  const ranges = within(besides(city, pieces));
  if (candidates.every(isRight))
    return decision.kind === 'place' ? unlessObscure(decision, city, ranges, places) : decision;
  const others = city.part.names
    .flatMap((name) =>
      [undefined, ...ranges, ...countryOfCode(city.part, places)].flatMap((area) =>
        namesakes(name, places, area),
      ),
    )
    .filter(
      (place) =>
        isRight(place) && (decision.kind === 'ambiguous' || place.countryCode === decision.place.countryCode),
    );
  const [best, second] = distinct(others).sort((a, b) => b.population - a.population);
  return best && isFar(best, second, 4) ? unlessObscure(likely(best), city, ranges, places) : undefined;
}

/** "Porto, Spain" probably doesn't mean the village with 200 residents. */
function unlessObscure(
  decision: Extract<PlaceDecision, { kind: 'place' }>,
  city: Piece,
  ranges: readonly PlaceArea[],
  places: Places,
): PlaceDecision {
  const { place } = decision;
  const area = ranges.find((range) => isIn(place, range));
  const elsewhere = place.population < 5_000 && area?.region === '' ? decideName(city, places) : undefined;
  const isObscure = elsewhere?.kind === 'place' && isFar(elsewhere.place, place, 50);
  return isObscure ? { kind: 'ambiguous', candidates: distinct([place, elsewhere.place]) } : decision;
}

function distinct(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [place.locationId, place])).values()];
}

/** The area next to unknown names in a text: `Ast, Bavaria, Germany`. */
export function areaIn(parts: readonly NamePart[], places: Places): PlaceArea | undefined {
  return within(piecesOf(parts, places))[0];
}

/** Possible places for the parts, if none of them explains the whole text. */
export function unclear(pieces: readonly Piece[], places: Places): PlaceMeaning {
  const candidates = pieces.slice(0, PIECES_MAX).flatMap((piece) => {
    const ranges = within(besides(piece, pieces));
    const isBare = besides(piece, pieces).every(({ areas }) => areas.length === 0);
    const decision = isBare ? decideName(piece, places) : decideIn(piece, ranges, places);
    return decision?.kind === 'place' ? [decision.place] : (decision?.candidates ?? []);
  });
  return candidates.length > 0 ? { kind: 'ambiguous', candidates: distinct(candidates) } : UNKNOWN;
}

function decideName({ part }: Piece, places: Places): PlaceDecision | undefined {
  const meaning = part.isCode ? UNKNOWN : meaningOfName(part, places);
  return meaning.kind === 'place' || meaning.kind === 'ambiguous' ? meaning : undefined;
}

/** Codes and districts identify a place but don't define a search area (`Warsaw, MZ, Poland`, `Lyon (69)`). */
function besideCodes(piece: Piece, pieces: readonly Piece[], places: Places): PlaceDecision | undefined {
  const others = pieces.filter((other) => other !== piece && !other.part.isCode);
  const ranges = within(others);
  const decision = decideIn(piece, ranges, places);
  return (
    decision ?? (ranges.length === 0 || piece.areas.length === 0 ? decideName(piece, places) : undefined)
  );
}

/** Areas in common. Regions come before countries, and United States regions come first. */
export function within(pieces: readonly Piece[]): PlaceArea[] {
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
  // "London, CA" probably doesn't mean the town with 1,900 residents.
  const greater = decisions.flatMap((other) =>
    other.kind === 'place' && other.place.locationId !== found.place.locationId ? [other.place] : [],
  );
  const [rival] = greater.filter((place) => isFar(place, found.place, 50));
  return rival ? { kind: 'ambiguous', candidates: [found.place, rival] } : found;
}

function decideInArea({ part, areas }: Piece, area: PlaceArea, places: Places): PlaceDecision | undefined {
  const inside = areas.filter((of) => of.region !== '' && nested(of, area) !== undefined);
  const own = part.isCode ? [] : inside;
  for (const name of part.isArea ? part.names.slice(0, 1) : part.names) {
    const [main] = own.flatMap((region) => mainPlace(name, region, places, false) ?? []);
    if (main && isIn(main, area)) return likely(main);
    const known = knownPlace(name, places, area);
    // "LA, US" may be Louisiana.
    if (known && inside.every((region) => isIn(known, region))) return likely(known);
    const decision = part.isCode ? undefined : decide(name, places, area, false);
    if (decision === undefined) continue;
    if (own.length === 0 && !areas.some(isFirstAnArea)) return decision;
    if (decision.kind !== 'place' || !isOfficial(name, decision.place, area, places)) continue;
    // "Mexico, Missouri" and "Victoria, Canada" are cities, and "Georgia, United States" is a state.
    const isElsewhere =
      own.length === 0 && areas.every(({ region, country }) => region !== '' || normalise(country) !== name);
    if (isElsewhere || area.region !== '' || decision.place.population >= GREAT_CITY_PEOPLE) return decision;
  }
  return undefined;
}

function isOfficial(name: string, { locationId }: Place, area: PlaceArea, places: Places): boolean {
  return places.named(name, area).official.some((place) => place.locationId === locationId);
}

/** `Texas, USA` and `Cook County, IL` are one area each. `US, Canada` is two. */
function onlyAreas(all: readonly Piece[], places: Places): PlaceMeaning | undefined {
  // The countries in "LATAM (Argentina, Brazil)" are more specific.
  const named = all.filter(({ part, areas }) => areas.length > 0 || wideAreaOf(part)?.kind !== 'continent');
  const pieces = named.length > 0 ? named : all;
  const county = pieces.find(
    ({ part, areas }) =>
      areas.length === 0 && / /.test(part.names[0] ?? '') && SUBREGION.test(part.names[0] ?? ''),
  );
  const isArea = (piece: Piece) =>
    piece === county || piece.areas.length > 0 || wideAreaOf(piece.part) !== undefined;
  if (!pieces.every(isArea)) return undefined;
  const [common] = within(pieces);
  const [wide] = pieces.flatMap(({ part }) => wideAreaOf(part) ?? []);
  // "East Coast" can be in a country other than the usual one.
  if (wide?.kind === 'region') return { ...wide, country: common?.country ?? wide.country };
  if (common === undefined) {
    const list = pieces.map(({ part }) => ({ text: part.text, meaning: meaningOfName(part, places) }));
    // "Berlin, CT" doesn't mean Berlin in Germany, and it isn't a list of two places.
    const isElsewhere = list.some(
      ({ meaning }) =>
        meaning.kind === 'place' &&
        list.some(({ meaning: area }) => 'country' in area && area.country !== meaning.place.country),
    );
    return isElsewhere ? undefined : severalTogether(list, places);
  }
  const { country, region } = common;
  const own =
    county ?? pieces.find(({ part }) => part.names.some((name) => countyCalled(name) !== undefined));
  if (own) return { kind: 'region', region: own.part.text, country };
  return region === '' ? { kind: 'country', country } : { kind: 'region', region, country };
}

/** A city followed by its area, next to a name that isn't a place: `Domain Tower, Austin, TX`. */
export function besideVenue(pieces: readonly Piece[], places: Places): PlaceMeaning | undefined {
  if (pieces.length > PIECES_MAX) return undefined;
  for (const [at, city] of pieces.entries()) {
    const isBehind = (pieces[at + 1]?.areas.length ?? 0) > 0;
    const [area] = isBehind ? within(besides(city, pieces)) : countryOfCode(city.part, places);
    if (area === undefined || city.part.isCode) continue;
    const decision = accounted(decideInArea(city, area, places), city, [city], places);
    if (decision?.kind !== 'place') continue;
    const left = leftOver(decision.place, city, pieces, places);
    if (left.every((piece) => piece.areas.length === 0 && isVenue(piece, decision.place, area, places)))
      return likely(decision.place);
  }
  return undefined;
}

/** A British postcode shows where a city is. */
function countryOfCode({ codes }: NamePart, places: Places): PlaceArea[] {
  return codes.some((code) => /^[A-Z]{1,2}\d.* /.test(code)) ? places.areas('united kingdom') : [];
}
