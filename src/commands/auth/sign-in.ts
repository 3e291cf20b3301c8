import type { CallFlags, Connection } from '../../cli/connection/connect.ts';
import { assertServesKey, companyOfKey } from '../../cli/probe.ts';
import type { Profile } from '../../cli/settings/config.ts';
import { configDirectory, directories, type Environment } from '../../cli/settings/directories.ts';
import { checkedKey } from '../../cli/settings/keys.ts';
import { assertProfileName, loadProfiles, saveProfile } from '../../cli/settings/profiles.ts';
import { serverSettings } from '../../cli/settings/server-settings.ts';
import { assertNoneEmpty, isLocalName, type RemoteTarget } from '../../cli/settings/target.ts';
import { askSecret, askText, confirm } from '../../cli/terminal/ask.ts';
import type { CliContext } from '../../cli/terminal/streams.ts';
import { PartnerError } from '../../contract/errors.ts';
import { readInput } from '../../listings/read/read.ts';

interface LoginRequest {
  readonly name: string;
  /** Read the key from stdin. */
  readonly withKey: boolean;
  /** Settings of the server for the profile to keep; undefined for one to forget. */
  readonly settings: Partial<Profile>;
  /** Whether it becomes the current profile; asked where it is undefined. */
  readonly toSwitch: boolean | undefined;
}

/** Asks for what is missing, has the server take the key, and keeps both as a profile. */
export async function loginWith(
  { name, withKey, settings, toSwitch }: LoginRequest,
  flags: CallFlags,
  context: CliContext,
  connectTo: (target: RemoteTarget) => Promise<Connection>,
) {
  const { env, streams } = context;
  // Before anybody types a key for it.
  assertProfileName(name);
  const directory = configDirectory(directories(env));
  const { current, all } = loadProfiles(directory);
  const named = all.find((profile) => profile.name === name);
  const address = await serverAddress(flags, named, context);
  // What was said of one server does not hold for another.
  const known = named !== undefined && originOf(named.baseUrl) === originOf(address) ? named : undefined;
  const { assertSafeBaseUrl } = await import('../../client/base-url.ts');
  const allowInsecure = flags.allowInsecure || known?.allowInsecure === true;
  const baseUrl = assertSafeBaseUrl(address, { allowInsecure });
  const key = await givenKey(withKey, context);
  const profile: Profile = {
    ...known,
    name,
    baseUrl,
    key,
    ...settings,
    traits: undefined,
    ...(allowInsecure ? { allowInsecure } : {}),
  };
  const { client } = await connectTo(targetOf(profile, settings, env));
  await assertServesKey(client);
  const companyId = await companyOfKey(client);
  const question = `Make ${name} the current profile, instead of ${current}?`;
  const isAsked = current !== undefined && current !== name && streams.canAsk;
  const isCurrent = toSwitch ?? (!isAsked || (await confirm(streams, question, '--switch', true)));
  await saveProfile(directory, { ...profile, traits: { ...client.traits } }, { isCurrent });
  return { profile, current: isCurrent ? name : current, companyId };
}

async function serverAddress(
  { baseUrl, local }: CallFlags,
  named: Profile | undefined,
  { env, streams }: CliContext,
): Promise<string> {
  if (baseUrl === undefined) assertNoneEmpty(env, ['PARTNER_BASE_URL']);
  const given = baseUrl ?? env.PARTNER_BASE_URL ?? named?.baseUrl;
  if (local || (given !== undefined && isLocalName(given))) {
    throw new PartnerError('USAGE', {
      message: 'the bundled engine needs no login',
      hint: 'name a server with --base-url; `partner auth switch bundled` goes back to the bundled engine',
    });
  }
  return (given ?? (await askText(streams, "The API's root, version included:", '--base-url'))).trim();
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

async function givenKey(withKey: boolean, { streams }: CliContext): Promise<string> {
  // Typed at a terminal it would be shown.
  if (!withKey || streams.stdinIsTerminal)
    return checkedKey(await askSecret(streams, 'Partner key:', '--with-key'), 'the answer');
  return checkedKey(await readInput('-', streams), 'stdin');
}

function targetOf(profile: Profile, given: Partial<Profile>, env: Environment): RemoteTarget {
  const { name, baseUrl, key, allowInsecure = false } = profile;
  const settings = serverSettings(given, env, profile, '');
  return {
    ...settings,
    kind: 'remote',
    baseUrl,
    key,
    profile: name,
    allowInsecure,
    caFile: given.caFile ?? settings.caFile,
    proxy: given.proxy ?? settings.proxy,
    keyWithheld: undefined,
    from: { profile: 'login', baseUrl: 'login', key: 'login' },
  };
}
