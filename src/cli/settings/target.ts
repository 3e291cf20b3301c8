import { PartnerError } from '../../contract/errors.ts';
import { LIMITS, type Limits } from '../../contract/values.ts';
import { BUNDLED, isWebAddress, type Profile, type Profiles, unknownProfile } from './config.ts';
import type { Environment } from './directories.ts';
import { checkedKey, readKeyFile } from './keys.ts';
import { durationSetting, type ServerFlags, type ServerSettings, serverSettings } from './server-settings.ts';

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

interface Given {
  readonly value: string;
  readonly from: string;
}

interface Destination {
  readonly profile: Profile | undefined;
  /** Which source chose the profile: `flag --profile`, `PARTNER_PROFILE`, `current profile`, `default`. */
  readonly profileFrom: string;
  readonly baseUrl: Given | undefined;
  /** What names the bundled engine; undefined where it serves because nothing else is named. */
  readonly bundledBy: string | undefined;
}

interface AnyTarget {
  readonly key: string | undefined;
  readonly limits: Limits;
  /** Which source won: `flag --base-url`, `PARTNER_BASE_URL`, `profile acme`, `default`. */
  readonly from: { readonly profile: string; readonly baseUrl: string; readonly key: string | undefined };
}

/** The bundled engine in this process. Without a key it's called with the key of this machine's user. */
interface EmbeddedTarget extends AnyTarget {
  readonly kind: 'embedded';
}

export interface RemoteTarget extends AnyTarget, ServerSettings {
  readonly kind: 'remote';
  readonly baseUrl: string;
  /** The profile that was named or is the current one, whether or not it is this server's. */
  readonly profile: string | undefined;
  readonly allowInsecure: boolean;
  /** Why there is no key, where the profile's is for another server. */
  readonly keyWithheld: string | undefined;
}

export type Target = EmbeddedTarget | RemoteTarget;

/**
 * Where a call goes, and with which key.
 *
 * A profile that a flag names ranks as a flag: `--profile staging` must not reach the environment's production server.
 * A profile's key and settings go with its own server only, by origin: `--base-url` must not carry them elsewhere. A
 * key from the environment goes with every target, also the bundled engine, which has several companies.
 *
 * Throws what `destination`, `checkedKey` and `readKeyFile` throw.
 */
export function resolveTarget(sources: TargetSources): Target {
  const where = destination(sources);
  return where.baseUrl === undefined ? embedded(sources, where) : remote(sources, where, where.baseUrl);
}

/** The key to send. Throws KEY_MISSING where there is none. */
export function requiredKey(target: RemoteTarget): string {
  const { key, keyWithheld, baseUrl } = target;
  if (key !== undefined) return key;
  throw new PartnerError('KEY_MISSING', {
    message: keyWithheld ?? `there is no key for ${baseUrl}`,
    hint: `log in there with \`${loginCommand(target)}\`, or set PARTNER_API_KEY`,
  });
}

/** What to do about a refused key, by where it came from; undefined where the error's own hint fits best. */
export function refusedKeyHint(target: Target): string | undefined {
  const { kind, from } = target;
  if (from.key === undefined) return undefined;
  if (kind === 'embedded')
    return `the call went to the bundled engine, which does not know the key of ${from.key}: name a server with --base-url or PARTNER_BASE_URL, or unset ${from.key}`;
  if (from.key !== `profile ${target.profile}`)
    return `${target.baseUrl} does not know the key of ${from.key}, or has revoked it: put another one there`;
  return `the key of profile ${target.profile} is unknown or revoked there; give it a new one with \`${loginCommand(target)}\``;
}

function loginCommand({ profile, baseUrl, allowInsecure, from }: RemoteTarget): string {
  const isOfProfile = [from.baseUrl, from.key].includes(`profile ${profile}`);
  const words = [...(isOfProfile ? [profile] : []), '--base-url', baseUrl];
  return ['partner auth login', ...words, ...(allowInsecure ? ['--allow-insecure'] : [])].join(' ');
}

