import { clipText } from '../../contract/problems.ts';
import { groupBy } from '../../text/group-by.ts';
import type { Place } from '../place-names.ts';
import type { RemoteOption } from './place-text.ts';

export type PlaceMeaning =
  | {
      readonly kind: 'place';
      readonly place: Place;
      /** `likely` if other places share the name, and this one is larger or better known. */
      readonly sure: 'exact' | 'likely';
      /** Set if the text includes a work option: `Hybrid - Austin, TX`. */
      readonly remoteOption?: RemoteOption;
    }
  | { readonly kind: 'several'; readonly parts: readonly { text: string; meaning: PlaceMeaning }[] }
  /** `Remote` or `Remote in USA`. `countries` contains names from the country list. */
  | { readonly kind: 'remote'; readonly countries: readonly string[] }
  | { readonly kind: 'country'; readonly country: string }
  | { readonly kind: 'region'; readonly region: string; readonly country: string }
  | { readonly kind: 'continent'; readonly name: string }
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Place[] }
  | { readonly kind: 'unknown' };

export function explainMeaning(text: string, meaning: PlaceMeaning) {
  const createExplainer = (code: 'PLACE_UNKNOWN' | 'PLACE_AMBIGUOUS') => (problem: string, hint: string) => {
    return { code, message: `"${clipText(text, 60)}" ${problem}`, hint };
  };
  const [unknown, ambiguous] = [createExplainer('PLACE_UNKNOWN'), createExplainer('PLACE_AMBIGUOUS')];
  switch (meaning.kind) {
    case 'remote':
      return unknown("isn't a place", `use ${remoteFields(meaning.countries)} instead`);
    case 'continent':
      return unknown('is a part of the world, not a city', `list the cities. ${suggestRemoteJob()}`);
    case 'unnamed': {
      const hint = `list the cities, such as "Austin, TX". ${suggestRemoteJob()}`;
      return unknown("isn't a specific place", hint);
    }
    case 'country':
    case 'region': {
      const hint = `specify the city. ${suggestRemoteJob(meaning.country)}`;
      return ambiguous(`is a ${meaning.kind}, not a city`, hint);
    }
    case 'several':
      return ambiguous(`contains ${meaning.parts.length} places`, formatListHint(meaning.parts));
    default:
      return undefined;
  }
}

export function remoteFields(countries: readonly string[]): string {
  const [country, second] = countries;
  const given = country !== undefined && second === undefined ? JSON.stringify(country) : '"…"';
  return `remoteOption REMOTE, remoteCountry ${given}`;
}

function suggestRemoteJob(country?: string): string {
  return `For a remote job, use ${remoteFields([country || 'United States'])}`;
}

function formatListHint(parts: readonly { text: string; meaning: PlaceMeaning }[]): string {
  const cities = parts
    .filter(({ meaning }) => meaning.kind !== 'remote')
    .map(({ text }) => JSON.stringify(text));
  const list = `use a separate entry for each place: ${cities.join(', ')}`;
  const [countries] = parts.flatMap(({ meaning }) => (meaning.kind === 'remote' ? [meaning.countries] : []));
  return countries ? `${list}. For remote work, use ${remoteFields(countries)}` : list;
}

/** Returns the country that can match at least 75% of the places, if others are ambiguous. */
export function findCommonCountry(meanings: readonly PlaceMeaning[]): string | undefined {
  const clear = meanings.flatMap((one) => (one.kind === 'place' ? [[one.place]] : []));
  const unclear = meanings.flatMap((one) => (one.kind === 'ambiguous' ? [one.candidates] : []));
  const all = [...clear, ...unclear].map((places) => new Set(places.map(({ country }) => country)));
  const counts = groupBy(
    all.flatMap((countries) => [...countries]),
    (country) => country,
  );
  const [best, next] = [...counts.values()].sort((one, other) => other.length - one.length);
  const isIn = clear.some(([place]) => place?.country === best?.[0]);
  const isCommon = best && best.length * 4 >= all.length * 3 && best.length > (next?.length ?? 0);
  const isNamesake = (one: PlaceMeaning) =>
    one.kind === 'place' && one.sure === 'likely' && one.place.country !== best?.[0];
  const isUnclear = unclear.length > 0 || meanings.some(isNamesake);
  return isUnclear && isIn && isCommon ? best[0] : undefined;
}
