import { PartnerError } from '../../contract/errors.ts';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import {
  type Destination,
  type DestinationSources,
  destination,
  type Given,
  isLocalName,
} from './destination.ts';
import { checkedKey, readKeyFile } from './keys.ts';
import { type ServerSettings, serverSettings } from './server-settings.ts';

interface AnyTarget {
  readonly key: string | undefined;
  readonly limits: Limits;
  /** Which source won: `flag --base-url`, `PARTNER_BASE_URL`, `profile acme`, `default`. */
  readonly from: { readonly profile: string; readonly baseUrl: string; readonly key: string | undefined };
}

/** The bundled engine in this process. Without a key the call is made as the company made on first use. */
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
export function resolveTarget(sources: DestinationSources): Target {
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

function embedded(sources: DestinationSources, { profileFrom, bundledBy }: Destination): EmbeddedTarget {
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
  sources: DestinationSources,
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

function keyOfEnvironment({ env }: DestinationSources): Given | undefined {
  if (env.PARTNER_API_KEY?.trim()) {
    return { value: checkedKey(env.PARTNER_API_KEY, 'PARTNER_API_KEY'), from: 'PARTNER_API_KEY' };
  }
  const path = env.PARTNER_API_KEY_FILE;
  if (!path) return undefined;
  return { value: checkedKey(readKeyFile(path), `the file ${path}`), from: 'PARTNER_API_KEY_FILE' };
}
