import { chmodSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { configDirectory, dataPaths, directories, type Environment } from '../../cli/settings/directories.ts';
import { loadProfiles } from '../../cli/settings/profiles.ts';
import { ERRORS } from '../../contract/errors.ts';
import { tried } from '../../contract/tried.ts';
import { counted } from '../../contract/words.ts';
import { entryAt } from '../../files/own-file.ts';
import { type Check, checkOf, type Look } from './checks.ts';

/** Whether the configuration and the data can be read, and whether others can get at them, unless that is mended. */
export async function fileChecks(env: Environment, isMending: boolean): Promise<Check[]> {
  const where = directories(env);
  return [
    await checkOf('Configuration', () => {
      const directory = configDirectory(where);
      const profiles = () => counted(loadProfiles(directory).all.length, 'profile');
      return privacyOf(directory, isMending, () => `${directory}, ${profiles()}`);
    }),
    await checkOf('Files', () => {
      const { directory } = dataPaths(where);
      return privacyOf(directory, isMending, () => `${directory}, for you alone`);
    }),
  ];
}

function privacyOf(directory: string, isMending: boolean, inOrder: () => string): Look {
  const open = openToOthers(directory);
  if (isMending) for (const each of open) closeToOthers(each);
  const left = isMending ? openToOthers(directory) : open;
  if (left.length === 0)
    return { found: inOrder() + (open.length === 0 ? '' : `; closed to others: ${listed(open)}`) };
  return {
    found: `others can get at ${listed(left)}`,
    advice: isMending
      ? 'this user may not change that: have their owner run `partner doctor --fix`'
      : '`partner doctor --fix` takes away the access of others',
    exit: ERRORS.CONFIG_UNREADABLE.exit,
  };
}

const LISTED_MAX = 3;

function listed(open: readonly OpenToOthers[]): string {
  const named = open.slice(0, LISTED_MAX).map(({ path, mode }) => `${path} (mode ${mode})`);
  return [...named, ...(open.length > LISTED_MAX ? [`${open.length - LISTED_MAX} more`] : [])].join(', ');
}

/** A file or directory of ours that others than its owner can get at; its mode as `chmod` writes it: `0644`. */
interface OpenToOthers {
  readonly path: string;
  readonly mode: string;
}

const NAMES = /^(?:config\.json|ledger\.ndjson|places\.json|form\.json|engine|\.lock|\..+\.new)$/;
const ENGINE_NAMES = /^(?:key|partner\.db.*|\..+\.new)$/;
const FOR_OTHERS = 0o077;

/** What of ours in the config or the data directory others can get at; nothing on Windows, which has no such modes. */
export function openToOthers(directory: string, platform: NodeJS.Platform = process.platform) {
  if (platform === 'win32') return [];
  const engine = join(directory, 'engine');
  const paths = [
    ...ours(directory, NAMES),
    ...ours(engine, ENGINE_NAMES),
    ...ours(join(engine, 'partner.db-files'), /./),
  ];
  return [...new Set(paths)].flatMap((path) => {
    const mode = (statsOf(path)?.mode ?? 0) & 0o777;
    return (mode & FOR_OTHERS) === 0 ? [] : [{ path, mode: mode.toString(8).padStart(4, '0') }];
  });
}

/** Takes away the access of others, where this user may. */
export function closeToOthers({ path, mode }: OpenToOthers): void {
  // It may belong to another user.
  tried(() => chmodSync(path, Number.parseInt(mode, 8) & ~FOR_OTHERS));
}

/** What in a directory has such a name, and the directory itself where that is all it holds. */
function ours(directory: string, names: RegExp): string[] {
  // It may be missing or also inaccessible to this user.
  const found = tried(() => readdirSync(directory)) ?? [];
  const own = found.filter((name) => names.test(name));
  return [...(own.length === found.length ? [directory] : []), ...own.map((name) => join(directory, name))];
}

/** Of the directory that a link leads to; a link to a file is none of ours. */
function statsOf(path: string): Stats | undefined {
  const found = entryAt(path);
  if (!found?.isSymbolicLink()) return found;
  const target = statSync(path, { throwIfNoEntry: false });
  return target?.isDirectory() ? target : undefined;
}
