import { editDistance } from '../../text/edit-distance.ts';
import { normalise, type Place, type Places } from '../place-names.ts';
import { findUnexplained, type Piece, toPiece, toPieces } from './explained.ts';
import {
  decidePlace,
  findKnownPlace,
  findNameMeaning,
  findWideArea,
  GREAT_CITY_PEOPLE,
  isFar,
  isInArea,
  KNOWN_PEOPLE,
  listNamesakes,
  toLikely,
} from './named-place.ts';
import type { PlaceMeaning } from './place-meaning.ts';
import {
  findBesideVenue,
  findFullMatch,
  findPiecesMeaning,
  intersectAreas,
  PIECES_MAX,
  toAmbiguous,
  UNKNOWN,
} from './place-pieces.ts';
import { type NamePart, shorterNames } from './place-text.ts';
import { resolveList, type Several } from './several.ts';
import { listCitiesOfDistrict } from './subdivisions.ts';

const WORDS_MAX = 8;
const SPLITS_MAX = 2;
const SPLIT_PARTS_MAX = 3;

type Parts = readonly NamePart[];
type Listed = Several['parts'][number];

export function findPartsMeaning(parts: Parts, places: Places): PlaceMeaning {
  const pieces = toPieces(parts, places);
  const [first, second] = pieces;
  if (first === undefined) return UNKNOWN;
  const known = second && findKnownPlace(parts.map(({ names }) => names[0]).join(' '), places);
  if (known) return toLikely(known);
  const decide = () => (second ? findPiecesMeaning(pieces, places) : findSoleMeaning(first, places));
  const whole = parts.length > PIECES_MAX ? UNKNOWN : decide();
  // If there is only one uncertain candidate, a shorter form of the name may be a better match.
  const isOpen = whole.kind === 'ambiguous' && whole.candidates.length === 1;
  if (whole.kind !== 'unknown' && !isOpen) return whole;
  return (
    findUnseparated(parts, places) ??
    findListMeaning(parts, places) ??
    findRowMeaning(parts, places) ??
    findBesideVenue(pieces, places) ??
    findCityOfDistrict(pieces, places) ??
    correctTypo(pieces, places) ??
    (isOpen ? whole : toAmbiguous(pieces, places))
  );
}

function findSoleMeaning(piece: Piece, places: Places): PlaceMeaning {
  const meaning = findNameMeaning(piece.part, places);
  const [province] = piece.part.isCode ? [] : piece.provinces;
  if (meaning.kind === 'unknown' && province) {
    return { kind: 'region', region: piece.part.text, country: province.country };
  }
  const isCity = meaning.kind === 'place' || meaning.kind === 'ambiguous';
  return isCity ? (findFullMatch(meaning, piece, [piece], places) ?? UNKNOWN) : meaning;
}

/** Separates areas if the comma is missing, at the end or the beginning: `Austin TX USA`, `Germany Berlin`. */
function findUnseparated(parts: Parts, places: Places, splitsLeft = SPLITS_MAX): PlaceMeaning | undefined {
  if (parts.length > PIECES_MAX) return undefined;
  for (const [index, part] of parts.entries()) {
    const all = part.names.at(-1)?.split(' ') ?? [];
    if (all.length > WORDS_MAX || places.named(all.join(' ')).official.length > 0) continue;
    for (let at = 1; at < all.length; at++) {
      const both = [all.slice(0, at), all.slice(at)].map((some) => createPart(some.join(' ')));
      if (both.every((half) => toPiece(half, places).areas.length === 0)) continue;
      const split = [...parts.slice(0, index), ...both, ...parts.slice(index + 1)];
      const whole = findPiecesMeaning(toPieces(split, places), places);
      const isWhole = whole.kind !== 'unknown' && whole.kind !== 'several';
      const isShort = splitsLeft > 1 && parts.length <= SPLIT_PARTS_MAX;
      const meaning = isWhole ? whole : isShort ? findUnseparated(split, places, splitsLeft - 1) : undefined;
      if (meaning) return meaning;
    }
  }
  return undefined;
}

function createPart(name: string): NamePart {
  return { text: name, names: shorterNames(name), codes: [], isCode: name.length === 2, isArea: false };
}

function findListMeaning(given: Parts, places: Places): PlaceMeaning | undefined {
  const parts = given.flatMap((part, at) => (at > 0 ? splitAtArea(part, places) : [part]));
  const list = readGroups(parts, 3, (group) => readEntry(group, parts.length > 2, places));
  return list && isList(list) ? resolveList(list, places) : undefined;
}

function readGroups<T>(items: T[], most: number, read: (group: T[]) => Listed): Listed[] | undefined {
  if (items.length === 0) return [];
  for (let size = most; size > 0; size--) {
    const found = read(items.slice(0, size));
    if (found.meaning.kind !== 'place' && found.meaning.kind !== 'continent') continue;
    const others = readGroups(items.slice(size), most, read);
    return others && [found, ...others];
  }
  return undefined;
}

