import { PartnerError } from '../../contract/errors.ts';
import { parseDuration } from '../../contract/time.ts';
import { LIMITS, type Limits, NO_LIMITS } from '../../contract/values.ts';
import { LIMIT_CHOICES, type Profile, profileFieldProblem } from './config.ts';
import type { Environment } from './directories.ts';

export interface ServerFlags {
  readonly locationQueryParameter?: string | undefined;
  readonly limits?: string | undefined;
}

/** How a server is spoken to: flag, then environment, then profile, then default. */
export interface ServerSettings
  extends Pick<Profile, 'locationQueryParameter' | 'caFile' | 'proxy' | 'timeoutMs' | 'traits'> {
  readonly limits: Limits;
  /** The profile that keeps what is learned of the server; undefined where none is this server's. */
  readonly keptIn: string | undefined;
}

/** The settings for the server at `baseUrl`; `own` is a profile of its origin. Throws USAGE for a wrong value. */
export function serverSettings(
  flags: ServerFlags,
  env: Environment,
  own: Profile | undefined,
  baseUrl: string,
): ServerSettings {
  const limits = checkedSetting(
    'limits',
    [flags.limits, '--limits'],
    [env.PARTNER_LIMITS?.toLowerCase(), 'PARTNER_LIMITS'],
  );
  const parameter = checkedSetting(
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
    proxy: checkedSetting('proxy', [env.PARTNER_PROXY, 'PARTNER_PROXY']) ?? own?.proxy,
    timeoutMs: timeout ? durationSetting('PARTNER_TIMEOUT', timeout) : own?.timeoutMs,
    keptIn: isKept ? own.name : undefined,
    traits: isKept ? own.traits : undefined,
  };
}

type Source = readonly [value: string | undefined, name: string];

/** The first value that is not empty. Throws USAGE for one that the field does not take. */
export function checkedSetting(field: keyof Profile, ...sources: readonly Source[]): string | undefined {
  const [value, name] = sources.find(([given]) => given) ?? [];
  const problem = value === undefined ? undefined : profileFieldProblem(field, value);
  if (problem === undefined) return value;
  // A proxy's address may hold a password.
  const given = field === 'proxy' ? '' : `, not \`${value}\``;
  throw new PartnerError('USAGE', { message: `${name} ${problem}${given}` });
}

/** A duration in milliseconds; `like` are examples of it. Throws USAGE. */
export function durationSetting(name: string, given: string, like = '500ms, 30s or 2m'): number {
  const durationMs = parseDuration(given);
  if (durationMs !== undefined && durationMs > 0) return durationMs;
  throw new PartnerError('USAGE', {
    message: `${name} takes a duration, not \`${given}\``,
    hint: `write it like ${like}`,
  });
}
