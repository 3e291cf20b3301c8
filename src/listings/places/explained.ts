import { normalise, type Place, type PlaceArea, type Places } from '../../contract/place-names.ts';
import { areasCalled, areasOf, isIn, isKnownName, KNOWN_PEOPLE, wideAreaOf } from './named-place.ts';
import type { NamePart } from './place-text.ts';
import subdivisions from './subdivisions.json' with { type: 'json' };
import { agreesWithCode, DIVIDED_CITY_PEOPLE, isDistrict, isInCounty } from './subdivisions.ts';
import words from './words.json' with { type: 'json' };

/** A part of a text and the areas it may name. */
export interface Piece {
  readonly part: NamePart;
  readonly areas: readonly PlaceArea[];
  /** Regions with a province of this name or code. Only a part after a city is one, as Bergamo is a city too. */
  readonly provinces: readonly PlaceArea[];
}

/** Names of areas that aren't in any table (`Cook County`, `powiat pruszkowski`). */
export const SUBREGION = new RegExp(
  `(?:^| )(?:${words.within.join('|')})(?: |$)|^(?:${words.areaBefore.join('|')}) `,
);

/** Maps province names and codes to regions such as `IT|Lombardy`. */
const PROVINCES = new Map(Object.entries(subdivisions.provinces));
const PROVINCE_CODES = new Map(Object.entries(subdivisions.codes));

export function pieceOf(part: NamePart, places: Places): Piece {
  const provinces = part.names
    .flatMap((name) => (part.isCode ? PROVINCE_CODES.get(name) : undefined) ?? PROVINCES.get(name) ?? [])
    .flatMap((own) => {
      const areas = places.areas(normalise(own.slice(3)));
      return areas.filter(({ countryCode, region }) => own === `${countryCode}|${region}`);
    });
  return { part, areas: areasOf(part, places), provinces };
}

export function piecesOf(parts: readonly NamePart[], places: Places): Piece[] {
  return parts.map((part) => pieceOf(part, places));
}

export function isAccounted(place: Place, city: Piece, pieces: readonly Piece[], places: Places): boolean {
  return leftOver(place, city, pieces, places).length === 0;
}

/** Parts of a text that `place` doesn't explain. Each one makes the text unclear. */
export function leftOver(place: Place, city: Piece, pieces: readonly Piece[], places: Places) {
  const given = pieces.flatMap((piece) =>
    piece === city ? [] : piece.areas.filter((area) => isIn(place, area)),
  );
  const hasRegion = given.some(({ region }) => region !== '');
  return pieces.filter((piece, index) => {
    const { part } = piece;
    if (!part.codes.every((code) => agreesWithCode(place, code))) return true;
    if (piece === city || isAddressLine(part, pieces)) return false;
    const isBehind = index > pieces.indexOf(city);
    const isOwn = part.names.some((name) => city.part.names.some((own) => name.startsWith(`${own} `)));
    if ((hasRegion || isOwn) && part.names.some((name) => SUBREGION.test(name))) return false;
    return (
      !isExplained(place, city.part, piece, isBehind, places) && !(given.length > 0 && isOwnCode(place, part))
    );
  });
}

function isExplained(place: Place, city: NamePart, piece: Piece, isBehind: boolean, places: Places): boolean {
  const { part, areas, provinces } = piece;
  const county = isInCounty(place, part.names);
  if (county !== undefined) return county;
  if (areas.some((area) => isIn(place, area))) return true;
  if (part.names.some((name) => city.names.includes(name))) return true;
  if (isBehind && provinces.some((area) => isIn(place, area) && !isDistrictIn(area, city, part, places)))
    return part.isCode || !isOtherCapital(place, part, city);
  const wide = wideAreaOf(part);
  if (wide !== undefined)
    return !('country' in wide) || wide.country === '' || wide.country === place.country;
  if (isDistrict(place, part.names)) return true;
  if (part.isCode || areas.length > 0) return false;
  return isCalled(place, part, places);
}

/** "Sandyford, Dublin" is a part of the city and not a town in the county. */
function isDistrictIn(
  area: PlaceArea,
  { names }: NamePart,
  { names: capital }: NamePart,
  places: Places,
): boolean {
  return capital.some((name) => places.named(name, area).official.some((city) => isDistrict(city, names)));
}

/** A province's capital isn't in another province, so "Milano, Bergamo" means two cities. */
function isOtherCapital({ city, countryCode }: Place, { names }: NamePart, written: NamePart): boolean {
  const own = [normalise(city), ...written.names];
  return (
    own.some((name) => PROVINCES.get(name)?.some((region) => region.startsWith(countryCode))) &&
    !names.some((name) => own.includes(name))
  );
}

/** A street address before a postcode and city: `Alt Erlenbach 35, 60437 Frankfurt`. */
function isAddressLine({ codes, isCode }: NamePart, pieces: readonly Piece[]): boolean {
  const isNumbered = codes.some((code) => /^\d{1,3}[A-Z]?$/.test(code));
  return isNumbered && !isCode && pieces.some(({ part }) => part.codes.some((code) => code.length > 4));
}

/** A code next to a country can only be a region of that country (`Warsaw, MZ, Poland`). */
function isOwnCode({ population }: Place, { isCode, names }: NamePart): boolean {
  return isCode && !names.some(isKnownName) && population >= DIVIDED_CITY_PEOPLE;
}

/** A name followed by another name of the same place: `München (Munich)`. */
function isCalled({ locationId }: Place, { names }: NamePart, places: Places): boolean {
  return names.some((name) => {
    const { official, others } = places.named(name);
    return [...official, ...others].some((place) => place.locationId === locationId);
  });
}

const WORDS_OF_NAME_MAX = 3;

/**
 * The name of a building or company next to a city and its area: `Domain Tower, Austin, TX`. No place in the area
 * has this name, and none of its words is an area or a well-known city.
 */
export function isVenue({ part }: Piece, city: Place, area: PlaceArea, places: Places): boolean {
  if (/\b[A-Z]{2,3}\b/.test(part.text)) return false;
  for (const name of part.names) {
    const { official, others } = places.named(name, area);
    if ([...official, ...others].some(({ locationId }) => locationId !== city.locationId)) return false;
  }
  const all = part.names[0]?.split(' ') ?? [];
  return all.every((_, from) =>
    all.slice(from, from + WORDS_OF_NAME_MAX).every((_, count) => {
      const name = all.slice(from, from + count + 1).join(' ');
      if (name.length < 3) return true;
      const [known] = places.named(name).official;
      const isCity =
        known === undefined || known.population < KNOWN_PEOPLE || known.locationId === city.locationId;
      return isCity && areasCalled(name, places).every((own) => isIn(city, own));
    }),
  );
}