function embedded(sources: TargetSources, { profileFrom, bundledBy }: Destination): EmbeddedTarget {
  const { env } = sources;
  // A key beside the address of a server belongs to that server.
  const isOfServer =
    bundledBy?.startsWith('flag') && env.PARTNER_BASE_URL && !isLocalName(env.PARTNER_BASE_URL);
  const key = isOfServer ? undefined : keyOfEnvironment(sources);
  return {
    kind: 'embedded',
    key: key?.value,
    limits: LIMITS,
    from: { profile: profileFrom, baseUrl: bundledBy ?? 'default', key: key?.from },
  };
}

function remote(
  sources: TargetSources,
  { profile, profileFrom }: Destination,
  { value: baseUrl, from }: Given,
): RemoteTarget {
  const { flags, env } = sources;
  const { origin } = new URL(baseUrl);
  const originOfProfile = profile && new URL(profile.baseUrl).origin;
  const own = originOfProfile === origin ? profile : undefined;
  const keyOfProfile = own?.key === undefined ? undefined : { value: own.key, from: `profile ${own.name}` };
  const isProfileFirst = flags.profile !== undefined && keyOfProfile !== undefined;
  const key = isProfileFirst ? keyOfProfile : (keyOfEnvironment(sources) ?? keyOfProfile);
  return {
    kind: 'remote',
    baseUrl,
    key: key?.value,
    profile: profile?.name,
    allowInsecure: flags.allowInsecure === true || own?.allowInsecure === true,
    ...serverSettings(flags, env, own, baseUrl),
    keyWithheld:
      key === undefined && profile?.key !== undefined
        ? `the key of profile ${profile.name} is for ${originOfProfile} and is not sent to ${origin}`
        : undefined,
    from: { profile: profileFrom, baseUrl: from, key: key?.from },
  };
}

function keyOfEnvironment({ env }: TargetSources): Given | undefined {
  if (env.PARTNER_API_KEY?.trim()) {
    return { value: checkedKey(env.PARTNER_API_KEY, 'PARTNER_API_KEY'), from: 'PARTNER_API_KEY' };
  }
  const path = env.PARTNER_API_KEY_FILE;
  if (!path) return undefined;
  return { value: checkedKey(readKeyFile(path), `the file ${path}`), from: 'PARTNER_API_KEY_FILE' };
}

const LOCAL = 'local';

/**
 * Where a call goes: flag, then environment, then profile, then the bundled engine. Throws USAGE for a profile or an
 * address that is none, for flags that contradict each other, and for a variable that is set and empty.
 */
export function destination(sources: TargetSources): Destination {
  const { flags, env, profiles } = sources;
  if (flags.local) assertNothingElse(flags);
  const bundledBy = namedBundled(sources);
  if (bundledBy === undefined) assertNoneEmpty(env);
  const [name, profileFrom] = namedProfile(sources);
  const profile = profiles.all.find((known) => known.name === name);
  const names = profiles.all.map((known) => known.name);
  if (profile === undefined && name !== BUNDLED) throw unknownProfile(name, names);
  const baseUrl = bundledBy === undefined ? givenBaseUrl(sources, profile) : undefined;
  return { profile, profileFrom, baseUrl, bundledBy };
}

/** Throws USAGE where calls would go to a server: `command` acts on the bundled engine only. */
export function assertBundled(command: string, sources: TargetSources): void {
  const { baseUrl } = destination(sources);
  if (baseUrl === undefined) return;
  const own = `; for ${new URL(baseUrl.value).host} people use that service's own dashboard`;
  throw new PartnerError('USAGE', {
    message: `\`${command}\` acts on the bundled engine only, and calls go to ${baseUrl.value} (${baseUrl.from})`,
    hint: `\`${command} --local\` means the bundled engine${command.startsWith('partner dashboard') ? own : ''}`,
  });
}

