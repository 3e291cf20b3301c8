import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { attempt } from '../../contract/system-errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Directories = ReturnType<typeof directories>;

/** The variable with the base directory, and its default in the home directory. */
const BASES = {
  darwin: { config: ['', 'Library/Preferences'], data: ['', 'Library/Application Support'] },
  win32: { config: ['APPDATA', 'AppData/Roaming'], data: ['LOCALAPPDATA', 'AppData/Local'] },
  others: { config: ['XDG_CONFIG_HOME', '.config'], data: ['XDG_DATA_HOME', '.local/share'] },
} as const;

/** PARTNER_CONFIG_DIR and PARTNER_DATA_DIR, otherwise the system's directories (XDG on Linux). */
export function directories(
  env: Environment,
  { platform, homedir: findHome } = { platform: process.platform, homedir },
) {
  // Node throws if HOME isn't set and the user isn't in a password file, as in many containers.
  const home = attempt(findHome) ?? '';
  const bases = BASES[platform === 'darwin' || platform === 'win32' ? platform : 'others'];
  const findDirectory = (chosen: string | undefined, [variable, inHome]: readonly [string, string]) => {
    if (chosen) return resolve(chosen);
    // A relative base directory is ignored, as XDG requires.
    const base = [env[variable] ?? '', join(home, inHome)].find(isAbsolute);
    return base === undefined ? undefined : join(base, 'partner');
  };
  return {
    config: findDirectory(env.PARTNER_CONFIG_DIR, bases.config),
    data: findDirectory(env.PARTNER_DATA_DIR, bases.data),
  };
}

export function configDirectory({ config }: Directories): string {
  return config ?? throwNoHome('the profiles', 'PARTNER_CONFIG_DIR');
}

export function dataPaths({ data }: Directories) {
  const directory = data ?? throwNoHome('the data', 'PARTNER_DATA_DIR');
  return {
    directory,
    database: join(directory, 'engine', 'partner.db'),
    localKey: join(directory, 'engine', 'key'),
    createdJobs: join(directory, 'ledger.ndjson'),
    shownPlaces: join(directory, 'places.json'),
    shownJobs: join(directory, 'jobs.json'),
    formAnswers: join(directory, 'form.json'),
  };
}

function throwNoHome(what: string, variable: string): never {
  throw new PartnerError('CONFIG_UNREADABLE', {
    message: `can't store ${what}: no home directory (HOME is empty or not set)`,
    hint: `set HOME, or set ${variable} to a directory`,
  });
}
