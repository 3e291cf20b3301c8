import { PartnerError } from '../../contract/errors.ts';
import { parseDuration } from '../../contract/time.ts';
import { LIMITS, NO_LIMITS } from '../../contract/values.ts';
import { LIMIT_CHOICES, type Profile, profileFieldProblem } from './config.ts';
import type { Environment } from './directories.ts';

export interface ServerFlags {
  readonly locationQueryParameter?: string | undefined;
  readonly limits?: string | undefined;
}

/** Returns the settings for `baseUrl`. `own` is a profile with the same origin. Throws USAGE for an invalid value. */
export function serverSettings(
  flags: ServerFlags,
  env: Environment,
  own: Profile | undefined,
  baseUrl: string,
) {
  const limits = chooseSetting(
    'limits',
    [flags.limits, '--limits'],
    [env.PARTNER_LIMITS?.toLowerCase(), 'PARTNER_LIMITS'],
  );
  const parameter = chooseSetting(
    'locationQueryParameter',
    [flags.locationQueryParameter, '--location-query-parameter'],
    [env.PARTNER_LOCATION_QUERY_PARAMETER, 'PARTNER_LOCATION_QUERY_PARAMETER'],
  );
  const { PARTNER_TIMEOUT: timeout } = env;
  const isKept = own?.baseUrl === baseUrl;
  return {
    limits: (limits ?? own?.limits) === LIMIT_CHOICES[1] ? NO_LIMITS : LIMITS,
    locationQueryParameter: parameter ?? own?.locationQueryParameter,
    caFile: env.PARTNER_CA_FILE || own?.caFile,
    proxy: chooseSetting('proxy', [env.PARTNER_PROXY, 'PARTNER_PROXY']) ?? own?.proxy,
    timeoutMs: timeout ? durationSetting('PARTNER_TIMEOUT', timeout) : own?.timeoutMs,
    keptIn: isKept ? own.name : undefined,
    traits: isKept ? own.traits : undefined,
  };
}

type Source = readonly [value: string | undefined, name: string];

/** Returns the first value that isn't empty. Throws USAGE if it's invalid. */
export function chooseSetting(field: keyof Profile, ...sources: readonly Source[]): string | undefined {
  const [value, name] = sources.find(([given]) => given) ?? [];
  const problem = value === undefined ? undefined : profileFieldProblem(field, value);
  if (problem === undefined) return value;
  // A proxy URL may contain a password.
  const given = field === 'proxy' ? '' : `, not \`${value}\``;
  throw new PartnerError('USAGE', { message: `${name} ${problem}${given}` });
}

/** Parses a duration to milliseconds. `like` is an example for the error. Throws USAGE. */
export function durationSetting(name: string, given: string, like = '500ms, 30s or 2m'): number {
  const durationMs = parseDuration(given);
  if (durationMs !== undefined && durationMs > 0) return durationMs;
  throw createValueError(name, 'a duration', given, `use a format such as ${like}`);
}

/** Returns the USAGE error for a value. `name` is a flag or a variable. */
export function createValueError(name: string, wanted: string, given: string, hint?: string): PartnerError {
  return new PartnerError('USAGE', { message: `${name} must be ${wanted}, not \`${given}\``, hint });
}
