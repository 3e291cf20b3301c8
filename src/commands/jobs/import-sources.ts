import { join } from 'node:path';
import { serverSettings } from '../../cli/settings/server-settings.ts';
import type { CliContext, Streams } from '../../cli/terminal/streams.ts';
import { openPublicReader } from '../../client/public-document.ts';
import { PartnerError } from '../../contract/errors.ts';
import { createDefaults, listDefaultsWarnings } from '../../listings/defaults/defaults.ts';
import { VERSION } from '../../package.ts';
import { findMeaning } from '../../places/decide/find-meaning.ts';
import { placeAmong } from '../../places/decide/locations.ts';
import type { Places } from '../../places/place-names.ts';

const TIMEOUT_MS = 30_000;

/** Throws USAGE for an empty argument, which is usually an unset variable in a script. */
export function assertFilled(sources: readonly string[], out: string): readonly string[] {
  if (![...sources, out].includes('')) return sources;
  const hint = 'pass a SOURCE and a directory, as in `partner jobs import greenhouse:acme --out jobs`';
  throw new PartnerError('USAGE', {
    message: 'a SOURCE or --out is empty: check your shell variables',
    hint,
  });
}

/** Ignores the profile, because its proxy and CA file are for its server only. */
export function openReader({ env, interrupted: signal }: CliContext, flagMs: number | undefined) {
  const userAgent = `partner/${VERSION} node/${process.versions.node}`;
  const { proxy, caFile, ...settings } = serverSettings({}, env, undefined, '');
  const timeoutMs = flagMs ?? settings.timeoutMs ?? TIMEOUT_MS;
  const reader = openPublicReader({ env, proxy, caFile, userAgent, timeoutMs, signal });
  return { readAddress: (address: string) => reader.read(address), close: async () => reader.close() };
}

/** Returns the fields of `_defaults.yaml` files, and warnings about ignored ones. */
export async function loadSharedFields(out: string, streams: Streams) {
  const defaults = await createDefaults(streams, [out])(join(out, 'listing'));
  const fields = Array.from(defaults?.sources ?? [], ([field, source]) => [field, source.fields[field]]);
  return { shared: Object.fromEntries(fields), warnings: listDefaultsWarnings(defaults) };
}

export function placeMeanings(places: Places) {
  return {
    findMeaning: cacheLookups((text) => findMeaning(text, places)),
    placeOf: cacheLookups((text) => {
      const choice = placeAmong(text, places);
      return 'clear' in choice ? choice.clear.locationId : undefined;
    }),
  };
}

function cacheLookups<T>(look: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? look(text);
    known.set(text, found);
    return found;
  };
}
