import { chmodSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { entryAt } from '../../files/own-file.ts';

/** A file or directory of ours that others than its owner can get at. */
export interface OpenToOthers {
  readonly path: string;
  /** As `chmod` writes it: `0644`. */
  readonly mode: string;
}

const NAMES = /^(?:config\.json|ledger\.ndjson|places\.json|form\.json|engine|\.lock|\..+\.new)$/;
const ENGINE_NAMES = /^(?:key|partner\.db.*|\..+\.new)$/;

/**
 * What of ours in the config or the data directory others can get at; nothing on Windows, which has no such modes. In
 * a directory that holds other things too, only our files are looked at.
 */
export function openToOthers(
  directory: string,
  platform: NodeJS.Platform = process.platform,
): OpenToOthers[] {
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

/** Takes the rights of others away, where this user may: what is left says `openToOthers`. */
export function closeToOthers({ path, mode }: OpenToOthers): void {
  try {
    chmodSync(path, Number.parseInt(mode, 8) & ~FOR_OTHERS);
  } catch {
    // It belongs to another user.
  }
}

const FOR_OTHERS = 0o077;

/** What in a directory has such a name, and the directory itself where that is all it holds. */
function ours(directory: string, names: RegExp): string[] {
  const found = namesIn(directory);
  const own = found.filter((name) => names.test(name));
  return [...(own.length === found.length ? [directory] : []), ...own.map((name) => join(directory, name))];
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Of the directory that a link leads to; a link to a file is none of ours. */
function statsOf(path: string): Stats | undefined {
  const found = entryAt(path);
  if (!found?.isSymbolicLink()) return found;
  const target = statSync(path, { throwIfNoEntry: false });
  return target?.isDirectory() ? target : undefined;
}
