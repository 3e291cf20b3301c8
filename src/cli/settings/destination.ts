import { PartnerError } from '../../contract/errors.ts';
import { BUNDLED, isWebAddress, type Profile, type Profiles, unknownProfile } from './config.ts';
import type { Environment } from './directories.ts';
import type { ServerFlags } from './server-settings.ts';

export interface TargetFlags extends ServerFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** The bundled engine, whatever the environment and the profiles say. */
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
  readonly isProfileByFlag: boolean;
  /** Undefined for the bundled engine. */
  readonly baseUrl: Given | undefined;
  /** What names the bundled engine; undefined where it serves because nothing else is named. */
  readonly bundledBy: string | undefined;
}

/** The bundled engine as a base URL. */
const LOCAL = 'local';

/**
 * Where a call goes: flag, then environment, then profile, then the bundled engine. Throws USAGE for a profile or an
 * address that is none, for flags that contradict each other, and for a variable that is set and empty.
 */
export function destination(sources: DestinationSources): Destination {
  const { flags } = sources;
  const bundledBy = namedBundled(sources);
  if (flags.local) {
    assertNothingElse(flags);
    const profileFrom = 'flag --local';
    return { profile: undefined, profileFrom, isProfileByFlag: true, baseUrl: undefined, bundledBy };
  }
  if (bundledBy === undefined) assertNoneEmpty(sources.env);
  const chosen = chosenProfile(sources);
  const isServer = bundledBy === undefined;
  return { ...chosen, baseUrl: isServer ? givenBaseUrl(sources, chosen) : undefined, bundledBy };
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

function assertNothingElse({ profile, baseUrl }: TargetFlags): void {
  const other =
    baseUrl !== undefined && !isLocalName(baseUrl)
      ? `--base-url ${baseUrl}`
      : profile !== undefined && profile !== BUNDLED
        ? `--profile ${profile}`
        : undefined;
  if (other === undefined) return;
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

type Chosen = Pick<Destination, 'profile' | 'profileFrom' | 'isProfileByFlag'>;

function chosenProfile({ flags, env, profiles }: DestinationSources): Chosen {
  const [name, profileFrom] =
    flags.profile !== undefined
      ? [flags.profile, 'flag --profile']
      : env.PARTNER_PROFILE?.trim()
        ? [env.PARTNER_PROFILE, 'PARTNER_PROFILE']
        : [profiles.current ?? BUNDLED, profiles.current === undefined ? 'default' : 'current profile'];
  const profile = profiles.all.find((known) => known.name === name);
  const names = profiles.all.map((known) => known.name);
  if (profile === undefined && name !== BUNDLED) throw unknownProfile(name, names);
  return { profile, profileFrom, isProfileByFlag: flags.profile !== undefined };
}

function givenBaseUrl(
  { flags, env }: DestinationSources,
  { profile, isProfileByFlag }: Chosen,
): Given | undefined {
  if (flags.baseUrl !== undefined) return webAddress(flags.baseUrl, 'flag --base-url');
  if (env.PARTNER_BASE_URL && !isProfileByFlag) return webAddress(env.PARTNER_BASE_URL, 'PARTNER_BASE_URL');
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
