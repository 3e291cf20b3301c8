import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OptionalTrait, ServerTraits } from '../../client/traits.ts';
import { PartnerError } from '../../contract/errors.ts';
import { systemError } from '../../contract/system-errors.ts';
import { withDirectoryLock } from '../../files/file-lock.ts';
import { readOwnText, syncDirectory } from '../../files/own-file.ts';
import {
  BUNDLED,
  type Config,
  configProblem,
  isKey,
  nameProblem,
  type Profile,
  type Profiles,
  unknownProfile,
} from './config.ts';
import { directories, type Environment } from './directories.ts';
import { resolveDestination } from './target.ts';

export function configFile(directory: string): string {
  return join(directory, 'config.json');
}

/** Reads the profiles. Throws CONFIG_UNREADABLE and leaves the file unchanged if it isn't valid. */
export function loadProfiles(directory: string | undefined): Profiles {
  const { current, profiles } = directory === undefined ? EMPTY : readConfig(directory);
  return { current, all: Object.entries(profiles).map(([name, profile]) => ({ ...profile, name })) };
}

export function assertProfileName(name: string): void {
  const problem = isKey(name) ? 'it is a partner key, which must stay secret' : nameProblem(name);
  if (problem !== undefined) {
    throw new PartnerError('USAGE', { message: `invalid profile name ${JSON.stringify(name)}: ${problem}` });
  }
}

export async function saveProfile(directory: string, { name, ...profile }: Profile, isCurrent = true) {
  assertProfileName(name);
  await changeConfig(directory, (config) => ({
    ...config,
    ...(isCurrent ? { current: name } : {}),
    profiles: { ...config.profiles, [name]: profile },
  }));
}

/** Stores traits in a profile. Returns false if the profile's URL has changed. Throws CONFIG_UNREADABLE. */
export async function keepLearned(
  directory: string | undefined,
  { name, baseUrl, ...learned }: Pick<Profile, 'name' | 'baseUrl' | 'traits' | 'locationQueryParameter'>,
): Promise<boolean> {
  if (directory === undefined) return false;
  let isKept = false;
  await changeConfig(directory, (config) => {
    const profile = config.profiles[name];
    isKept = profile?.baseUrl === baseUrl;
    if (profile === undefined || !isKept) return config;
    return { ...config, profiles: { ...config.profiles, [name]: { ...profile, ...learned } } };
  });
  return isKept;
}

const OFFERS: Record<OptionalTrait, string> = {
  listsJobs: 'list',
  pausesJobs: 'pause',
  resumesJobs: 'resume',
};

export function describeLostTraits(before: ServerTraits = {}, now: ServerTraits): string[] {
  const traits = Object.keys(OFFERS) as OptionalTrait[];
  const lost = traits.filter((trait) => before[trait] === true && now[trait] === false);
  const stored = 'The profile stores this for 30 days. Check again with `partner doctor --remote`';
  return lost.map(
    (trait) => `warning: this server could ${OFFERS[trait]} jobs before, but can't now. ${stored}`,
  );
}

export async function removeProfile(directory: string, name: string): Promise<void> {
  await changeConfig(directory, ({ current, ...config }) => {
    const { [assertKnownProfile(config, name)]: _removed, ...profiles } = config.profiles;
    return { ...config, ...(current === name ? {} : { current }), profiles };
  });
}

/** Selects a profile. `bundled` selects none. Throws USAGE for an unknown one. */
export async function switchProfile(directory: string, name: string): Promise<void> {
  await changeConfig(directory, ({ current: _left, ...config }) =>
    name === BUNDLED ? config : { ...config, current: assertKnownProfile(config, name) },
  );
}

function assertKnownProfile({ profiles }: Config, name: string): string {
  if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, Object.keys(profiles));
  return name;
}

const EMPTY: Config = { profiles: {} };

function readConfig(directory: string): Config {
  const path = configFile(directory);
  const hint = "check that it's a readable file, or set PARTNER_CONFIG_DIR to another directory";
  const text = readOwnText(path, `the configuration ${path}`, hint);
  if (text === undefined) return EMPTY;
  const problem = configProblem(text);
  if (problem === undefined) return { ...EMPTY, ...JSON.parse(text) };
  throw new PartnerError('CONFIG_UNREADABLE', {
    message: `can't use the configuration ${path}: ${problem}`,
    hint: 'fix the file, or move it and log in again with `partner auth login`. It was not changed',
  });
}

const HOW_TO_WRITE =
  'free up disk space, fix the permissions, or set PARTNER_CONFIG_DIR to another directory. The file was not changed';

/** Uses a lock, so that changes by other processes aren't lost. */
async function changeConfig(directory: string, change: (config: Config) => Config): Promise<void> {
  // Tries the change first, so that no file is created if it fails or changes nothing.
  const before = readConfig(directory);
  if (isDeepStrictEqual(change(before), before)) return;
  const { default: Conf } = await import('conf');
  try {
    await withDirectoryLock(directory, () => {
      // Reads the file before `conf` does, because `conf` follows symbolic links and quotes files that it can't parse.
      const config = change(readConfig(directory));
      new Conf({ cwd: directory, clearInvalidConfig: false, configFileMode: 0o600 }).store = { ...config };
      syncDirectory(directory);
    });
  } catch (cause) {
    const what = `can't write the configuration ${configFile(directory)}`;
    throw systemError(cause, 'CONFIG_UNREADABLE', what, HOW_TO_WRITE);
  }
}

export function whereCallsGo(env: Environment) {
  try {
    const profiles = loadProfiles(directories(env).config);
    const { baseUrl = null, from } = resolveDestination({ flags: {}, env, profiles });
    const by = from === 'default' ? '' : ` (${from})`;
    const sentence = `Requests now go to ${baseUrl ?? 'the bundled engine'}${by}`;
    return { target: baseUrl === null ? 'embedded' : 'remote', baseUrl, sentence };
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    return { target: null, baseUrl: null, sentence: `Requests now fail: ${error.message}` };
  }
}
