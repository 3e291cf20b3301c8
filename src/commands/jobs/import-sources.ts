import type { CliContext } from '../../cli/terminal/streams.ts';
import { openPublicReader } from '../../client/public-document.ts';
import type { Places } from '../../contract/place-names.ts';
import { placeAmong } from '../../listings/places/locations.ts';
import { meaningOf } from '../../listings/places/meaning-of.ts';
import { VERSION } from '../../package.ts';

const TIMEOUT_MS = 30_000;

/** Reads public addresses, without a key. */
export function openReader({ env, interrupted: signal }: CliContext, timeoutMs = TIMEOUT_MS) {
  const userAgent = `partner/${VERSION} node/${process.versions.node}`;
  const reader = openPublicReader({ env, userAgent, timeoutMs, signal });
  return { readAddress: (address: string) => reader.read(address), close: async () => reader.close() };
}

/** What texts mean among the bundled places, each looked up once. */
export function placeMeanings(places: Places) {
  return {
    meaningOf: remembered((text) => meaningOf(text, places)),
    placeOf: remembered((text) => {
      const choice = placeAmong(text, places);
      return 'clear' in choice ? choice.clear.locationId : undefined;
    }),
  };
}

function remembered<T>(look: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = look(text);
    known.set(text, found);
    return found;
  };
}
