import type { CallFlags, Connection } from '../connection.ts';
import { LIMITS } from '../contract/limits.ts';
import { readInput } from '../intake/read.ts';
import type { Profile } from '../settings/config.ts';
import { configDirectory, directories } from '../settings/directories.ts';
import { checkedKey } from '../settings/keys.ts';
import { loadProfiles, saveProfile } from '../settings/profiles.ts';
import type { RemoteTarget } from '../settings/target.ts';
import type { Surroundings } from '../surroundings.ts';
import { askSecret, askText } from '../ui/ask.ts';
import { assertServesKey } from './probe.ts';

export interface LoginRequest {
  readonly name: string;
  /** Read the key from stdin. */
  readonly withKey: boolean;
  readonly locationQueryParameter: string | undefined;
  readonly limits: Profile['limits'];
}

/** What a login is given of the command that it is part of. */
interface Place {
  readonly flags: CallFlags;
  readonly surroundings: Surroundings;
  readonly connectTo: (target: RemoteTarget) => Promise<Connection>;
}

/** Asks for what is missing, has the server take the key, and keeps both as the current profile. */
export async function loginWith(
  { name, withKey, locationQueryParameter, limits }: LoginRequest,
  { flags, surroundings, connectTo }: Place,
): Promise<Profile> {
  const directory = configDirectory(directories(surroundings.env));
  const named = loadProfiles(directory).all.find((profile) => profile.name === name);
  const address = await serverAddress(flags, named, surroundings);
  // What was said of one server does not hold for another.
  const known = named !== undefined && originOf(named.baseUrl) === originOf(address) ? named : undefined;
  const { assertSafeBaseUrl } = await import('../client/base-url.ts');
  const allowInsecure = flags.allowInsecure || known?.allowInsecure === true;
  const baseUrl = assertSafeBaseUrl(address, { allowInsecure });
  const key = await givenKey(withKey, surroundings);
  const profile: Profile = {
    ...known,
    name,
    baseUrl,
    key,
    ...(locationQueryParameter === undefined ? {} : { locationQueryParameter }),
    ...(limits === undefined ? {} : { limits }),
    ...(allowInsecure ? { allowInsecure } : {}),
  };
  const { client } = await connectTo(targetOf(profile));
  await assertServesKey(client);
  await saveProfile(directory, profile);
  return profile;
}

async function serverAddress(
  { baseUrl }: CallFlags,
  named: Profile | undefined,
  { env, streams }: Surroundings,
): Promise<string> {
  const given = baseUrl ?? env.PARTNER_BASE_URL ?? named?.baseUrl;
  return (given ?? (await askText(streams, "The API's root, version included:", '--base-url'))).trim();
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

async function givenKey(withKey: boolean, { streams }: Surroundings): Promise<string> {
  // Typed at a terminal it would be shown.
  if (!withKey || streams.stdinIsTerminal)
    return checkedKey(await askSecret(streams, 'Partner key:', '--with-key'), 'the answer');
  return checkedKey(await readInput('-', streams.stdin), 'stdin');
}

function targetOf({
  name,
  baseUrl,
  key,
  allowInsecure = false,
  locationQueryParameter,
}: Profile): RemoteTarget {
  return {
    kind: 'remote',
    baseUrl,
    key,
    profile: name,
    allowInsecure,
    limits: LIMITS,
    locationQueryParameter,
    keyWithheld: undefined,
    from: { profile: 'login', baseUrl: 'login', key: 'login' },
    warnings: [],
  };
}
