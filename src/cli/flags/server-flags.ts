import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { LIMIT_CHOICES, type Profile } from '../settings/config.ts';
import { checkedSetting, durationSetting } from '../settings/server-settings.ts';
import { textFlag } from './flag-values.ts';

/** Few servers need these flags, so help lists them last. */
const helpGroup = 'SERVER';

const queryParameter = {
  helpValue: 'NAME',
  description: "Location search's query parameter, if it isn't `q`",
};

/** Flags for one run against a server that differs from the specification. */
export const serverFlags = {
  'location-query-parameter': Flags.string({ ...queryParameter, helpGroup }),
  limits: Flags.string({
    helpGroup,
    helpValue: LIMIT_CHOICES.join('|'),
    description: 'Size limits to check before sending',
  }),
};

/** Settings of a server that `auth login` keeps in its profile. */
export const keptServerFlags = {
  'location-query-parameter': Flags.string(queryParameter),
  'no-limits': Flags.boolean({ description: "Don't enforce size limits locally" }),
  'ca-file': textFlag('FILE', 'PEM file to trust for this server, besides Node.js defaults ("" clears it)'),
  proxy: textFlag('URL', 'Proxy for this server, instead of HTTPS_PROXY ("" clears it)'),
  'default-timeout': textFlag('TIME', 'Maximum time per request to this server without --timeout'),
};

type Parsed = { readonly [flag in keyof typeof keptServerFlags]?: string | boolean | undefined };

/** The settings that those flags give; undefined for one to forget. Throws USAGE. */
export function keptSettings(flags: Parsed): Partial<Profile> {
  const given = (flag: keyof Parsed, setting: (text: string) => Partial<Profile>): Partial<Profile> => {
    const text = flags[flag];
    return typeof text === 'string' ? setting(text) : {};
  };
  return {
    ...given('location-query-parameter', (text) => ({
      locationQueryParameter: checkedSetting('locationQueryParameter', [text, '--location-query-parameter']),
    })),
    ...(flags['no-limits'] ? { limits: 'none' } : {}),
    ...given('ca-file', (text) => ({ caFile: text === '' ? undefined : resolve(text) })),
    ...given('proxy', (text) => ({ proxy: checkedSetting('proxy', [text, '--proxy']) })),
    ...given('default-timeout', (text) => ({ timeoutMs: durationSetting('--default-timeout', text) })),
  };
}