export function isLocalName(address: string): boolean {
  return address.trim().toLowerCase() === LOCAL;
}

function namedBundled({ flags, env }: TargetSources): string | undefined {
  if (flags.local) return 'flag --local';
  if (flags.baseUrl !== undefined) return isLocalName(flags.baseUrl) ? 'flag --base-url' : undefined;
  if (flags.profile !== undefined) return flags.profile === BUNDLED ? 'flag --profile' : undefined;
  const { PARTNER_BASE_URL: baseUrl, PARTNER_PROFILE: profile } = env;
  if (baseUrl !== undefined) return isLocalName(baseUrl) ? 'PARTNER_BASE_URL' : undefined;
  return profile === BUNDLED ? 'PARTNER_PROFILE' : undefined;
}

function assertNothingElse({ profile = BUNDLED, baseUrl = LOCAL }: TargetFlags): void {
  if (isLocalName(baseUrl) && profile === BUNDLED) return;
  const other = isLocalName(baseUrl) ? `--profile ${profile}` : `--base-url ${baseUrl}`;
  throw new PartnerError('USAGE', {
    message: `--local means the bundled engine, ${other} a server`,
    hint: 'give one of the two',
  });
}

const VARIABLES = ['PARTNER_BASE_URL', 'PARTNER_PROFILE', 'PARTNER_API_KEY', 'PARTNER_API_KEY_FILE'];

/** A CI sets a variable to nothing where its secret is missing: the call must not go elsewhere then. */
export function assertNoneEmpty(env: Environment, names: readonly string[] = VARIABLES): void {
  const empty = names.filter((name) => env[name]?.trim() === '');
  if (empty.length === 0) return;
  const [are, them] = empty.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const local = `; \`--local\` or PARTNER_BASE_URL=${LOCAL} mean the bundled engine`;
  throw new PartnerError('USAGE', {
    message: `${empty.join(' and ')} ${are} set and empty: a secret or a variable of the CI may be missing`,
    hint: `give ${them} a value, or unset ${them}${names === VARIABLES ? local : ''}`,
  });
}

/** The state of `apply` (`given`, then PARTNER_STATE), and how long its lock outlives a killed run. Throws USAGE. */
export function stateIn(given: string | undefined, env: Environment) {
  if (given === undefined) assertNoneEmpty(env, ['PARTNER_STATE']);
  const stateLeaseMs = durationSetting('PARTNER_STATE_LEASE', env.PARTNER_STATE_LEASE || '60s');
  return { stateFile: given ?? env.PARTNER_STATE, stateLeaseMs };
}

function namedProfile({ flags, env, profiles }: TargetSources): [name: string, from: string] {
  if (flags.local) return [BUNDLED, 'flag --local'];
  if (flags.profile !== undefined) return [flags.profile, 'flag --profile'];
  if (env.PARTNER_PROFILE?.trim()) return [env.PARTNER_PROFILE, 'PARTNER_PROFILE'];
  return profiles.current === undefined ? [BUNDLED, 'default'] : [profiles.current, 'current profile'];
}

function givenBaseUrl({ flags, env }: TargetSources, profile: Profile | undefined): Given | undefined {
  const { baseUrl, profile: named } = flags;
  if (baseUrl !== undefined) return webAddress(baseUrl, 'flag --base-url');
  if (env.PARTNER_BASE_URL && named === undefined)
    return webAddress(env.PARTNER_BASE_URL, 'PARTNER_BASE_URL');
  return profile === undefined ? undefined : { value: profile.baseUrl, from: `profile ${profile.name}` };
}

function webAddress(text: string, from: string): Given {
  const value = text.trim();
  if (isWebAddress(value)) return { value, from };
  throw new PartnerError('USAGE', {
    message: `${from} is no web address: ${JSON.stringify(text)}`,
    hint: 'write it whole, version included: https://api.example.com/v1',
  });
}
