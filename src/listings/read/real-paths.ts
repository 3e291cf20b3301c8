import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** Undefined where nothing is there, or it cannot be looked at. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The directory without symbolic links, absolute, as far as it is there. */
export function realDirectory(path: string): string {
  const absolute = resolve(path);
  const real = realPath(absolute);
  // /dev/fd, where a shell puts `<(command)`, is another directory in each process: it cannot name a file.
  if (real !== undefined) return real.startsWith(`${sep}proc${sep}`) ? absolute : real;
  return dirname(absolute) === absolute ? absolute : realEntry(absolute);
}

/** A file in its real directory, absolute; where it is a link itself, that link. */
export function realEntry(path: string): string {
  const absolute = resolve(path);
  return join(realDirectory(dirname(absolute)), basename(absolute));
}
