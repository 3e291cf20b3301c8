import type { CallFlags, Connection } from '../../cli/connection/connect.ts';
import { assertServesKey, companyOfKey } from '../../cli/probe.ts';
import { type Profile, parseKey } from '../../cli/settings/config.ts';
import { configDirectory, directories, type Environment } from '../../cli/settings/directories.ts';
import { assertProfileName, loadProfiles, saveProfile } from '../../cli/settings/profiles.ts';
import { serverSettings } from '../../cli/settings/server-settings.ts';
import { assertNoneEmpty, isLocalName, type RemoteTarget } from '../../cli/settings/target.ts';
import { askSecret, askText, confirm } from '../../cli/terminal/ask.ts';
import type { CliContext } from '../../cli/terminal/streams.ts';
import { PartnerError } from '../../contract/errors.ts';
import { readInput } from '../../listings/read/read.ts';

interface LoginRequest {
  readonly name: string;
  readonly withKey: boolean;
  /** Server settings to store in the profile. An undefined value removes a setting. */
  readonly settings: Partial<Profile>;
  /** Whether to switch to the profile. If undefined, the user is prompted. */
  readonly toSwitch: boolean | undefined;
}

export async function runLogin(
  { name, withKey, settings, toSwitch }: LoginRequest,
  flags: CallFlags,
  context: CliContext,
  openConnection: (target: RemoteTarget) => Promise<Connection>,
) {
  const { env, streams } = context;
  // Checks the name first, so that the user doesn't enter a key for an invalid name.
  assertProfileName(name);
  const directory = configDirectory(directories(env));
  const { current, all } = loadProfiles(directory);
  const named = all.find((profile) => profile.name === name);
  const address = await serverAddress(flags, named, context);
  // Keeps the profile's settings only for the same origin, because another server may need different ones.
  const known = named !== undefined && findOrigin(named.baseUrl) === findOrigin(address) ? named : undefined;
  const { assertSafeBaseUrl } = await import('../../client/base-url.ts');
  const allowInsecure = flags.allowInsecure || known?.allowInsecure === true;
  const baseUrl = assertSafeBaseUrl(address, { allowInsecure });
  const key = await readKey(withKey, context);
  const profile: Profile = {
    ...known,
    name,
    baseUrl,
    key,
    ...settings,
    traits: undefined,
    ...(allowInsecure ? { allowInsecure } : {}),
  };
  const { client } = await openConnection(buildTarget(profile, settings, env));
  await assertServesKey(client);
  const companyId = await companyOfKey(client);
  const question = `Make ${name} the current profile instead of ${current}?`;
  const isAsked = current !== undefined && current !== name && streams.canAsk;
  const isCurrent = toSwitch ?? (!isAsked || (await confirm(streams, question, '--switch', true)));
  await saveProfile(directory, { ...profile, traits: { ...client.traits } }, isCurrent);
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
      message: "the bundled engine doesn't require a login",
      hint: 'specify a server with --base-url, or switch back to the bundled engine with `partner auth switch bundled`',
    });
  }
  return (given ?? (await askText(streams, 'Base URL, including the version:', '--base-url'))).trim();
}

function findOrigin(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

async function readKey(withKey: boolean, { streams }: CliContext): Promise<string> {
  // On a terminal, the hidden prompt is used, because stdin would echo the key.
  if (!withKey || streams.stdinIsTerminal)
    return parseKey(await askSecret(streams, 'Partner key:', '--with-key'), 'the input');
  return parseKey(await readInput('-', streams), 'stdin');
}

function buildTarget(profile: Profile, given: Partial<Profile>, env: Environment): RemoteTarget {
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
