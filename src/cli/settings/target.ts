import { PartnerError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/values.ts';
import { BUNDLED, isWebAddress, type Profiles, parseKey, readKeyFile, unknownProfile } from './config.ts';
import type { Environment } from './directories.ts';
import { durationSetting, type ServerFlags, serverSettings } from './server-settings.ts';

export interface TargetFlags extends ServerFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly local?: boolean | undefined;
  readonly allowInsecure?: boolean | undefined;
}

interface TargetSources {
  readonly flags: TargetFlags;
  readonly env: Environment;
  readonly profiles: Profiles;
}

type Destination = Omit<ReturnType<typeof resolveDestination>, 'baseUrl'>;

export type RemoteTarget = Readonly<ReturnType<typeof buildRemoteTarget>>;
export type Target = Readonly<ReturnType<typeof buildEmbeddedTarget>> | RemoteTarget;

/**
 * Returns where requests go, and with which key. Throws the errors of `resolveDestination`, `parseKey` and `readKeyFile`.
 * A profile from a flag takes precedence over the environment, so that `--profile staging` can't reach production. A
 * profile's key and settings are used only for its own origin. A key from the environment is used for any target,
 * because the bundled engine can have several companies.
 */
export function resolveTarget(sources: TargetSources): Target {
  const { baseUrl, ...where } = resolveDestination(sources);
  return baseUrl === undefined
    ? buildEmbeddedTarget(sources, where)
    : buildRemoteTarget(sources, where, baseUrl);
}

export function requireKey(target: RemoteTarget): string {
  const { key, keyWithheld, baseUrl } = target;
  if (key !== undefined) return key;
  throw new PartnerError('KEY_MISSING', {
    message: keyWithheld ?? `no key for ${baseUrl}`,
    hint: `log in with \`${loginCommand(target)}\`, or set PARTNER_API_KEY`,
  });
}

export function describeRefusedKey(target: Target): string | undefined {
  const { kind, from } = target;
  if (from.key === undefined) return undefined;
  if (kind === 'embedded')
    return `the request went to the bundled engine, which doesn't recognize the key from ${from.key}. Set a server with --base-url or PARTNER_BASE_URL, or unset ${from.key}`;
  if (from.key !== `profile ${target.profile}`)
    return `${target.baseUrl} doesn't recognize the key from ${from.key}, or it was revoked. Set another key there`;
  return `the key of profile ${target.profile} is invalid or revoked. Set a new one with \`${loginCommand(target)}\``;
}

function loginCommand({ profile, baseUrl, allowInsecure, from }: RemoteTarget): string {
  const isOfProfile = [from.baseUrl, from.key].includes(`profile ${profile}`);
  const words = [...(isOfProfile ? [profile] : []), '--base-url', baseUrl];
  return ['partner auth login', ...words, ...(allowInsecure ? ['--allow-insecure'] : [])].join(' ');
}

function buildEmbeddedTarget(sources: TargetSources, { profileFrom, from }: Destination) {
  const { env } = sources;
  // A key next to a server's URL in the environment belongs to that server.
  const isOfServer = from.startsWith('flag') && env.PARTNER_BASE_URL && !isLocalName(env.PARTNER_BASE_URL);
  const key = isOfServer ? undefined : findEnvironmentKey(sources);
  return {
    kind: 'embedded' as const,
    key: key?.value,
    limits: LIMITS,
    /** Sources of the values: `flag --base-url`, `PARTNER_BASE_URL`, `profile acme`, `default`. */
    from: { profile: profileFrom, baseUrl: from, key: key?.from },
  };
}

function buildRemoteTarget(
  sources: TargetSources,
  { profile, profileFrom, from }: Destination,
  baseUrl: string,
) {
  const { flags, env } = sources;
  const { origin } = new URL(baseUrl);
  const originOfProfile = profile && new URL(profile.baseUrl).origin;
  const own = originOfProfile === origin ? profile : undefined;
  const keyOfProfile = own?.key === undefined ? undefined : { value: own.key, from: `profile ${own.name}` };
  const isProfileFirst = flags.profile !== undefined && keyOfProfile !== undefined;
  const key = isProfileFirst ? keyOfProfile : (findEnvironmentKey(sources) ?? keyOfProfile);
  return {
    kind: 'remote' as const,
    baseUrl,
    key: key?.value,
    profile: profile?.name,
    allowInsecure: flags.allowInsecure === true || own?.allowInsecure === true,
    ...serverSettings(flags, env, own, baseUrl),
    keyWithheld:
      key === undefined && profile?.key !== undefined
        ? `the key of profile ${profile.name} is for ${originOfProfile} and isn't sent to ${origin}`
        : undefined,
    from: { profile: profileFrom, baseUrl: from, key: key?.from },
  };
}

function findEnvironmentKey({ env }: TargetSources) {
  if (env.PARTNER_API_KEY?.trim()) {
    return { value: parseKey(env.PARTNER_API_KEY, 'PARTNER_API_KEY'), from: 'PARTNER_API_KEY' };
  }
  const path = env.PARTNER_API_KEY_FILE;
  if (!path) return undefined;
  return { value: parseKey(readKeyFile(path), `the file ${path}`), from: 'PARTNER_API_KEY_FILE' };
}

