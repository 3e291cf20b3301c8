import { normalise, type Place, type PlaceArea, type Places } from '../place-names.ts';
import { findUnexplained, isVenue, type Piece, SUBREGION } from './explained.ts';
import {
  decidePlace,
  findKnownPlace,
  findMainPlace,
  findNameMeaning,
  findWideArea,
  GREAT_CITY_PEOPLE,
  isFar,
  isFirstAnArea,
  isInArea,
  listNamesakes,
  type PlaceDecision,
  toLikely,
} from './named-place.ts';
import type { PlaceMeaning } from './place-meaning.ts';
import type { NamePart } from './place-text.ts';
import { resolveList } from './several.ts';
import { findCounty, listCitiesOfDistrict } from './subdivisions.ts';

export const PIECES_MAX = 10;
export const UNKNOWN: PlaceMeaning = { kind: 'unknown' };

export function findPiecesMeaning(pieces: readonly Piece[], places: Places): PlaceMeaning {
  let ambiguous: PlaceMeaning | undefined;
  // Tries the first part, then the others from the end, because a city is usually first, otherwise last.
  for (const piece of [pieces[0], ...pieces.slice(1).reverse()] as Piece[]) {
    if (findWideArea(piece.part)) continue;
    const ranges = intersectAreas(listOthers(piece, pieces));
    const meaning = decideInAreas(piece, ranges, places) ?? decideBesideCodes(piece, pieces, places);
    const found = findFullMatch(meaning, piece, pieces, places);
    if (found?.kind === 'place') return found;
    ambiguous ??= found;
  }
  return ambiguous ?? findAreaMeaning(pieces, places) ?? UNKNOWN;
}

function listOthers(city: Piece, pieces: readonly Piece[]): Piece[] {
  const at = pieces.indexOf(city);
  return pieces
    .filter((piece) => piece !== city)
    .map((piece) =>
      pieces.indexOf(piece) > at ? { ...piece, areas: [...piece.areas, ...piece.provinces] } : piece,
    );
}

/**
 * Returns a match that explains every part of the text. If the likeliest place doesn't, tries others with the same
 * name. For example, the postcode in "15230 Frankfurt" belongs to Frankfurt (Oder).
 */
export function findFullMatch(
  decision: PlaceDecision | undefined,
  city: Piece,
  pieces: readonly Piece[],
  places: Places,
): PlaceDecision | undefined {
  if (decision === undefined) return undefined;
  const isRight = (place: Place) => findUnexplained(place, city, pieces, places).length === 0;
  const candidates = decision.kind === 'place' ? [decision.place] : decision.candidates;
  const ranges = intersectAreas(listOthers(city, pieces));
  if (candidates.every(isRight))
    return decision.kind === 'place' ? checkObscure(decision, city, ranges, places) : decision;
  const { names } = city.part;
  // "Noida" isn't a short form of "Greater Noida".
  const isWhole = places.named(names[0] ?? '').official.length > 0;
  const others = (isWhole ? names.slice(0, 1) : names)
    .flatMap((name) =>
      [undefined, ...ranges, ...findCountryOfCode(city.part, places)].flatMap((area) =>
        listNamesakes(name, places, area),
      ),
    )
    .filter(
      (place) =>
        isRight(place) && (decision.kind === 'ambiguous' || place.countryCode === decision.place.countryCode),
    );
  const [best, second] = dropDuplicates(others).sort((a, b) => b.population - a.population);
  return best && isFar(best, second, 4) ? checkObscure(toLikely(best), city, ranges, places) : undefined;
}

/** "Porto, Spain" may not mean the village, nor "Rosebank, South Africa" the suburb of Cape Town. */
function checkObscure(
  decision: Extract<PlaceDecision, { kind: 'place' }>,
  city: Piece,
  ranges: readonly PlaceArea[],
  places: Places,
): PlaceDecision {
  const { place } = decision;
  const area = ranges.find((range) => isInArea(place, range));
  if (area?.region) return decision;
  const elsewhere = place.population < 5_000 && area ? decideName(city, places) : undefined;
  const cities = listCitiesOfDistrict(city.part.names, places).filter(
    (other) => other.country === place.country && other.stateProvince !== place.stateProvince,
  );
  const rivals = elsewhere?.kind === 'place' ? [elsewhere.place, ...cities] : cities;
  const candidates = dropDuplicates([place, ...rivals.filter((rival) => isFar(rival, place, 50))]);
  return candidates.length > 1 ? { kind: 'ambiguous', candidates } : decision;
}

