import { join } from 'node:path';
import { serverSettings } from '../../cli/settings/server-settings.ts';
import type { CliContext, Streams } from '../../cli/terminal/streams.ts';
import { openPublicReader } from '../../client/public-document.ts';
import { PartnerError } from '../../contract/errors.ts';
import { formatPosition, sentence, toFinding } from '../../listings/check/finding.ts';
import { createDefaults, listDefaultsWarnings } from '../../listings/defaults/defaults.ts';
import { VERSION } from '../../package.ts';
import { meaningWithId, placeAmong } from '../../places/decide/locations.ts';
import { normalise, type Places } from '../../places/place-names.ts';

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

/** Returns what `_defaults.yaml` files share, and warnings about ignored ones. Throws the first error in them. */
export async function loadSharedFields(out: string, streams: Streams) {
  const defaults = await createDefaults(streams, [out])(join(out, 'listing'));
  const { sources = [], rules = [], department, requiredUnder, places, fault, flaws = [] } = defaults ?? {};
  const wrong = fault ?? flaws.find(({ level }) => level !== 'warning');
  if (wrong !== undefined) {
    const { hint, ...finding } = toFinding(wrong, { file: out, index: 0 });
    throw new PartnerError('FILE_INVALID', {
      message: `${formatPosition(finding)}: ${sentence(finding)}`,
      hint,
    });
  }
  const fields = Array.from(sources, ([field, source]) => [field, source.fields[field]]);
  const shared = { ...Object.fromEntries(fields), department };
  const findPlaceText = (name: string) => places?.get(normalise(name))?.texts.join('; ') ?? name;
  return { shared, rules, requiredUnder, findPlaceText, warnings: listDefaultsWarnings(defaults) };
}

/** `findPlaceText` resolves a company's custom place name. */
export function placeMeanings(places: Places, findPlaceText: (name: string) => string) {
  return {
    findMeaning: cacheLookups((text) => meaningWithId(findPlaceText(text), places)),
    placeOf: cacheLookups((text) => {
      const choice = placeAmong(findPlaceText(text), places);
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