const LOCAL = 'local';

/** Precedence: flag, environment, profile, bundled engine. Throws USAGE for invalid settings and empty variables. */
export function resolveDestination(sources: TargetSources) {
  const { flags, env, profiles } = sources;
  if (flags.local) assertNothingElse(flags);
  const [name, profileFrom] = chooseProfile(sources);
  const profile = profiles.all.find((known) => known.name === name);
  const ofProfile = profile && { value: profile.baseUrl, from: `profile ${name}` };
  const ofBundled = name === BUNDLED ? { value: LOCAL, from: profileFrom } : undefined;
  const { value = '', from = '' } = findAddress(sources) ?? ofProfile ?? ofBundled ?? {};
  const isBundled = isLocalName(value);
  if (!isBundled || from === 'default') assertNoneEmpty(env);
  const names = profiles.all.map((known) => known.name);
  if (profile === undefined && name !== BUNDLED) throw unknownProfile(name, names);
  return { profile, profileFrom, baseUrl: isBundled ? undefined : parseWebAddress(value, from), from };
}

/** Throws USAGE if requests would go to a server, because `command` only works with the bundled engine. */
export function assertBundled(command: string, sources: TargetSources): void {
  const { baseUrl, from } = resolveDestination(sources);
  if (baseUrl === undefined) return;
  const own = `. For ${new URL(baseUrl).host}, use that server's dashboard`;
  throw new PartnerError('USAGE', {
    message: `\`${command}\` only works on the bundled engine, but requests go to ${baseUrl} (${from})`,
    hint: `to use the bundled engine, run \`${command} --local\`${command.startsWith('partner dashboard') ? own : ''}`,
  });
}

export function isLocalName(address: string): boolean {
  return address.trim().toLowerCase() === LOCAL;
}

function findAddress({ flags, env }: TargetSources) {
  if (flags.local) return { value: LOCAL, from: 'flag --local' };
  if (flags.baseUrl !== undefined) return { value: flags.baseUrl, from: 'flag --base-url' };
  if (flags.profile !== undefined || env.PARTNER_BASE_URL === undefined) return undefined;
  return { value: env.PARTNER_BASE_URL, from: 'PARTNER_BASE_URL' };
}

function assertNothingElse({ profile = BUNDLED, baseUrl = LOCAL }: TargetFlags): void {
  if (isLocalName(baseUrl) && profile === BUNDLED) return;
  const other = isLocalName(baseUrl) ? `--profile ${profile}` : `--base-url ${baseUrl}`;
  throw new PartnerError('USAGE', {
    message: `--local selects the bundled engine, but ${other} selects a server`,
    hint: 'pass only one of them',
  });
}

const VARIABLES = ['PARTNER_BASE_URL', 'PARTNER_PROFILE', 'PARTNER_API_KEY', 'PARTNER_API_KEY_FILE'];

/** CI systems set a variable to an empty string if its secret is missing. Requests must then fail, not go elsewhere. */
export function assertNoneEmpty(env: Environment, names: readonly string[] = VARIABLES): void {
  const empty = names.filter((name) => env[name]?.trim() === '');
  if (empty.length === 0) return;
  const [are, them] = empty.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const local = `. To use the bundled engine, pass \`--local\` or set PARTNER_BASE_URL=${LOCAL}`;
  throw new PartnerError('USAGE', {
    message: `${empty.join(' and ')} ${are} set but empty. A CI secret or variable may be missing`,
    hint: `set ${them} to a value, or unset ${them}${names === VARIABLES ? local : ''}`,
  });
}

/** Returns the state location (`given`, then PARTNER_STATE) and the lease of its lock in ms. Throws USAGE. */
export function readStateSettings(given: string | undefined, env: Environment) {
  if (given === undefined) assertNoneEmpty(env, ['PARTNER_STATE']);
  const leaseMs = durationSetting('PARTNER_STATE_LEASE', env.PARTNER_STATE_LEASE || '60s');
  return { stateFlag: given ?? env.PARTNER_STATE, leaseMs };
}

function chooseProfile({ flags, env, profiles }: TargetSources): [name: string, from: string] {
  if (flags.local) return [BUNDLED, 'flag --local'];
  if (flags.profile !== undefined) return [flags.profile, 'flag --profile'];
  if (env.PARTNER_PROFILE?.trim()) return [env.PARTNER_PROFILE, 'PARTNER_PROFILE'];
  return profiles.current === undefined ? [BUNDLED, 'default'] : [profiles.current, 'current profile'];
}

function parseWebAddress(text: string, from: string): string {
  const address = text.trim();
  if (isWebAddress(address)) return address;
  throw new PartnerError('USAGE', {
    message: `${from} must start with https:// or http://, not ${JSON.stringify(text)}`,
    hint: 'use the complete URL with its version, such as https://api.example.com/v1',
  });
}