function dropDuplicates(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [place.locationId, place])).values()];
}

export function toAmbiguous(pieces: readonly Piece[], places: Places): PlaceMeaning {
  const candidates = pieces.slice(0, PIECES_MAX).flatMap((piece) => {
    const ranges = intersectAreas(listOthers(piece, pieces));
    const isBare = listOthers(piece, pieces).every(({ areas }) => areas.length === 0);
    const decision = isBare ? decideName(piece, places) : decideInAreas(piece, ranges, places);
    return decision?.kind === 'place' ? [decision.place] : (decision?.candidates ?? []);
  });
  return candidates.length > 0 ? { kind: 'ambiguous', candidates: dropDuplicates(candidates) } : UNKNOWN;
}

function decideName({ part }: Piece, places: Places): PlaceDecision | undefined {
  const meaning = part.isCode ? UNKNOWN : findNameMeaning(part, places);
  return meaning.kind === 'place' || meaning.kind === 'ambiguous' ? meaning : undefined;
}

/** Searches without codes, which confirm a place but don't define a search area (`Warsaw, MZ, Poland`). */
function decideBesideCodes(piece: Piece, pieces: readonly Piece[], places: Places) {
  const others = pieces.filter((other) => other !== piece && !other.part.isCode);
  const ranges = intersectAreas(others);
  const decision = decideInAreas(piece, ranges, places);
  return (
    decision ?? (ranges.length === 0 || piece.areas.length === 0 ? decideName(piece, places) : undefined)
  );
}

export function intersectAreas(pieces: readonly Piece[]): PlaceArea[] {
  const [first = [], ...others] = pieces.map(({ areas }) => areas).filter((areas) => areas.length > 0);
  const common = others.reduce<readonly PlaceArea[]>(
    (ranges, areas) => ranges.flatMap((range) => areas.flatMap((area) => findInnerArea(range, area) ?? [])),
    first,
  );
  return [...common].sort((a, b) => rankArea(a) - rankArea(b));
}

function findInnerArea(a: PlaceArea, b: PlaceArea): PlaceArea | undefined {
  if (a.first >= b.first && a.end <= b.end) return a;
  return b.first >= a.first && b.end <= a.end ? b : undefined;
}

function rankArea({ region, countryCode }: PlaceArea): number {
  if (region === '') return 2;
  return countryCode === 'US' ? 0 : 1;
}

function decideInAreas(
  piece: Piece,
  ranges: readonly PlaceArea[],
  places: Places,
): PlaceDecision | undefined {
  const decisions = ranges.flatMap((area) => decideInArea(piece, area, places) ?? []);
  const [found] = decisions;
  if (found?.kind !== 'place' || found.place.population >= 5_000) return found;
  // "London, CA" probably doesn't mean the town with 1,900 residents.
  const greater = decisions.flatMap((other) =>
    other.kind === 'place' && other.place.locationId !== found.place.locationId ? [other.place] : [],
  );
  const [rival] = greater.filter((place) => isFar(place, found.place, 50));
  // "Juárez, Mexico" means the country, not its state with the same name.
  if (rival?.country === found.place.country) return toLikely(rival);
  return rival ? { kind: 'ambiguous', candidates: [found.place, rival] } : found;
}

