import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** What paths lead to by symbolic links; the file system is asked once for each directory. */
export interface RealPaths {
  /** The directory itself, absolute, as far as it is there. */
  directory(path: string): string;
  /** A file in its real directory, absolute; where it is a link itself, that link. */
  entry(path: string): string;
}

/** Undefined where nothing is there, or it cannot be looked at. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

export function createRealPaths(): RealPaths {
  const known = new Map<string, string>();
  const directory = (path: string): string => {
    const absolute = resolve(path);
    const found = known.get(absolute) ?? stable(absolute) ?? inRealParent(absolute);
    known.set(absolute, found);
    return found;
  };
  const inRealParent = (absolute: string): string => {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(directory(parent), basename(absolute));
  };
  return { directory, entry: (path) => inRealParent(resolve(path)) };
}

/** /dev/fd, where a shell puts `<(command)`, is another directory in each process: it cannot name a file. */
function stable(path: string): string | undefined {
  const real = realPath(path);
  return real?.startsWith(`${sep}proc${sep}`) ? path : real;
}
