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
  nameProblem,
  type Profile,
  type Profiles,
  parseConfig,
  unknownProfile,
} from './config.ts';
import { isKey } from './keys.ts';

export function configFile(directory: string): string {
  return join(directory, 'config.json');
}

/** The profiles of a config directory. Throws CONFIG_UNREADABLE for a file that cannot be used, and leaves it as it is. */
export function loadProfiles(directory: string | undefined): Profiles {
  const { current, profiles } = directory === undefined ? EMPTY : readConfig(directory);
  return { current, all: Object.entries(profiles).map(([name, profile]) => ({ ...profile, name })) };
}

/** Throws USAGE for a name that no profile can have. */
export function assertProfileName(name: string): void {
  const problem = isKey(name) ? 'it is a partner key, and a name is shown' : nameProblem(name);
  if (problem !== undefined) {
    throw new PartnerError('USAGE', { message: `${JSON.stringify(name)} cannot name a profile: ${problem}` });
  }
}

/** Stores a profile. Throws USAGE for a name that cannot be one. */
export async function saveProfile(
  directory: string,
  { name, ...profile }: Profile,
  { isCurrent } = { isCurrent: true },
): Promise<void> {
  assertProfileName(name);
  await changeConfig(directory, (config) => ({
    ...config,
    ...(isCurrent ? { current: name } : {}),
    profiles: { ...config.profiles, [name]: profile },
  }));
}

/** Keeps what was learned of a server in its profile; whether it is kept. It is learned again where it is not. */
export async function keepLearned(
  directory: string | undefined,
  { name, baseUrl, ...learned }: Pick<Profile, 'name' | 'baseUrl' | 'traits' | 'locationQueryParameter'>,
): Promise<boolean> {
  if (directory === undefined) return false;
  let isKept = false;
  try {
    await changeConfig(directory, (config) => {
      const profile = config.profiles[name];
      isKept = profile?.baseUrl === baseUrl;
      if (profile === undefined || !isKept) return config;
      return { ...config, profiles: { ...config.profiles, [name]: { ...profile, ...learned } } };
    });
    return isKept;
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    return false;
  }
}

const OFFERS: Record<OptionalTrait, string> = {
  listsJobs: 'list',
  pausesJobs: 'pause',
  resumesJobs: 'resume',
};

export function stoppedOffering(before: ServerTraits = {}, now: ServerTraits): string[] {
  const traits = Object.keys(OFFERS) as OptionalTrait[];
  const lost = traits.filter((trait) => before[trait] === true && now[trait] === false);
  const stored = 'The profile stores that for 30 days; `partner doctor --remote` checks it again.';
  return lost.map(
    (trait) => `warning: This server could ${OFFERS[trait]} jobs before and can't now. ${stored}`,
  );
}

export async function removeProfile(directory: string, name: string): Promise<void> {
  await changeConfig(directory, ({ current, ...config }) => {
    const { [known(config, name)]: _removed, ...profiles } = config.profiles;
    return { ...config, ...(current === name ? {} : { current }), profiles };
  });
}

/** Makes another profile the current one; `bundled` means none of them. Throws USAGE for an unknown one. */
export async function switchProfile(directory: string, name: string): Promise<void> {
  await changeConfig(directory, ({ current: _left, ...config }) =>
    name === BUNDLED ? config : { ...config, current: known(config, name) },
  );
}

function known({ profiles }: Config, name: string): string {
  if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, Object.keys(profiles));
  return name;
}

const EMPTY: Config = { profiles: {} };

function readConfig(directory: string): Config {
  const path = configFile(directory);
  const hint = 'make it a file that you may read, or name another directory with PARTNER_CONFIG_DIR';
  const text = readOwnText(path, `the configuration ${path}`, hint);
  if (text === undefined) return EMPTY;
  const answer = parseConfig(text);
  if ('config' in answer) return answer.config;
  throw new PartnerError('CONFIG_UNREADABLE', {
    message: `the configuration ${path} cannot be used: ${answer.problem}`,
    hint: 'mend the file, or move it away and log in again with `partner auth login`; it was left as it is',
  });
}

const HOW_TO_WRITE =
  'make room on the disk or mend the permissions, or name another directory with PARTNER_CONFIG_DIR; it was left as it is';

/** Under a lock, so that nothing is lost that another process changes meanwhile. */
async function changeConfig(directory: string, change: (config: Config) => Config): Promise<void> {
  // A change that is refused, or changes nothing, makes no file.
  const before = readConfig(directory);
  if (isDeepStrictEqual(change(before), before)) return;
  const { default: Conf } = await import('conf');
  try {
    await withDirectoryLock(directory, () => {
      // Read the file first because `conf` follows symbolic links and quotes files that it can't parse.
      const config = change(readConfig(directory));
      new Conf({ cwd: directory, clearInvalidConfig: false, configFileMode: 0o600 }).store = { ...config };
      syncDirectory(directory);
    });
  } catch (cause) {
    const what = `the configuration ${configFile(directory)} cannot be written`;
    throw systemError(cause, 'CONFIG_UNREADABLE', what, HOW_TO_WRITE);
  }
}
