import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { contentFault, type Fault } from '../check/finding.ts';

/** What stands in a directory. */
export interface DirectoryEntry extends Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'> {
  /** With each byte that is not UTF-8 as `\xE9`. */
  readonly name: string;
  /** As Node would decode it, with U+FFFD for what is not UTF-8: that is how the command line gives it. */
  readonly decodedName: string;
  /** What keeps it from being read as a file, links aside. */
  readonly fault: Fault | undefined;
}

/** The entries of a directory. Rejects with what the system says. */
export async function directoryEntries(directory: string): Promise<DirectoryEntry[]> {
  const entries = await readdir(directory, { withFileTypes: true, encoding: 'buffer' });
  return entries.map((entry) => {
    const isNamed = isUtf8(entry.name);
    const name = isNamed ? entry.name.toString() : escaped(entry.name);
    return {
      name,
      decodedName: entry.name.toString(),
      fault: isNamed ? (entry.isDirectory() ? undefined : kindFault(entry)) : NOT_UTF8,
      isFile: () => entry.isFile(),
      isDirectory: () => entry.isDirectory(),
      isSymbolicLink: () => entry.isSymbolicLink(),
    };
  });
}

/** The entries that a path may mean which holds U+FFFD where a name is not UTF-8, by their shown paths. */
export async function misnamedEntries(path: string): Promise<[path: string, fault: Fault][]> {
  const steps = path.split(sep);
  const at = steps.findIndex((step) => step.includes('\ufffd'));
  if (at === -1) return [];
  const parent = steps.slice(0, at).join(sep) || (isAbsolute(path) ? sep : '.');
  const entries = await directoryEntries(parent).catch(() => []);
  return entries.flatMap(({ name, decodedName, fault }) =>
    name !== decodedName && decodedName === steps[at] && fault !== undefined
      ? [[join(parent, name, ...steps.slice(at + 1)), fault]]
      : [],
  );
}

const NOT_UTF8 = contentFault(
  'its name is not UTF-8, and it is not read',
  'rename it; \\x and two digits stand for a byte that is not UTF-8',
);

type Kinds = Pick<Stats, 'isFIFO' | 'isSocket' | 'isCharacterDevice' | 'isBlockDevice' | 'isDirectory'>;

const KINDS: readonly (readonly [is: keyof Kinds, name: string])[] = [
  ['isDirectory', 'a directory'],
  ['isFIFO', 'a named pipe'],
  ['isSocket', 'a socket'],
  ['isCharacterDevice', 'a device'],
  ['isBlockDevice', 'a device'],
];

/** What else it is than a file; undefined for a file, and for a link. */
export function kindFault(stats: Kinds): Fault | undefined {
  const [, name] = KINDS.find(([is]) => stats[is]()) ?? [];
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
