import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../../contract/system-errors.ts';
import { notPossible } from './unusable.ts';

/** The directory that is made beside the files for what `apply` remembers. */
export const STATE_DIRECTORY = '.partner';

const IGNORED = `# What a run leaves for the next one on this machine. state.json itself is to be committed.
*.journal.ndjson
*.last-run.json
*.lock
*.lock.*
.*.new
`;

/** `state.json` → `state.lock`: a file that belongs to a state, beside it. */
export function besideState(statePath: string, ending: string): string {
  return statePath.replace(/\.json$/i, '') + ending;
}

/**
 * Makes the directory of a file, where it is missing; a new `.partner` gets a `.gitignore`. Throws what the
 * file system says.
 */
export function makeDirectoryOf(path: string): void {
  const directory = dirname(path);
  const made = mkdirSync(directory, { recursive: true });
  if (made === undefined || basename(directory) !== STATE_DIRECTORY) return;
  try {
    writeFileSync(join(directory, '.gitignore'), IGNORED, { flag: 'wx' });
  } catch (error) {
    // Another process was faster.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The file that a path stands for: where a chain of symbolic links ends, even if nothing is there. */
export function linkTarget(path: string, linksLeft = 40): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || linksLeft === 0) return path;
  return linkTarget(resolve(dirname(path), readlinkSync(path)), linksLeft - 1);
}

/**
 * Makes `text` the content of the file, whole or not at all, also if the machine stops meanwhile. Keeps an
 * existing file's mode and a symbolic link; a file with this content already is left alone; to a pipe or a
 * device it is written.
 * Not for two processes at once: the lock keeps them apart. Throws STATE_UNUSABLE.
 */
export function replaceFile(path: string, text: string): void {
  let fresh: string | undefined;
  try {
    if (isStream(path)) {
      writeFileSync(path, text);
      return;
    }
    const target = linkTarget(path);
    if (contentOf(target) === text) return;
    makeDirectoryOf(target);
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    // Always the same name: what a killed run has left is replaced, not collected.
    fresh = join(dirname(target), `.${basename(target)}.new`);
    rmSync(fresh, { force: true });
    writeSynced(fresh, text, mode);
    renameSync(fresh, target);
    syncDirectory(dirname(target));
  } catch (error) {
    if (fresh !== undefined) forgetFile(fresh);
    throw notPossible('written', path, error);
  }
}

function isStream(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function writeSynced(path: string, text: string, mode: number | undefined): void {
  const file = openSync(path, 'wx');
  try {
    if (mode !== undefined) fchmodSync(file, mode & 0o7777);
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Puts a file's new name on the disk. Not every system lets a directory be opened or synced. */
export function syncDirectory(directory: string): void {
  let opened: number | undefined;
  try {
    opened = openSync(directory, 'r');
    fsyncSync(opened);
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(codeOf(error))) throw error;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Removes a file that was made on the way, if it can be. */
export function forgetFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What it was made for has failed before, and that reason is the one to tell.
  }
}
