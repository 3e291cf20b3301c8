import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { LIMIT_CHOICES, type Profile } from '../settings/config.ts';
import { checkedSetting, durationSetting } from '../settings/server-settings.ts';

/** Peculiarities of a server, for one call; a profile keeps both. */
export const serverFlags = {
  'location-query-parameter': Flags.string({
    helpValue: 'NAME',
    description: 'What this server calls the search text of a location search, where it is not `q`',
  }),
  limits: Flags.string({
    helpValue: LIMIT_CHOICES.join('|'),
    description: 'none: this server has other size limits, check none before sending',
  }),
};

/** Settings of a server that `auth login` keeps in its profile. */
export const keptServerFlags = {
  'location-query-parameter': serverFlags['location-query-parameter'],
  'no-limits': Flags.boolean({
    description: 'This server has other size limits: check none before sending',
  }),
  'ca-file': Flags.string({
    helpValue: 'FILE',
    description: 'PEM certificates to trust for this server, beside those of Node; "" forgets it',
  }),
  proxy: Flags.string({
    helpValue: 'URL',
    description: 'The proxy for this server, instead of HTTPS_PROXY; "" forgets it',
  }),
  'default-timeout': Flags.string({
    helpValue: 'TIME',
    description: 'The longest a call to this server may take, where --timeout is not given',
  }),
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
