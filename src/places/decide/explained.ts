import { normalise, type Place, type PlaceArea, type Places } from '../place-names.ts';
import {
  findAreas,
  findAreasByName,
  findWideArea,
  isInArea,
  isKnownName,
  KNOWN_PEOPLE,
  listNamesakes,
} from './named-place.ts';
import type { NamePart } from './place-text.ts';
import subdivisions from './subdivisions.json' with { type: 'json' };
import { agreesWithCode, DIVIDED_CITY_PEOPLE, isDistrict, isInCounty } from './subdivisions.ts';
import words from './words.json' with { type: 'json' };

export interface Piece {
  readonly part: NamePart;
  readonly areas: readonly PlaceArea[];
  /** Regions with a province of this name or code. Used only after a city, because a city may have that name too. */
  readonly provinces: readonly PlaceArea[];
}

/** Matches counties and similar areas that the region table doesn't list (`Cook County`, `powiat pruszkowski`). */
export const SUBREGION = new RegExp(
  `(?:^| )(?:${words.within.join('|')})(?: |$)|^(?:${words.areaBefore.join('|')}) `,
);

const PROVINCES = new Map(Object.entries(subdivisions.provinces));
const PROVINCE_CODES = new Map(Object.entries(subdivisions.codes));

export function toPiece(part: NamePart, places: Places): Piece {
  const provinces = part.names
    .flatMap((name) => (part.isCode ? PROVINCE_CODES.get(name) : undefined) ?? PROVINCES.get(name) ?? [])
    .flatMap((own) => {
      const areas = places.areas(normalise(own.slice(3)));
      return areas.filter(({ countryCode, region }) => own === `${countryCode}|${region}`);
    });
  return { part, areas: findAreas(part, places), provinces };
}

export function toPieces(parts: readonly NamePart[], places: Places): Piece[] {
  return parts.map((part) => toPiece(part, places));
}

export function findUnexplained(place: Place, city: Piece, pieces: readonly Piece[], places: Places) {
  const given = pieces.flatMap((piece) =>
    piece === city ? [] : piece.areas.filter((area) => isInArea(place, area)),
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
  if (areas.some((area) => isInArea(place, area))) return true;
  const isOther = isOtherCity(place, part, places);
  if (!isOther && part.names.some((name) => city.names.includes(name))) return true;
  if (
    isBehind &&
    provinces.some((area) => isInArea(place, area) && !isCityDistrict(area, city, part, places))
  )
    return part.isCode || !isOtherCapital(place, part, city);
  const wide = findWideArea(part);
  if (wide !== undefined)
    return !('country' in wide) || wide.country === '' || wide.country === place.country;
  if (isDistrict(place, part.names)) return true;
  if (part.isCode || areas.length > 0) return false;
  return !isOther && isCalled(place, part, places);
}

/** "Greater Noida, Noida" means two cities. */
function isOtherCity(place: Place, { names: [name = ''] }: NamePart, places: Places): boolean {
  const ids = places
    .named(name)
    .official.flatMap((city) =>
      city.country === place.country && city.stateProvince === place.stateProvince ? city.locationId : [],
    );
  return ids.length > 0 && !ids.includes(place.locationId);
}

/** "Sandyford, Dublin" means a district of the city, not a town in County Dublin. */
function isCityDistrict(area: PlaceArea, { names }: NamePart, { names: capital }: NamePart, places: Places) {
  return capital.some((name) => places.named(name, area).official.some((city) => isDistrict(city, names)));
}

/** True for the capital of another province. For example, "Milano, Bergamo" means two cities. */
function isOtherCapital({ city, countryCode }: Place, { names }: NamePart, written: NamePart): boolean {
  const own = [normalise(city), ...written.names];
  return (
    own.some((name) => PROVINCES.get(name)?.some((region) => region.startsWith(countryCode))) &&
    !names.some((name) => own.includes(name))
  );
}

/** True for a street address before a postcode and city: `Alt Erlenbach 35, 60437 Frankfurt`. */
function isAddressLine({ codes, isCode }: NamePart, pieces: readonly Piece[]): boolean {
  const isNumbered = codes.some((code) => /^\d{1,3}[A-Z]?$/.test(code));
  return isNumbered && !isCode && pieces.some(({ part }) => part.codes.some((code) => code.length > 4));
}

/** True for an unknown code of a large city, which is probably a region's code (`Warsaw, MZ, Poland`). */
function isOwnCode({ population }: Place, { isCode, names }: NamePart): boolean {
  return isCode && !names.some(isKnownName) && population >= DIVIDED_CITY_PEOPLE;
}

/** True if the part is another name of the same place: `München (Munich)`. */
function isCalled({ locationId }: Place, { names }: NamePart, places: Places): boolean {
  return names.some((name) => listNamesakes(name, places).some((place) => place.locationId === locationId));
}

const WORDS_OF_NAME_MAX = 3;

/** True for a building or company next to a city (`Domain Tower, Austin, TX`), unless a place may have the name. */
export function isVenue({ part, provinces }: Piece, city: Place, area: PlaceArea, places: Places): boolean {
  if (provinces.length > 0 || /\b[A-Z]{2,3}\b/.test(part.text)) return false;
  const namesakes = part.names.flatMap((name) => listNamesakes(name, places, area));
  if (namesakes.some(({ locationId }) => locationId !== city.locationId)) return false;
  const all = part.names[0]?.split(' ') ?? [];
  return all.every((_, from) =>
    all.slice(from, from + WORDS_OF_NAME_MAX).every((_, count) => {
      const name = all.slice(from, from + count + 1).join(' ');
      if (name.length < 3) return true;
      const [known] = places.named(name).official;
      const isCity =
        known === undefined || known.population < KNOWN_PEOPLE || known.locationId === city.locationId;
      return isCity && findAreasByName(name, places).every((own) => isInArea(city, own));
    }),
  );
}
