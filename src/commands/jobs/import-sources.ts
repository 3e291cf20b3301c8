import { join } from 'node:path';
import { serverSettings } from '../../cli/settings/server-settings.ts';
import type { CliContext, Streams } from '../../cli/terminal/streams.ts';
import { openPublicReader } from '../../client/public-document.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Places } from '../../contract/place-names.ts';
import { createDefaults } from '../../listings/defaults/defaults.ts';
import { placeAmong } from '../../listings/places/locations.ts';
import { meaningOf } from '../../listings/places/meaning-of.ts';
import { VERSION } from '../../package.ts';

const TIMEOUT_MS = 30_000;

/** The sources. Throws USAGE for an empty word: a variable of a script that is not set. */
export function assertFilled(sources: readonly string[], out: string): readonly string[] {
  if (![...sources, out].includes('')) return sources;
  const hint = 'name a SOURCE and a directory: `partner jobs import greenhouse:acme --out jobs`';
  throw new PartnerError('USAGE', { message: 'a SOURCE or --out is empty: is a variable empty?', hint });
}

/** Reads public addresses, without a key: a profile's proxy and authority are for its server alone. */
export function openReader({ env, interrupted: signal }: CliContext, flagMs: number | undefined) {
  const userAgent = `partner/${VERSION} node/${process.versions.node}`;
  const { proxy, caFile, ...settings } = serverSettings({}, env, undefined, '');
  const timeoutMs = flagMs ?? settings.timeoutMs ?? TIMEOUT_MS;
  const reader = openPublicReader({ env, proxy, caFile, userAgent, timeoutMs, signal });
  return { readAddress: (address: string) => reader.read(address), close: async () => reader.close() };
}

/** What a `_defaults.yaml` gives to every listing in a directory. */
export async function sharedFields(out: string, streams: Streams) {
  const { sources = new Map() } = (await createDefaults(streams, [out])(join(out, 'listing'))) ?? {};
  return Object.fromEntries(Array.from(sources, ([field, { fields }]) => [field, fields[field]]));
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
