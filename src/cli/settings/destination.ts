import { PartnerError } from '../../contract/errors.ts';
import { BUNDLED, isWebAddress, type Profile, type Profiles, unknownProfile } from './config.ts';
import type { Environment } from './directories.ts';
import type { ServerFlags } from './server-settings.ts';

export interface TargetFlags extends ServerFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly local?: boolean | undefined;
  readonly allowInsecure?: boolean | undefined;
}

export interface DestinationSources {
  readonly flags: TargetFlags;
  readonly env: Environment;
  readonly profiles: Profiles;
}

export interface Given {
  readonly value: string;
  readonly from: string;
}

export interface Destination {
  readonly profile: Profile | undefined;
  /** Which source chose the profile: `flag --profile`, `PARTNER_PROFILE`, `current profile`, `default`. */
  readonly profileFrom: string;
  readonly baseUrl: Given | undefined;
  /** What names the bundled engine; undefined where it serves because nothing else is named. */
  readonly bundledBy: string | undefined;
}

const LOCAL = 'local';

/**
 * Where a call goes: flag, then environment, then profile, then the bundled engine. Throws USAGE for a profile or an
 * address that is none, for flags that contradict each other, and for a variable that is set and empty.
 */
export function destination(sources: DestinationSources): Destination {
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
export function assertBundled(command: string, sources: DestinationSources): void {
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

function namedBundled({ flags, env }: DestinationSources): string | undefined {
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
  throw new PartnerError('USAGE', {
    message: `${empty.join(' and ')} ${are} set and empty: a secret or a variable of the CI may be missing`,
    hint: `give ${them} a value, or unset ${them}; \`--local\` or PARTNER_BASE_URL=${LOCAL} mean the bundled engine`,
  });
}

function namedProfile({ flags, env, profiles }: DestinationSources): [name: string, from: string] {
  if (flags.local) return [BUNDLED, 'flag --local'];
  if (flags.profile !== undefined) return [flags.profile, 'flag --profile'];
  if (env.PARTNER_PROFILE?.trim()) return [env.PARTNER_PROFILE, 'PARTNER_PROFILE'];
  return profiles.current === undefined ? [BUNDLED, 'default'] : [profiles.current, 'current profile'];
}

function givenBaseUrl({ flags, env }: DestinationSources, profile: Profile | undefined): Given | undefined {
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