/** False if a city may follow its town or district: "Garching, München", "East London, London". */
function isList(list: readonly Listed[]): boolean {
  const isDistrict = list.some(({ text, meaning }, at) => {
    const next = list[at + 1]?.meaning;
    if (meaning.kind !== 'place' || next?.kind !== 'place') return false;
    const isCalledAfter = normalise(text).endsWith(` ${normalise(next.place.city)}`);
    return isCalledAfter && meaning.place.country !== next.place.country;
  });
  if (isDistrict) return false;
  const alone = list.filter(({ text }) => !text.includes(', '));
  const people = alone.flatMap(({ meaning }) => (meaning.kind === 'place' ? [meaning.place] : []));
  const [first] = people;
  const isOneCountry = people.every(({ countryCode }) => countryCode === first?.countryCode);
  if (people.every(({ population }) => population >= KNOWN_PEOPLE)) return list.length > 1;
  const isRising = people.every(
    ({ population }, at) => at === 0 || population > (people[at - 1]?.population ?? 0),
  );
  return list.length > 2 && isOneCountry && !isRising;
}

/** Separates an area from the next city if the comma is missing: `Owings Mills, MD Baltimore, MD`. */
function splitAtArea(part: NamePart, places: Places): NamePart[] {
  const all = (part.names[part.codes.length > 0 ? 1 : 0] ?? '').split(' ');
  const at = [1, 2].find((size) => {
    const areas = toPiece(createPart(all.slice(0, size).join(' ')), places).areas;
    const rest = all.slice(size).join(' ');
    return areas.length > 0 && listNamesakes(rest, places).length > 0;
  });
  const isWhole = at === undefined || listNamesakes(all.join(' '), places).length > 0;
  return isWhole
    ? [part]
    : [createPart(all.slice(0, at).join(' ')), { ...createPart(all.slice(at).join(' ')), codes: part.codes }];
}

/** Matches well-known cities of one country, joined by spaces or hyphens: `Berlin Hamburg`, `Dallas-Fort Worth, TX`. */
function findRowMeaning([row, ...areas]: Parts, places: Places): PlaceMeaning | undefined {
  if (toPieces(areas, places).some((piece) => piece.areas.length === 0)) return undefined;
  const list = readGroups(row?.names[0]?.split(' ') ?? [], 4, (group) =>
    readEntry([createPart(group.join(' ')), ...areas], true, places),
  );
  const cities = list?.flatMap(({ meaning }) => (meaning.kind === 'place' ? [meaning.place] : [])) ?? [];
  const isKnown = cities.every(
    ({ population, country }) => population >= KNOWN_PEOPLE && country === cities[0]?.country,
  );
  return list?.[1] && isKnown ? resolveList(list, places) : undefined;
}

function readEntry(parts: Parts, isLong: boolean, places: Places): Listed {
  const [first, second] = parts;
  const text = parts.map((part) => part.text).join(', ');
  if (first === undefined || second)
    return { text, meaning: findPiecesMeaning(toPieces(parts, places), places) };
  const meaning = findWideArea(first) ?? findNameMeaning(first, places);
  // In a list of cities, "NY" means New York City.
  const city =
    meaning.kind === 'region' && isLong
      ? decidePlace(normalise(meaning.region), places, undefined, false)
      : undefined;
  const isGreat = city?.kind === 'place' && city.place.population >= GREAT_CITY_PEOPLE;
  return { text, meaning: isGreat ? city : meaning };
}

/** Finds the city of a district whose name is unique in its area: `Sandton, South Africa`. */
function findCityOfDistrict(pieces: readonly Piece[], places: Places): PlaceMeaning | undefined {
  const [district, ...rest] = pieces as readonly [Piece, ...Piece[]];
  const [area] = intersectAreas(rest);
  const cities = listCitiesOfDistrict(district.part.names, places);
  const candidates = cities.filter((city) => area && isInArea(city, area));
  const [city, second] = candidates;
  const decision = second ? ({ kind: 'ambiguous', candidates } as const) : city && toLikely(city);
  return findFullMatch(decision, district, pieces, places);
}

/** Corrects one or two letters of a name (`San Fransisco, CA`) if one far larger place in the area matches. */
function correctTypo(pieces: readonly Piece[], places: Places): PlaceMeaning | undefined {
  const [first, ...rest] = pieces;
  const name = first?.part.names.at(-1) ?? '';
  if (first === undefined || name.length < 5) return undefined;
  for (const area of intersectAreas(rest)) {
    const near = places
      .nearest([name, area.region, area.country].filter(Boolean).join(', '), 5, { namesLeft: 1 })
      .filter((place) => isInArea(place, area) && isTypo(name, place))
      .sort((a, b) => b.population - a.population);
    const [best, second] = near;
    // Keeps "Austin, CA" from matching Tustin.
    const [namesake] = places.named(name).official;
    const isClear = best && best.population >= 20_000 && isFar(best, second, 5) && isFar(best, namesake, 3);
    if (isClear && findUnexplained(best, first, pieces, places).length === 0) return toLikely(best);
  }
  return undefined;
}

/** Two edits that replace a consonant probably mean another place: "Kleefeld" isn't Krefeld. */
function isTypo(name: string, { city, population }: Place): boolean {
  const called = normalise(city);
  const edits = editDistance(called, name, 2);
  const [given = '', own = ''] = [name, called].map((text) => text.replace(/[aeiouy ]|(.)(?=\1)/g, ''));
  const isAlike = given === own || (given.length !== own.length && editDistance(given, own, 1) === 1);
  return edits < 2 || (edits === 2 && name.length >= 8 && population >= 50_000 && isAlike);
}
