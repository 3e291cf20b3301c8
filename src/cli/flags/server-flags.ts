import { resolve } from 'node:path';
import { LIMIT_CHOICES, type Profile } from '../settings/config.ts';
import { chooseSetting, durationSetting } from '../settings/server-settings.ts';
import { switchFlag, textFlag } from './flag-values.ts';

const QUERY_PARAMETER = 'Query parameter for location search text';

/** Hidden, because few servers need them. docs/servers.md documents them next to the profile's settings. */
export const serverFlags = {
  'location-query-parameter': textFlag('NAME', QUERY_PARAMETER, { hidden: true }),
  limits: textFlag(LIMIT_CHOICES.join('|'), 'Size limits to enforce before sending', { hidden: true }),
};

export const keptServerFlags = {
  'location-query-parameter': textFlag('NAME', QUERY_PARAMETER, { shown: { default: 'q' } }),
  'no-limits': switchFlag("Don't enforce size limits locally"),
  'ca-file': textFlag('FILE', 'PEM file of CAs to trust in addition to Node.js defaults ("" clears it)'),
  proxy: textFlag('URL', 'Proxy for this server, instead of HTTPS_PROXY ("" clears it)'),
  'default-timeout': textFlag('TIME', "Request timeout if --timeout isn't specified"),
};

type Parsed = { readonly [flag in keyof typeof keptServerFlags]?: string | boolean | undefined };

/** Returns the settings of these flags. A setting is undefined if it must be removed. Throws USAGE. */
export function readServerSettings(flags: Parsed): Partial<Profile> {
  const readSetting = (flag: keyof Parsed, setting: (text: string) => Partial<Profile>): Partial<Profile> => {
    const text = flags[flag];
    return typeof text === 'string' ? setting(text) : {};
  };
  return {
    ...readSetting('location-query-parameter', (text) => ({
      locationQueryParameter: chooseSetting('locationQueryParameter', [text, '--location-query-parameter']),
    })),
    ...(flags['no-limits'] ? { limits: 'none' } : {}),
    ...readSetting('ca-file', (text) => ({ caFile: text === '' ? undefined : resolve(text) })),
    ...readSetting('proxy', (text) => ({ proxy: chooseSetting('proxy', [text, '--proxy']) })),
    ...readSetting('default-timeout', (text) => ({ timeoutMs: durationSetting('--default-timeout', text) })),
  };
}
