import { clipText } from '../../contract/problems.ts';
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
  const quoted = `"${clipText(text, 60)}"`;
  switch (meaning.kind) {
    case 'remote':
      return describeUnknown(`${quoted} isn't a place`, `use ${remoteFields(meaning.countries)} instead`);
    case 'continent':
      return describeUnknown(
        `${quoted} is a part of the world, not a city`,
        `list the cities. ${suggestRemoteJob(undefined)}`,
      );
    case 'unnamed':
      return describeUnknown(
        `${quoted} isn't a specific place`,
        `list the cities, such as "Austin, TX". ${suggestRemoteJob(undefined)}`,
      );
    case 'country':
      return describeUnclear(
        `${quoted} is a country, not a city`,
        `specify the city. ${suggestRemoteJob(meaning.country)}`,
      );
    case 'region':
      return describeUnclear(
        `${quoted} is a region, not a city`,
        `specify the city. ${suggestRemoteJob(meaning.country)}`,
      );
    case 'several':
      return describeUnclear(`${quoted} names ${meaning.parts.length} places`, formatListHint(meaning.parts));
    default:
      return undefined;
  }
}

const describeUnknown = (message: string, hint: string) => ({
  code: 'PLACE_UNKNOWN' as const,
  message,
  hint,
});
const describeUnclear = (message: string, hint: string) => ({
  code: 'PLACE_AMBIGUOUS' as const,
  message,
  hint,
});

export function remoteFields(countries: readonly string[]): string {
  const [country, second] = countries;
  const given = country !== undefined && second === undefined ? JSON.stringify(country) : '"…"';
  return `remoteOption REMOTE, remoteCountry ${given}`;
}

function suggestRemoteJob(country: string | undefined): string {
  return `For a remote job, use ${remoteFields([country || 'United States'])}`;
}

function formatListHint(parts: readonly { text: string; meaning: PlaceMeaning }[]): string {
  const cities = parts.filter(({ meaning }) => !isRemote(meaning)).map(({ text }) => text);
  const remote = parts.map(({ meaning }) => meaning).find(isRemote);
  const list = `use a separate entry for each place: ${cities.map((city) => JSON.stringify(city)).join(', ')}`;
  return remote ? `${list}. For remote work, use ${remoteFields(remote.countries)}` : list;
}

function isRemote(meaning: PlaceMeaning): meaning is Extract<PlaceMeaning, { kind: 'remote' }> {
  return meaning.kind === 'remote';
}
