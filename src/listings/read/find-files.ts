import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { contentFault, type Fault } from '../check/finding.ts';
import { unreadable } from './bytes.ts';
import { realPath } from './real-paths.ts';

type Kinds = Pick<Stats, 'isFIFO' | 'isSocket' | 'isCharacterDevice' | 'isBlockDevice' | 'isDirectory'>;

interface DirectoryEntry {
  /** With each byte that is not UTF-8 as `\xE9`. */
  readonly name: string;
  /** As Node decodes it, with U+FFFD for what is not UTF-8: the command line gives it so. */
  readonly decodedName: string;
  readonly kinds: Kinds & Pick<Stats, 'isSymbolicLink'>;
  readonly nameFault: Fault | undefined;
}

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
  const entries = await directoryEntries(directory).catch((error) => refuse(directory, error));
  for (const { name, kinds, nameFault } of entries) {
    if (name === 'node_modules' || (name.startsWith('.') && !walk.takesHidden)) continue;
    const path = join(directory, name);
    const isTaken = walk.takes(path);
    const isLink = kinds.isSymbolicLink();
    const linked = isLink ? await stat(path).catch((error) => isTaken && refuse(path, error)) : kinds;
    if (!linked) continue;
    const isDirectory = linked.isDirectory();
    if (isDirectory && nameFault === undefined && (!isLink || walk.followsLinks)) {
      const below = depth > 1 ? await filesBelow(path, walk, faults, depth - 1, [...above, real]) : [];
      for (const file of below) files.push(file);
      if (below.length > 0 || !isJobFile(path)) continue;
    }
    // A directory with such a name is reported as well: nobody knows what is in it.
    if (!isTaken && !(isDirectory && nameFault !== undefined)) continue;
    const fault = nameFault ?? kindFault(linked);
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

async function directoryEntries(directory: string): Promise<DirectoryEntry[]> {
  const entries = await readdir(directory, { withFileTypes: true, encoding: 'buffer' });
  return entries.map((entry) => ({
    name: isUtf8(entry.name) ? entry.name.toString() : escaped(entry.name),
    decodedName: entry.name.toString(),
    kinds: entry,
    nameFault: isUtf8(entry.name) ? undefined : NOT_UTF8,
  }));
}

/** The entries, by the path shown for them, that a path with U+FFFD may mean: their names are not UTF-8. */
export async function misnamedEntries(path: string): Promise<[path: string, fault: Fault][]> {
  const steps = path.split(sep);
  const at = steps.findIndex((step) => step.includes('\ufffd'));
  if (at === -1) return [];
  const parent = steps.slice(0, at).join(sep) || (isAbsolute(path) ? sep : '.');
  const entries = await directoryEntries(parent).catch(() => []);
  return entries.flatMap(({ name, decodedName, nameFault }) =>
    decodedName === steps[at] && nameFault !== undefined
      ? [[join(parent, name, ...steps.slice(at + 1)), nameFault]]
      : [],
  );
}

const NOT_UTF8 = contentFault(
  'its name is not UTF-8, and it is not read',
  'rename it; \\x and two digits stand for a byte that is not UTF-8',
);

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

function escaped(name: Buffer): string {
  return name
    .toString('latin1')
    .replace(
      /[^\x20-\x7e]/g,
      (byte) => `\\x${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
}
