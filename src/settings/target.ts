import { PartnerError } from '../contract/errors.ts';
import { LIMITS, type Limits, NO_LIMITS } from '../contract/limits.ts';
import { BUNDLED, isWebAddress, type Profile, type Profiles, unknownProfile } from './config.ts';
import type { Environment } from './directories.ts';
import { checkedKey } from './keys.ts';

/** The flags that say where a call goes. */
export interface TargetFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly allowInsecure?: boolean | undefined;
}

/** All that says where a call goes. */
export interface TargetSources {
  readonly flags: TargetFlags;
  readonly env: Environment;
  readonly profiles: Profiles;
  /** The text of the key file; called only where it decides. */
  readonly readKeyFile: (path: string) => string;
}

/** Which source won: `flag --base-url`, `PARTNER_BASE_URL`, `profile acme`, `default`. */
interface Provenance {
  readonly profile: string;
  readonly baseUrl: string;
  /** Undefined where nobody has given a key. */
  readonly key: string | undefined;
}

interface AnyTarget {
  readonly key: string | undefined;
  readonly limits: Limits;
  readonly from: Provenance;
  /** What the user may not expect of where the call goes. */
  readonly warnings: readonly string[];
}

/** The bundled engine in this process. Without a key the call is made as the company made on first use. */
interface EmbeddedTarget extends AnyTarget {
  readonly kind: 'embedded';
}

/** A server. */
export interface RemoteTarget extends AnyTarget {
  readonly kind: 'remote';
  readonly baseUrl: string;
  /** The profile that was named or is the current one, whether or not it is this server's. */
  readonly profile: string | undefined;
  readonly allowInsecure: boolean;
  readonly locationQueryParameter: string | undefined;
  /** Why there is no key, where the profile's is for another server. */
  readonly keyWithheld: string | undefined;
}

export type Target = EmbeddedTarget | RemoteTarget;

/**
 * Where a call goes: flag, then environment, then profile, then the bundled engine.
 *
 * A profile that a flag names stands as high as a flag: who types `--profile staging` must not reach what the
 * environment has set up for production. A profile's key and settings go with its own server only, by origin:
 * `--base-url` must not carry them elsewhere. A key from the environment goes with every target, also the
 * bundled engine, which has several companies; a key of some server is unknown there and refused.
 *
 * Throws USAGE for a profile or an address that is none, KEY_MISSING for a text that is no key, and what
 * `readKeyFile` throws.
 */
export function resolveTarget(sources: TargetSources): Target {
  const chosen = chosenProfile(sources);
  const baseUrl = givenBaseUrl(sources, chosen);
  return baseUrl === undefined ? embedded(sources, chosen) : remote(sources, chosen, baseUrl);
}

/** The key to send. Throws KEY_MISSING, and says why, where there is none. */
export function requiredKey({ key, keyWithheld, baseUrl }: RemoteTarget): string {
  if (key !== undefined) return key;
  throw new PartnerError('KEY_MISSING', {
    message: keyWithheld ?? `there is no key for ${baseUrl}`,
    hint: `log in there with \`partner auth login --base-url ${baseUrl}\`, or set PARTNER_API_KEY`,
  });
}

/** What to do about a refused key, where that depends on where it came from; undefined where it does not. */
export function refusedKeyHint({ kind, from }: Target): string | undefined {
  if (kind === 'remote' || from.key === undefined) return undefined;
  return `the call went to the bundled engine, which does not know the key of ${from.key}: name a server with --base-url or PARTNER_BASE_URL, or unset ${from.key}`;
}

interface Chosen {
  readonly profile: Profile | undefined;
  readonly from: string;
  readonly isByFlag: boolean;
}

function chosenProfile({ flags, env, profiles }: TargetSources): Chosen {
  const [name, from] =
    flags.profile !== undefined
      ? [flags.profile, 'flag --profile']
      : env.PARTNER_PROFILE
        ? [env.PARTNER_PROFILE, 'PARTNER_PROFILE']
        : [profiles.current ?? BUNDLED, profiles.current === undefined ? 'default' : 'current profile'];
  const profile = profiles.all.find((known) => known.name === name);
  if (profile === undefined && name !== BUNDLED) {
    throw unknownProfile(
      name,
      profiles.all.map((known) => known.name),
    );
  }
  return { profile, from, isByFlag: flags.profile !== undefined };
}

/** A value and the source that gave it. */
interface Given {
  readonly value: string;
  readonly from: string;
}

function givenBaseUrl({ flags, env }: TargetSources, { profile, isByFlag }: Chosen): Given | undefined {
  if (flags.baseUrl !== undefined) return webAddress(flags.baseUrl, 'flag --base-url');
  if (env.PARTNER_BASE_URL && !isByFlag) return webAddress(env.PARTNER_BASE_URL, 'PARTNER_BASE_URL');
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

function embedded(sources: TargetSources, chosen: Chosen): EmbeddedTarget {
  const key = keyOfEnvironment(sources);
  return {
    kind: 'embedded',
    key: key?.value,
    limits: LIMITS,
    from: { profile: chosen.from, baseUrl: 'default', key: key?.from },
    warnings: passedOver(sources, chosen, 'default'),
  };
}

function remote(sources: TargetSources, chosen: Chosen, baseUrl: Given): RemoteTarget {
  const { profile } = chosen;
  const isItsServer = profile !== undefined && originOf(profile.baseUrl) === originOf(baseUrl.value);
  const own = isItsServer ? profile : undefined;
  const key = givenKey(sources, chosen, own);
  return {
    kind: 'remote',
    baseUrl: baseUrl.value,
    key: key?.value,
    profile: profile?.name,
    allowInsecure: sources.flags.allowInsecure === true || own?.allowInsecure === true,
    limits: own?.limits === 'none' ? NO_LIMITS : LIMITS,
    locationQueryParameter: own?.locationQueryParameter,
    keyWithheld:
      key === undefined && profile?.key !== undefined
        ? `the key of profile ${profile.name} is for ${originOf(profile.baseUrl)} and is not sent to ${originOf(baseUrl.value)}`
        : undefined,
    from: { profile: chosen.from, baseUrl: baseUrl.from, key: key?.from },
    warnings: passedOver(sources, chosen, baseUrl.from),
  };
}

function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

function givenKey(sources: TargetSources, { isByFlag }: Chosen, own: Profile | undefined): Given | undefined {
  const ofProfile = own?.key === undefined ? undefined : { value: own.key, from: `profile ${own.name}` };
  return isByFlag && ofProfile !== undefined ? ofProfile : (keyOfEnvironment(sources) ?? ofProfile);
}

function keyOfEnvironment({ env, readKeyFile }: TargetSources): Given | undefined {
  if (env.PARTNER_API_KEY?.trim()) {
    return { value: checkedKey(env.PARTNER_API_KEY, 'PARTNER_API_KEY'), from: 'PARTNER_API_KEY' };
  }
  const path = env.PARTNER_API_KEY_FILE;
  if (!path) return undefined;
  return { value: checkedKey(readKeyFile(path), `the file ${path}`), from: 'PARTNER_API_KEY_FILE' };
}

/** Says that `--profile` was preferred to an address which the environment names. */
function passedOver({ flags, env }: TargetSources, { isByFlag }: Chosen, baseUrlFrom: string): string[] {
  if (!isByFlag || !env.PARTNER_BASE_URL || baseUrlFrom === 'flag --base-url') return [];
  return [`--profile ${flags.profile} is used, not PARTNER_BASE_URL`];
}
