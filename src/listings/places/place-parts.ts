import { editDistance } from '../../contract/nearest.ts';
import { normalise, type Places } from '../../contract/place-names.ts';
import { isAccounted, type Piece, pieceOf, piecesOf } from './explained.ts';
import {
  decide,
  GREAT_CITY_PEOPLE,
  isFar,
  isIn,
  KNOWN_PEOPLE,
  knownPlace,
  likely,
  meaningOfName,
  namesakes,
  wideAreaOf,
} from './named-place.ts';
import type { PlaceMeaning } from './place-meaning.ts';
import {
  accounted,
  besideVenue,
  meaningOfPieces,
  PIECES_MAX,
  UNKNOWN,
  unclear,
  within,
} from './place-pieces.ts';
import { type NamePart, shorterNames } from './place-text.ts';
import { severalTogether } from './several.ts';

const WORDS_MAX = 8;
const SPLITS_MAX = 2;
const SPLIT_PARTS_MAX = 3;

type Parts = readonly NamePart[];

/** What the parts of a text mean together. */
export function meaningOfParts(parts: Parts, places: Places): PlaceMeaning {
  const [first, second] = parts;
  if (first === undefined) return { kind: 'unknown' };
  const known = second && knownPlace(parts.map(({ names }) => names[0]).join(' '), places);
  if (known) return likely(known);
  const pieces = piecesOf(parts, places);
  const whole =
    parts.length > PIECES_MAX ? UNKNOWN : second ? meaningOfPieces(pieces, places) : alone(pieces, places);
  // Nobody but one place is called so: shorter names may say more.
  const isOpen = whole.kind === 'ambiguous' && whole.candidates.length === 1;
  if (whole.kind !== 'unknown' && !isOpen) return whole;
  return (
    atWords(parts, places) ??
    listOf(parts, places) ??
    inRow(parts, places) ??
    besideVenue(pieces, places) ??
    mistyped(pieces, places) ??
    (isOpen ? whole : unclear(pieces, places))
  );
}

/** A name with the codes next to it. */
function alone([piece]: readonly Piece[], places: Places): PlaceMeaning {
  if (piece === undefined) return UNKNOWN;
  const meaning = meaningOfName(piece.part, places);
  const [province] = piece.part.isCode ? [] : piece.provinces;
  if (meaning.kind === 'unknown' && province) {
    return { kind: 'region', region: piece.part.text, country: province.country };
  }
  const isCity = meaning.kind === 'place' || meaning.kind === 'ambiguous';
  return isCity ? (accounted(meaning, piece, [piece], places) ?? UNKNOWN) : meaning;
}

/** `Austin TX USA`, `Germany Berlin`: areas without a comma, at the end or in front. */
function atWords(parts: Parts, places: Places, splitsLeft = SPLITS_MAX): PlaceMeaning | undefined {
  if (parts.length > PIECES_MAX) return undefined;
  for (const [index, part] of parts.entries()) {
    const all = part.names.at(-1)?.split(' ') ?? [];
    if (all.length > WORDS_MAX) continue;
    for (let at = 1; at < all.length; at++) {
      const both = [all.slice(0, at), all.slice(at)].map((some) => partOf(some.join(' ')));
      if (both.every((half) => pieceOf(half, places).areas.length === 0)) continue;
      const split = [...parts.slice(0, index), ...both, ...parts.slice(index + 1)];
      const whole = meaningOfPieces(piecesOf(split, places), places);
      const isWhole = whole.kind !== 'unknown' && whole.kind !== 'several';
      const isShort = splitsLeft > 1 && parts.length <= SPLIT_PARTS_MAX;
      const meaning = isWhole ? whole : isShort ? atWords(split, places, splitsLeft - 1) : undefined;
      if (meaning) return meaning;
    }
  }
  return undefined;
}

function partOf(name: string): NamePart {
  return { text: name, names: shorterNames(name), codes: [], isCode: name.length === 2, isArea: false };
}

/** `Austin, TX, Denver, CO`: each of them a place. */
function listOf(given: Parts, places: Places): PlaceMeaning | undefined {
  const parts = given.flatMap((part, at) => (at > 0 ? splitAtArea(part, places) : [part]));
  const list = inGroups(parts, 3, (group) => ({
    parts: group,
    meaning: listedMeaning(group, parts.length > 2, places),
  }));
  return list && isList(list) ? severalOf(list, places) : undefined;
}

/** Groups the items into one place each, longest groups first. Undefined if an item isn't part of a place. */
function inGroups<T>(items: readonly T[], most: number, read: (group: readonly T[]) => Listed) {
  const list: Listed[] = [];
  for (let at = 0, size = most; at < items.length; size = most) {
    let found = read(items.slice(at, at + size));
    while (found.meaning.kind !== 'place' && found.meaning.kind !== 'continent' && --size > 0) {
      found = read(items.slice(at, at + size));
    }
    if (size === 0) return undefined;
    list.push(found);
    at += size;
  }
  return list.length > 1 ? list : undefined;
}

/** A list of two, or one that ends with its largest city, may be a town and a city near it: "Garching, München". */
function isList(list: readonly Listed[]): boolean {
  const alone = list.filter(({ parts }) => parts.length === 1);
  const people = alone.flatMap(({ meaning }) => (meaning.kind === 'place' ? [meaning.place] : []));
  const [first] = people;
  const isOneCountry = people.every(({ countryCode }) => countryCode === first?.countryCode);
  if (people.every(({ population }) => population >= KNOWN_PEOPLE)) return true;
  const isRising = people.every(
    ({ population }, at) => at === 0 || population > (people[at - 1]?.population ?? 0),
  );
  return list.length > 2 && isOneCountry && !isRising;
}

/** The area of one city and the name of the next between two commas: `Owings Mills, MD Baltimore, MD`. */
function splitAtArea(part: NamePart, places: Places): NamePart[] {
  const all = (part.names[part.codes.length > 0 ? 1 : 0] ?? '').split(' ');
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

/** Only well-known cities in one country, without separators: `Berlin Hamburg München`. */
function inRow(parts: Parts, places: Places): PlaceMeaning | undefined {
  const [part, second] = parts;
  const all = part?.names[0]?.split(' ') ?? [];
  if (second !== undefined) return undefined;
  const list = inGroups(all, 4, (group) => {
    const parts = [partOf(group.join(' '))];
    return { parts, meaning: listedMeaning(parts, true, places) };
  });
  const cities = list?.flatMap(({ meaning }) => (meaning.kind === 'place' ? [meaning.place] : [])) ?? [];
  const isKnown = cities.every(
    ({ population, country }) => population >= KNOWN_PEOPLE && country === cities[0]?.country,
  );
  return list && isKnown ? severalOf(list, places) : undefined;
}

interface Listed {
  readonly parts: Parts;
  readonly meaning: PlaceMeaning;
}

function severalOf(list: readonly Listed[], places: Places): PlaceMeaning {
  const named = list.map(({ parts, meaning }) => ({
    text: parts.map(({ text }) => text).join(', '),
    meaning,
  }));
  return severalTogether(named, places);
}

function listedMeaning(parts: Parts, isLong: boolean, places: Places): PlaceMeaning {
  const [first, second] = parts;
  if (first === undefined || second) return meaningOfPieces(piecesOf(parts, places), places);
  const meaning = wideAreaOf(first) ?? meaningOfName(first, places);
  // "NY" among cities is New York.
  const city =
    meaning.kind === 'region' && isLong
      ? decide(normalise(meaning.region), places, undefined, false)
      : undefined;
  return city?.kind === 'place' && city.place.population >= GREAT_CITY_PEOPLE ? city : meaning;
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
