import { clipped } from '../../contract/problems.ts';
import type { PlaceMeaning } from './place-meaning.ts';

/** What a text is that is no one place, and what to write instead; undefined for what nobody knows. */
export function saidOf(text: string, meaning: PlaceMeaning) {
  const quoted = `"${clipped(text, 60)}"`;
  switch (meaning.kind) {
    case 'remote':
      return unknown(`${quoted} is no place`, `write ${remoteFields(meaning.countries)} and take it out`);
    case 'continent':
      return unknown(
        `${quoted} is no place but a part of the world`,
        `name the cities; ${aRemoteJob(undefined)}`,
      );
    case 'unnamed':
      return unknown(
        `${quoted} names no place`,
        `name the cities, such as "Austin, TX"; ${aRemoteJob(undefined)}`,
      );
    case 'country':
      return unclear(`${quoted} is a country, and no city`, `name the city; ${aRemoteJob(meaning.country)}`);
    case 'region':
      return unclear(`${quoted} is a region, and no city`, `name the city; ${aRemoteJob(meaning.country)}`);
    case 'several':
      return unclear(`${quoted} names ${meaning.parts.length} places`, severalHint(meaning.parts));
    default:
      return undefined;
  }
}

const unknown = (message: string, hint: string) => ({ code: 'PLACE_UNKNOWN' as const, message, hint });
const unclear = (message: string, hint: string) => ({ code: 'PLACE_AMBIGUOUS' as const, message, hint });

/** The fields of a remote job, which has one country. */
export function remoteFields(countries: readonly string[]): string {
  const [country, second] = countries;
  const given = country !== undefined && second === undefined ? JSON.stringify(country) : '"…"';
  return `remoteOption REMOTE, remoteCountry ${given}`;
}

function aRemoteJob(country: string | undefined): string {
  return `a remote job has ${remoteFields([country || 'United States'])}`;
}

/** The entries to write: places as they were written, and what belongs to other fields. */
function severalHint(parts: readonly { text: string; meaning: PlaceMeaning }[]): string {
  const cities = parts.filter(({ meaning }) => !isRemote(meaning)).map(({ text }) => text);
  const remote = parts.map(({ meaning }) => meaning).find(isRemote);
  const list = `give each place an entry of its own: ${cities.map((city) => JSON.stringify(city)).join(', ')}`;
  return remote ? `${list}; remote belongs in ${remoteFields(remote.countries)}` : list;
}

function isRemote(meaning: PlaceMeaning): meaning is Extract<PlaceMeaning, { kind: 'remote' }> {
  return meaning.kind === 'remote';
}