function decideInArea({ part, areas }: Piece, area: PlaceArea, places: Places): PlaceDecision | undefined {
  const inside = areas.filter((of) => of.region !== '' && findInnerArea(of, area) !== undefined);
  const own = part.isCode ? [] : inside;
  for (const name of part.isArea ? part.names.slice(0, 1) : part.names) {
    const [main] = own.flatMap((region) => findMainPlace(name, region, places, false) ?? []);
    if (main && isInArea(main, area)) return toLikely(main);
    const known = findKnownPlace(name, places, area);
    // Skips a nickname that may also be a region's code: "LA, US" may mean Louisiana.
    if (known && inside.every((region) => isInArea(known, region))) return toLikely(known);
    const decision = part.isCode ? undefined : decidePlace(name, places, area, false);
    if (decision === undefined) continue;
    if (own.length === 0 && !areas.some(isFirstAnArea)) return decision;
    const isOfficial = ({ locationId }: Place) =>
      places.named(name, area).official.some((place) => place.locationId === locationId);
    if (decision.kind !== 'place' || !isOfficial(decision.place)) continue;
    // "Mexico, Missouri" and "Victoria, Canada" are cities, and "Georgia, United States" is a state.
    const isElsewhere =
      own.length === 0 && areas.every(({ region, country }) => region !== '' || normalise(country) !== name);
    if (isElsewhere || area.region !== '' || decision.place.population >= GREAT_CITY_PEOPLE) return decision;
  }
  return undefined;
}

/** Resolves a text without a city. `Texas, USA` and `Cook County, IL` are one area each. `US, Canada` is two. */
function findAreaMeaning(all: readonly Piece[], places: Places): PlaceMeaning | undefined {
  // Ignores a continent next to countries, which are more specific: "LATAM (Argentina, Brazil)".
  const named = all.filter(({ part, areas }) => areas.length > 0 || findWideArea(part)?.kind !== 'continent');
  const pieces = named.length > 0 ? named : all;
  const county = pieces.find(
    ({ part, areas }) =>
      areas.length === 0 && / /.test(part.names[0] ?? '') && SUBREGION.test(part.names[0] ?? ''),
  );
  const isArea = (piece: Piece) =>
    piece === county || piece.areas.length > 0 || findWideArea(piece.part) !== undefined;
  if (!pieces.every(isArea)) return undefined;
  const [common] = intersectAreas(pieces);
  const [wide] = pieces.flatMap(({ part }) => findWideArea(part) ?? []);
  // A country in the text overrides the default country of a region such as "East Coast".
  if (wide?.kind === 'region') return { ...wide, country: common?.country ?? wide.country };
  if (common === undefined) {
    const list = pieces.map(({ part }) => ({ text: part.text, meaning: findNameMeaning(part, places) }));
    // "Berlin, CT" doesn't mean Berlin in Germany, and it isn't a list of two places.
    const isElsewhere = list.some(
      ({ meaning }) =>
        meaning.kind === 'place' &&
        list.some(({ meaning: area }) => 'country' in area && area.country !== meaning.place.country),
    );
    return isElsewhere ? undefined : resolveList(list, places);
  }
  const { country, region } = common;
  const own = county ?? pieces.find(({ part }) => part.names.some((name) => findCounty(name) !== undefined));
  if (own) return { kind: 'region', region: own.part.text, country };
  return region === '' ? { kind: 'country', country } : { kind: 'region', region, country };
}

/** Ignores a name that isn't a place, next to a city and its area: `Domain Tower, Austin, TX`. */
export function findBesideVenue(pieces: readonly Piece[], places: Places): PlaceMeaning | undefined {
  if (pieces.length > PIECES_MAX) return undefined;
  for (const [at, city] of pieces.entries()) {
    const isBehind = (pieces[at + 1]?.areas.length ?? 0) > 0;
    const [area] = isBehind ? intersectAreas(listOthers(city, pieces)) : findCountryOfCode(city.part, places);
    if (area === undefined || city.part.isCode) continue;
    const decision = findFullMatch(decideInArea(city, area, places), city, [city], places);
    if (decision?.kind !== 'place') continue;
    const left = findUnexplained(decision.place, city, pieces, places);
    if (left.every((piece) => piece.areas.length === 0 && isVenue(piece, decision.place, area, places)))
      return toLikely(decision.place);
  }
  return undefined;
}

/** A British postcode shows that the city is in the United Kingdom. */
function findCountryOfCode({ codes }: NamePart, places: Places): PlaceArea[] {
  return codes.some((code) => /^[A-Z]{1,2}\d.* /.test(code)) ? places.areas('united kingdom') : [];
}
