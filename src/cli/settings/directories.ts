import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { tried } from '../../contract/tried.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface System {
  readonly platform: NodeJS.Platform;
  /** May throw or give '': then there is no home. */
  readonly homedir: () => string;
}

/** A user's directories; undefined where there is no home for one and the environment names none. */
export interface Directories {
  readonly config: string | undefined;
  readonly data: string | undefined;
}

/** PARTNER_CONFIG_DIR and PARTNER_DATA_DIR, or else where the system keeps such files: XDG on Linux. */
export function directories(
  env: Environment,
  system: System = { platform: process.platform, homedir },
): Directories {
  const home = homeOf(system);
  const inHome = (...path: string[]) => (home === undefined ? undefined : join(home, ...path, 'partner'));
  const [config, data] =
    system.platform === 'darwin'
      ? [inHome('Library', 'Preferences'), inHome('Library', 'Application Support')]
      : system.platform === 'win32'
        ? [
            below(env.APPDATA) ?? inHome('AppData', 'Roaming'),
            below(env.LOCALAPPDATA) ?? inHome('AppData', 'Local'),
          ]
        : [
            below(env.XDG_CONFIG_HOME) ?? inHome('.config'),
            below(env.XDG_DATA_HOME) ?? inHome('.local', 'share'),
          ];
  return {
    config: env.PARTNER_CONFIG_DIR ? resolve(env.PARTNER_CONFIG_DIR) : config,
    data: env.PARTNER_DATA_DIR ? resolve(env.PARTNER_DATA_DIR) : data,
  };
}

/** XDG: a base directory that is not absolute is to be ignored. */
function below(base: string | undefined): string | undefined {
  return base !== undefined && isAbsolute(base) ? join(base, 'partner') : undefined;
}

function homeOf({ homedir }: System): string | undefined {
  // Node throws if HOME isn't set and the user is in no password file, as in many containers.
  const home = tried(homedir) ?? '';
  return isAbsolute(home) ? home : undefined;
}

/** The directory of the config. Throws CONFIG_UNREADABLE where there is none. */
export function configDirectory({ config }: Directories): string {
  return config ?? missing('the profiles', 'PARTNER_CONFIG_DIR');
}

/** The files of the data directory. Throws CONFIG_UNREADABLE where there is none. */
export function dataPaths({ data }: Directories) {
  const directory = data ?? missing('the data', 'PARTNER_DATA_DIR');
  return {
    directory,
    database: join(directory, 'engine', 'partner.db'),
    /** The key with which this machine's user calls the bundled engine. */
    localKey: join(directory, 'engine', 'key'),
    createdJobs: join(directory, 'ledger.ndjson'),
    shownPlaces: join(directory, 'places.json'),
    formAnswers: join(directory, 'form.json'),
  };
}

function missing(what: string, variable: string): never {
  throw new PartnerError('CONFIG_UNREADABLE', {
    message: `there is no home directory to keep ${what} in: HOME is empty or not set`,
    hint: `set HOME, or name a directory with ${variable}`,
  });
}
