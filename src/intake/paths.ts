import { readdir, stat } from 'node:fs/promises';
import { join, normalize, resolve } from 'node:path';
import { PartnerError } from '../contract/errors.ts';
import { unreadable } from './bytes.ts';

/** The endings that a directory is searched for; a file that is named is taken whatever its ending. */
const JOB_FILE = /\.(?:json|ndjson|jsonl)$/i;

/**
 * The files that paths stand for: files themselves, `-` for stdin, directories with the job files in and
 * below them, and globs for shells that leave them to the program. Hidden entries and node_modules are
 * passed over unless named. Sorted, each once. Throws USAGE for a directory or a glob that stands for
 * nothing, and FILE_UNREADABLE.
 */
export async function expandPaths(patterns: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    for (const file of await filesOf(pattern)) {
      const key = file === '-' ? file : resolve(file);
      if (!found.has(key)) found.set(key, file);
    }
  }
  return [...found.values()].sort(byCodeUnit);
}

async function filesOf(pattern: string): Promise<string[]> {
  if (pattern === '-') return ['-'];
  const found = await stat(pattern).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error)
    return found.code === 'ENOENT' ? filesOfGlob(pattern, found) : refuse(pattern, found);
  return found.isDirectory() ? filesOfDirectory(pattern) : [normalize(pattern)];
}

async function refuse(path: string, error: NodeJS.ErrnoException): Promise<never> {
  throw await unreadable(path, error);
}

async function filesOfDirectory(directory: string): Promise<string[]> {
  const files = await jobFilesIn(normalize(directory));
  if (files.length > 0) return files;
  throw new PartnerError('USAGE', {
    message: `there is no job file in ${directory}`,
    hint: 'job files end in .json, .ndjson or .jsonl; a file of another name can be given itself',
  });
}

/** Walks by itself: an entry that cannot be read must be an error here, and not be left out. */
async function jobFilesIn(directory: string): Promise<string[]> {
  const files: string[] = [];
  const entries = await readdir(directory, { withFileTypes: true }).catch((error) =>
    refuse(directory, error),
  );
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(directory, entry.name);
    // A link to a file is that file; a link to a directory could lead in a circle.
    const linked = entry.isSymbolicLink() && (await stat(path).catch((error) => refuse(path, error)));
    const isFile = entry.isFile() || (linked !== false && linked.isFile());
    if (entry.isDirectory()) files.push(...(await jobFilesIn(path)));
    else if (isFile && JOB_FILE.test(entry.name)) files.push(path);
  }
  return files;
}

async function filesOfGlob(pattern: string, missing: NodeJS.ErrnoException): Promise<string[]> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(pattern)) return refuse(pattern, missing);
  const files = await glob(pattern, { expandDirectories: false, ignore: ['**/node_modules/**'] });
  if (files.length > 0) return files.map(normalize);
  throw new PartnerError('USAGE', {
    message: `no file matches ${pattern}`,
    hint: 'give a file, a directory, or a pattern that matches some',
  });
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
