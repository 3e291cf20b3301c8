import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { contentFault, type Fault } from '../check/finding.ts';
import { unreadable } from './bytes.ts';
import { realPath } from './real-paths.ts';

export type Faults = Map<string, Fault>;

interface Walk {
  readonly takes: (path: string) => boolean;
  readonly takesHidden: boolean;
  /** Into directories. */
  readonly followsLinks: boolean;
}

/** The files in and below a directory. Throws FILE_UNREADABLE where an entry cannot be looked at. */
export async function filesBelow(
  directory: string,
  walk: Walk,
  faults: Faults,
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
    const isUnreadable = name.includes(NOT_DECODED);
    const kinds =
      isLink && !isUnreadable ? await stat(path).catch((error) => isTaken && refuse(path, error)) : entry;
    if (!kinds) continue;
    const isDirectory = kinds.isDirectory();
    if (isDirectory && !isUnreadable && (!isLink || walk.followsLinks)) {
      const below = depth > 1 ? await filesBelow(path, walk, faults, depth - 1, [...above, real]) : [];
      for (const file of below) files.push(file);
      if (below.length > 0 || !isJobFile(path)) continue;
    }
    // A directory with such a name is reported as well: nobody knows what is in it.
    if (!isTaken && !(isDirectory && isUnreadable)) continue;
    const fault = isUnreadable ? NOT_UTF8 : kindFault(kinds);
    if (fault !== undefined) faults.set(path, fault);
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

/** What Node makes of bytes in a name that are not UTF-8: such a file is found, and cannot be opened. */
const NOT_DECODED = '\ufffd';

/** Whether a path that is not there is in its directory, under a name that is not UTF-8. */
export async function isMisnamed(path: string): Promise<boolean> {
  if (!basename(path).includes(NOT_DECODED)) return false;
  const names = await readdir(dirname(path)).catch((): string[] => []);
  return names.includes(basename(path));
}

export const NOT_UTF8 = contentFault(
  'its name is not UTF-8, and it is not read',
  'rename it: \ufffd stands for what is not UTF-8',
);

type Kinds = Pick<Stats, 'isFIFO' | 'isSocket' | 'isCharacterDevice' | 'isBlockDevice' | 'isDirectory'>;

const KINDS: readonly (readonly [is: keyof Kinds, name: string])[] = [
  ['isDirectory', 'a directory'],
  ['isFIFO', 'a named pipe'],
  ['isSocket', 'a socket'],
  ['isCharacterDevice', 'a device'],
  ['isBlockDevice', 'a device'],
];

function kindFault(kinds: Kinds): Fault | undefined {
  const [, name] = KINDS.find(([is]) => kinds[is]()) ?? [];
  if (name === undefined) return undefined;
  return contentFault(
    `it is ${name}, not a file`,
    'move it elsewhere, or rename it: a directory is searched for .json, .ndjson and .jsonl',
  );
}
