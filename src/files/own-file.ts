import * as fs from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PartnerError } from '../contract/errors.ts';
import { attempt, getErrorCode, systemError } from '../contract/system-errors.ts';

export const NO_FOLLOW = fs.constants.O_NOFOLLOW ?? 0;

export function findEntry(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (getErrorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Throws LINK_REFUSED for a symbolic link, which may have been planted to read or overwrite another file. */
export function refuseLink(path: string): void {
  if (!findEntry(path)?.isSymbolicLink()) return;
  throw new PartnerError('LINK_REFUSED', { message: `refusing to use a symbolic link: ${path}` });
}

/** Checks the database and SQLite's files next to it, because SQLite follows links. Throws LINK_REFUSED. */
export function refuseDatabaseLinks(path: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) refuseLink(path + ending);
}

/** Opens one of the CLI's files with `flags` of open(2). Throws LINK_REFUSED and file system errors. */
function withOwnFile<T>(path: string, flags: number, work: (file: number) => T, mode?: number): T {
  refuseLink(path);
  const file = fs.openSync(path, flags | NO_FOLLOW, mode);
  try {
    return work(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Undefined if the file doesn't exist. Throws the errors of `withOwnFile`. */
export function readOwnFile(path: string): Buffer | undefined {
  try {
    return withOwnFile(path, fs.constants.O_RDONLY, (file) => fs.readFileSync(file));
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads a text file. Errors describe it as `what`. Throws LINK_REFUSED and CONFIG_UNREADABLE. */
export function readOwnText(path: string, what: string, hint: string): string | undefined {
  try {
    return readOwnFile(path)?.toString();
  } catch (cause) {
    throw systemError(cause, 'CONFIG_UNREADABLE', `can't read ${what}`, hint);
  }
}

/** Appends in a single write, so that concurrent writes don't mix. Throws the errors of `withOwnFile`. */
export function appendOwnFile(path: string, text: string, mode?: number): void {
  const flags = fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT;
  withOwnFile(path, flags, (file) => fs.writeFileSync(file, text), mode);
}

interface Replacing {
  readonly isPrivate?: boolean;
  /** Replaces a symbolic link at a path that the user passed. By default, links are refused. */
  readonly replacesLink?: boolean;
  /** Requires a lock. The temporary file has a fixed name, so that leftovers are replaced. */
  readonly isLocked?: boolean;
  /** Doesn't wait for the disk. The file is complete if the process is killed, but may be lost in a power failure. */
  readonly skipsSync?: boolean;
}

/** Replaces a file atomically and keeps its mode. Writes directly to a stream. Throws LINK_REFUSED and system errors. */
export function replaceFile(path: string, content: string | Uint8Array, how: Replacing = {}): void {
  const { isPrivate = false, replacesLink = false, isLocked = false, skipsSync = false } = how;
  const stream = openStream(path);
  if (stream !== undefined) {
    try {
      fs.writeFileSync(stream.fd, content);
    } finally {
      if (stream.autoClose) fs.closeSync(stream.fd);
    }
    return;
  }
  if (!replacesLink) refuseLink(path);
  const found = findEntry(path);
  const before = found?.isSymbolicLink() ? undefined : found;
  const modeBefore = before && before.mode & 0o7777;
  const mode = isPrivate ? 0o600 : modeBefore;
  if (before !== undefined && mode === modeBefore && fs.readFileSync(path).equals(Buffer.from(content)))
    return;
  const directory = dirname(path);
  fs.mkdirSync(directory, { recursive: true, ...(isPrivate ? { mode: 0o700 } : {}) });
  const fresh = join(directory, `.${basename(path)}${isLocked ? '' : `.${process.pid}`}.new`);
  try {
    fs.rmSync(fresh, { force: true });
    fs.writeFileSync(fresh, content, { flag: 'wx', mode, flush: !skipsSync });
    // `chmodSync` ignores the umask, unlike the mode of a new file.
    if (mode !== undefined) fs.chmodSync(fresh, mode);
    fs.renameSync(fresh, path);
  } catch (error) {
    removeIfPossible(fresh);
    throw error;
  }
  if (!skipsSync) syncDirectory(directory);
}

/** Like `replaceFile`, in parts and with mode 0600. Throws errors of `parts`, and EEXIST with `isNew` if it exists. */
export async function replaceFileInParts(path: string, parts: AsyncIterable<Uint8Array>, isNew = false) {
  const stream = openStream(path);
  if (stream !== undefined) return pipeline(parts, fs.createWriteStream('', stream));
  // Checked before writing, because a file can't replace a directory.
  if (findEntry(path)?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  const directory = dirname(path);
  const fresh = join(directory, `.${basename(path)}.${process.pid}.new`);
  try {
    removeIfPossible(fresh);
    await writeFile(fresh, parts, { flag: 'wx', mode: 0o600, flush: true });
    (isNew ? linkOrCopy : fs.renameSync)(fresh, path);
  } finally {
    removeIfPossible(fresh);
  }
  syncDirectory(directory);
}

function linkOrCopy(from: string, to: string): void {
  try {
    fs.linkSync(from, to);
  } catch (error) {
    if (getErrorCode(error) === 'EEXIST') throw error;
    // FAT doesn't support hard links.
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  }
}

/** True for a pipe, device or `/dev/stdout`. Other symbolic links don't count, because anyone may have created them. */
export function isStream(path: string): boolean {
  if (findDescriptor(path) !== undefined) return true;
  const found = findEntry(path);
  return found !== undefined && !found.isFile() && !found.isDirectory() && !found.isSymbolicLink();
}

/** Returns the descriptor of `/dev/stdout` or `/dev/fd/N`, even if it's redirected to a file. */
function findDescriptor(path: string): number | undefined {
  const [, number, name] = /^\/(?:dev|proc\/self)\/(?:fd\/(\d+)|(stdout|stderr))$/.exec(resolve(path)) ?? [];
  if (name !== undefined) return name === 'stdout' ? 1 : 2;
  return number === undefined ? undefined : Number(number);
}

/** Opens a stream for writing. Uses a redirected file's descriptor, because opening it again could overwrite it. */
function openStream(path: string): { readonly fd: number; readonly autoClose: boolean } | undefined {
  if (!isStream(path)) return undefined;
  const given = findDescriptor(path);
  if (given !== undefined && attempt(() => fs.fstatSync(given))?.isFile())
    return { fd: given, autoClose: false };
  const fd = fs.openSync(path, fs.constants.O_WRONLY | (given === undefined ? NO_FOLLOW : 0));
  if (!fs.fstatSync(fd).isFile()) return { fd, autoClose: true };
  fs.closeSync(fd);
  return undefined;
}

/** Syncs a new file name to the disk, if the system supports syncing directories. */
export function syncDirectory(directory: string): void {
  let opened: number | undefined;
  try {
    opened = fs.openSync(directory, 'r');
    fs.fsyncSync(opened);
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(getErrorCode(error))) throw error;
  } finally {
    if (opened !== undefined) fs.closeSync(opened);
  }
}

export function removeIfPossible(path: string): void {
  // Otherwise, the next write replaces the file.
  attempt(() => fs.rmSync(path, { force: true }));
}
