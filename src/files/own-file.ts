import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  createWriteStream,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PartnerError } from '../contract/errors.ts';
import { codeOf, systemError } from '../contract/system-errors.ts';
import { tried } from '../contract/tried.ts';

/** Windows has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** What `lstat` says of a path; undefined where there is nothing, as below a file. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Throws LINK_REFUSED where `path` is a symbolic link: it may be planted to have another file overwritten or read. */
export function refuseLink(path: string): void {
  if (!entryAt(path)?.isSymbolicLink()) return;
  throw new PartnerError('LINK_REFUSED', { message: `${path} is a symbolic link, and is not followed` });
}

/** Throws LINK_REFUSED where a database or a file beside it is a symbolic link: SQLite would follow it. */
export function refuseDatabaseLinks(path: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) refuseLink(path + ending);
}

/** Opens a file of ours; `flags` as of open(2). Throws LINK_REFUSED and what the file system says. */
function withOwnFile<T>(path: string, flags: number, work: (file: number) => T, mode?: number): T {
  refuseLink(path);
  const file = openSync(path, flags | NO_FOLLOW, mode);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/** The content of a file of ours; undefined where there is none. Throws as `withOwnFile`. */
export function readOwnFile(path: string): Buffer | undefined {
  try {
    return withOwnFile(path, constants.O_RDONLY, (file) => readFileSync(file));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The text of a file of ours, `what` in an error. Throws LINK_REFUSED, and CONFIG_UNREADABLE where it cannot be read. */
export function readOwnText(path: string, what: string, hint: string): string | undefined {
  try {
    return readOwnFile(path)?.toString();
  } catch (cause) {
    throw systemError(cause, 'CONFIG_UNREADABLE', `${what} cannot be read`, hint);
  }
}

/** Adds to the end of a file in one write, so that processes that write at once do not mix. Throws as `withOwnFile`. */
export function appendOwnFile(path: string, text: string, mode?: number): void {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  withOwnFile(path, flags, (file) => writeFileSync(file, text), mode);
}

interface Replacing {
  /** For its owner only: 0600, in a directory that is made with 0700. */
  readonly isPrivate?: boolean;
  /** Replaces a symbolic link by the file, for a path that the user has named; otherwise it is refused. */
  readonly replacesLink?: boolean;
  /** The caller holds a lock: the temporary file has one name, so that what a killed process left goes. */
  readonly isLocked?: boolean;
  /** Whole if the process is killed; if the machine stops, it can be made again. Waiting for the disk takes milliseconds. */
  readonly skipsSync?: boolean;
}

/**
 * Makes `content` a file's content, whole or not at all, also if the machine stops meanwhile; the target of a symbolic
 * link is never changed. An existing file keeps its mode, one with this content already is left alone, and a pipe or a
 * device is written to. Throws LINK_REFUSED and what the file system says.
 */
export function replaceFile(path: string, content: string | Uint8Array, how: Replacing = {}): void {
  const { isPrivate = false, replacesLink = false, isLocked = false, skipsSync = false } = how;
  const stream = openStream(path);
  if (stream !== undefined) {
    const isGiven = stream === givenDescriptor(path);
    try {
      writeFileSync(stream, content);
    } finally {
      if (!isGiven) closeSync(stream);
    }
    return;
  }
  if (!replacesLink) refuseLink(path);
  const found = entryAt(path);
  const before = found?.isSymbolicLink() ? undefined : found;
  const modeBefore = before && before.mode & 0o7777;
  const mode = isPrivate ? 0o600 : modeBefore;
  if (before !== undefined && mode === modeBefore && readFileSync(path).equals(Buffer.from(content))) return;
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, ...(isPrivate ? { mode: 0o700 } : {}) });
  const fresh = join(directory, `.${basename(path)}${isLocked ? '' : `.${process.pid}`}.new`);
  try {
    rmSync(fresh, { force: true });
    writeFileSync(fresh, content, { flag: 'wx', mode, flush: !skipsSync });
    // The umask does not count here.
    if (mode !== undefined) chmodSync(fresh, mode);
    renameSync(fresh, path);
  } catch (error) {
    removeIfPossible(fresh);
    throw error;
  }
  if (!skipsSync) syncDirectory(directory);
}

/**
 * As `replaceFile`, with content that comes part by part, for a private file at a path that the user has named. Throws
 * what `parts` does and what the file system says, EEXIST if the file must be new and isn't.
 */
export async function replaceFileInParts(path: string, parts: AsyncIterable<Uint8Array>, isNew = false) {
  const stream = openStream(path);
  if (stream !== undefined) {
    const autoClose = stream !== givenDescriptor(path);
    return pipeline(parts, createWriteStream('', { fd: stream, autoClose }));
  }
  // Before all the work: the file could not take its place.
  if (entryAt(path)?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  const directory = dirname(path);
  const fresh = join(directory, `.${basename(path)}.${process.pid}.new`);
  try {
    removeIfPossible(fresh);
    const file = await open(fresh, 'wx', 0o600);
    try {
      for await (const part of parts) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    (isNew ? linkOrCopy : renameSync)(fresh, path);
  } finally {
    removeIfPossible(fresh);
  }
  syncDirectory(directory);
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    // FAT has no hard links.
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** Whether a path is a pipe, a device or a stream of this process. Other links don't count: anyone may have made them. */
export function isStream(path: string): boolean {
  if (givenDescriptor(path) !== undefined) return true;
  const found = entryAt(path);
  return found !== undefined && !found.isFile() && !found.isDirectory() && !found.isSymbolicLink();
}

/** The descriptor that `/dev/stdout` and `/dev/fd/N` stand for, also if it was redirected to a file. */
function givenDescriptor(path: string): number | undefined {
  const [, number, name] = /^\/(?:dev|proc\/self)\/(?:fd\/(\d+)|(stdout|stderr))$/.exec(resolve(path)) ?? [];
  if (name !== undefined) return name === 'stdout' ? 1 : 2;
  return number === undefined ? undefined : Number(number);
}

/** Opens a stream for writing; undefined for other paths. A redirected file is written through its descriptor, which keeps what is in it. */
function openStream(path: string): number | undefined {
  if (!isStream(path)) return undefined;
  const given = givenDescriptor(path);
  if (given !== undefined && tried(() => fstatSync(given))?.isFile()) return given;
  const file = openSync(path, constants.O_WRONLY | (given === undefined ? NO_FOLLOW : 0));
  if (!fstatSync(file).isFile()) return file;
  // A file took the place of the pipe or device.
  closeSync(file);
  return undefined;
}

/** Puts a file's new name on the disk, where the system lets a directory be opened and synced. */
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

/** Removes a file, if it can be; a link, not what it leads to. */
export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The next write replaces it.
  }
}
