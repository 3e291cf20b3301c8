import { normalise, type Places } from '../place-names.ts';
import { decidePlace, findAreasByName, isFar } from './named-place.ts';
import type { PlaceMeaning } from './place-meaning.ts';
import { isDistrict } from './subdivisions.ts';

export type Several = Extract<PlaceMeaning, { kind: 'several' }>;

/**
 * Resolves the places of a list together, and removes duplicates and districts. Next to other countries, Georgia is a
 * country. Next to Spanish cities, Córdoba is the one in Spain.
 */
export function resolveList(given: Several['parts'], places: Places): PlaceMeaning {
  const inCountry = given.map((part) => {
    const others = given.filter((other) => other !== part).map(({ meaning }) => meaning);
    return { ...part, meaning: findMeaningAmong(others, part, places) };
  });
  const parts = inCountry.filter(({ text, meaning }, at) => {
    if (meaning.kind === 'country' || meaning.kind === 'region') return !isAround(meaning, inCountry);
    if (meaning.kind !== 'place') return true;
    return !inCountry.some(
      ({ meaning: other }, otherAt) =>
        other.kind === 'place' &&
        (other.place.locationId === meaning.place.locationId
          ? otherAt < at
          : isDistrict(other.place, [normalise(text)])),
    );
  });
  const [only, another] = parts;
  return only && another === undefined ? only.meaning : { kind: 'several', parts };
}

/** True if the area contains the only other place of the list: `Gauteng / Johannesburg`. */
function isAround(area: Extract<PlaceMeaning, { kind: 'country' | 'region' }>, parts: Several['parts']) {
  const [only, second] = parts.flatMap(({ meaning }) => (meaning.kind === 'place' ? [meaning.place] : []));
  if (only === undefined || second !== undefined || only.country !== area.country) return false;
  return parts.length === 2 && (area.kind === 'country' || area.region === only.stateProvince);
}

function findMeaningAmong(
  others: readonly PlaceMeaning[],
  { text, meaning }: Several['parts'][number],
  places: Places,
): PlaceMeaning {
  const name = normalise(text);
  const areas = findAreasByName(name, places);
  const kinds = new Set(others.map(({ kind }) => kind));
  const named = others.flatMap((other) =>
    other.kind === 'place' ? other.place : other.kind === 'country' ? other : [],
  );
  const countries = [...new Set(named.map(({ country }) => country))];
  const [country, second] = countries;
  const own = areas.find((area) => kinds.has(area.region === '' ? 'country' : 'region'));
  const isOther = areas.every((area) => area === own || !countries.includes(area.country));
  const isKind = meaning.kind === (own?.region === '' ? 'country' : 'region');
  if (own && kinds.size === 1 && isOther && !isKind) {
    const { region, country: within } = own;
    return region === '' ? { kind: 'country', country: within } : { kind: 'region', region, country: within };
  }
  const isLikely = meaning.kind === 'place' && meaning.sure === 'likely' && meaning.place.country !== country;
  if (country === undefined || second !== undefined || !(isLikely || meaning.kind === 'ambiguous'))
    return meaning;
  const [area] = findAreasByName(normalise(country), places).filter(({ region }) => region === '');
  const decision = area && decidePlace(name, places, area, false);
  const isLarge = decision?.kind === 'place' && !(isLikely && isFar(meaning.place, decision.place, 10));
  return isLarge ? decision : meaning;
}
