import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { unreadable } from './bytes.ts';
import { realPath } from './real-paths.ts';

interface Walk {
  readonly takes: (path: string) => boolean;
  readonly takesHidden: boolean;
  /** Into directories. */
  readonly followsLinks: boolean;
}

/** The files in and below a directory. Throws FILE_UNREADABLE where an entry cannot be looked at, or is no file. */
export async function filesBelow(
  directory: string,
  walk: Walk,
  depth = Number.POSITIVE_INFINITY,
  above: readonly string[] = [],
): Promise<string[]> {
  const real = realPath(directory) ?? directory;
  // A link leads in a circle.
  if (above.includes(real)) return [];
  const files: string[] = [];
  const entries = await readdir(directory, { withFileTypes: true }).catch((error) =>
    refuse(directory, error),
  );
  for (const entry of entries) {
    const { name } = entry;
    if (name === 'node_modules' || (name.startsWith('.') && !walk.takesHidden)) continue;
    const path = join(directory, name);
    const isTaken = walk.takes(path);
    const isLink = entry.isSymbolicLink();
    const kinds = isLink ? await stat(path).catch((error) => isTaken && refuse(path, error)) : entry;
    if (!kinds) continue;
    if (kinds.isDirectory() && (!isLink || walk.followsLinks)) {
      const below = depth > 1 ? await filesBelow(path, walk, depth - 1, [...above, real]) : [];
      for (const file of below) files.push(file);
      continue;
    }
    if (!isTaken) continue;
    if (!kinds.isFile()) await refuse(path, { code: kinds.isDirectory() ? 'EISDIR' : 'ENXIO' });
    files.push(path);
  }
  return files;
}

export function isJobFile(path: string): boolean {
  return /\.(?:json|ndjson|jsonl)$/i.test(path);
}

interface Glob extends Walk {
  /** The directories before the first wildcard. */
  readonly root: string;
  /** How many directories deep it can match. */
  readonly depth: number;
}

/** Undefined for a path without wildcards. */
export async function globOf(pattern: string): Promise<Glob | undefined> {
  const { default: picomatch } = await import('picomatch');
  const { base, glob, isGlob, isGlobstar, isBrace } = picomatch.scan(pattern, { scanToEnd: true });
  if (!isGlob) return undefined;
  const root = base || '.';
  const matches = picomatch(glob);
  return {
    root,
    depth: isGlobstar || isBrace ? Number.POSITIVE_INFINITY : glob.split('/').length,
    takes: (path) => matches(relative(root, path).replaceAll(sep, '/')) && !isInModules(path),
    takesHidden: /(?:^|[/{,(|])\./.test(glob),
    followsLinks: true,
  };
}

function isInModules(path: string): boolean {
  return path.split(sep).includes('node_modules');
}

export async function refuse(path: string, error: unknown): Promise<never> {
  throw await unreadable(path, error);
}
