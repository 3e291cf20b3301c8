import { lstatSync, type readdir as readdirOfNode, type readdirSync as readdirSyncOfNode } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import type { FileSystemAdapter } from 'tinyglobby';
import { PartnerError } from '../../contract/errors.ts';
import type { Fault } from '../check/finding.ts';
import { unreadable } from './bytes.ts';
import { type DirectoryEntry, directoryEntries, kindFault, misnamedEntries } from './directory-entries.ts';
import { createRealPaths, type RealPaths, realPath } from './real-paths.ts';

/** The endings that a directory is searched for; a file that is named is taken whatever its ending. */
const JOB_FILE = /\.(?:json|ndjson|jsonl)$/i;

/** How a glob is read; what is hidden it matches only where it says so. */
const GLOB_OPTIONS = { expandDirectories: false, ignore: ['**/node_modules/**'] };

/** The files of a set, in their order. */
export interface JobFiles {
  readonly names: readonly string[];
  /** Why one of them is not read; its name may be shown otherwise than the system has it. */
  readonly faults?: ReadonlyMap<string, Fault>;
}

/** What is noted of files on the way to them. */
interface Noted {
  readonly links: Set<string>;
  readonly faults: Map<string, Fault>;
}

/**
 * The files that paths stand for: files themselves, `-` for stdin, directories with the job files in and
 * below them, and globs for shells that leave them to the program. Hidden entries and node_modules are
 * passed over unless named. Sorted, each file once whatever links lead to it, and rather under its own name than
 * under a link's. Throws USAGE for a directory or a glob that stands for nothing, and FILE_UNREADABLE.
 */
export async function expandPaths(patterns: readonly string[]): Promise<JobFiles> {
  const real = createRealPaths();
  const noted: Noted = { links: new Set(), faults: new Map() };
  const found = new Map<string, Named>();
  for (const pattern of patterns) {
    for (const file of (await filesOf(pattern, noted)).sort(byCodeUnit)) {
      const { path, distance } = namedBy(file, noted.links.has(file), real);
      if (distance < (found.get(path)?.distance ?? Number.POSITIVE_INFINITY)) {
        found.set(path, { file, distance });
      }
    }
  }
  const names = Array.from(found.values(), ({ file }) => file).sort(byCodeUnit);
  return { names, faults: noted.faults };
}

/** A file as it was found, and how far from its own name that is. */
interface Named {
  readonly file: string;
  readonly distance: number;
}

function namedBy(file: string, isLink: boolean, real: RealPaths): { path: string; distance: number } {
  if (file === '-') return { path: file, distance: 0 };
  const entry = real.entry(file);
  // What a link of /dev/fd leads to has no path.
  if (isLink) return { path: realPath(entry) ?? entry, distance: 2 };
  return { path: entry, distance: entry === resolve(file) ? 0 : 1 };
}

async function filesOf(pattern: string, noted: Noted): Promise<string[]> {
  if (pattern === '-') return ['-'];
  const found = await stat(pattern).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error && found.code !== 'ENOENT') return refuse(pattern, found);
  if (!(found instanceof Error) && found.isDirectory()) return filesOfDirectory(pattern, noted);
  const files = found instanceof Error ? await filesOfGlob(pattern, found, noted) : [normalize(pattern)];
  for (const file of files) if (isSymbolicLink(file)) noted.links.add(file);
  return files;
}

function isSymbolicLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

async function refuse(path: string, error: NodeJS.ErrnoException): Promise<never> {
  throw await unreadable(path, error);
}

async function filesOfDirectory(directory: string, noted: Noted): Promise<string[]> {
  const files = await jobFilesIn(normalize(directory), noted);
  if (files.length > 0) return files;
  throw new PartnerError('USAGE', {
    message: `there is no job file in ${directory}`,
    hint: 'job files end in .json, .ndjson or .jsonl; a file of another name can be given itself',
  });
}

/** Walks by itself: an entry that cannot be read must be an error here, and not be left out. */
async function jobFilesIn(directory: string, noted: Noted): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await directoryEntries(directory).catch((error) => refuse(directory, error))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(directory, entry.name);
    const isJobFile = JOB_FILE.test(entry.name);
    let fault = isJobFile || entry.isDirectory() ? entry.fault : undefined;
    if (fault === undefined && entry.isDirectory()) {
      const below = await jobFilesIn(path, noted);
      files.push(...below);
      fault = isJobFile && below.length === 0 ? kindFault(await stat(path)) : undefined;
    } else if (fault === undefined && entry.isSymbolicLink()) {
      // A link to a file is that file; a link to a directory could lead in a circle.
      const linked = await stat(path).catch((error) => refuse(path, error));
      noted.links.add(path);
      fault = isJobFile ? kindFault(linked) : undefined;
    }
    if (fault !== undefined) noted.faults.set(path, fault);
    if (fault !== undefined || (isJobFile && !entry.isDirectory())) files.push(path);
  }
  return files;
}

async function filesOfGlob(
  pattern: string,
  missing: NodeJS.ErrnoException,
  { faults }: Noted,
): Promise<string[]> {
  const misnamed = await misnamedEntries(pattern);
  for (const [path, fault] of misnamed) faults.set(path, fault);
  if (misnamed.length > 0) return misnamed.map(([path]) => path);
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(pattern)) return refuse(pattern, missing);
  const met = new Map<string, Fault>();
  const entered: string[] = [];
  const matched = await glob(pattern, { ...GLOB_OPTIONS, fs: notingFaults(met, entered) });
  const files = [...matched, ...entered.map((path) => relative('.', path))].map(normalize);
  for (const file of files) {
    const fault = met.get(resolve(file));
    if (fault !== undefined) faults.set(file, fault);
  }
  if (files.length > 0) return files;
  throw new PartnerError('USAGE', {
    message: `no file matches ${pattern}`,
    hint: 'give a file, a directory, or a pattern that matches some',
  });
}

/** A file system that notes what cannot be read as a file, and the directories among it that a glob enters. */
function notingFaults(met: Map<string, Fault>, entered: string[]): FileSystemAdapter {
  const entriesOf = async (directory: string): Promise<DirectoryEntry[]> => {
    if (met.has(resolve(directory))) {
      entered.push(resolve(directory));
      return [];
    }
    const entries = await directoryEntries(directory);
    for (const { name, fault } of entries) {
      if (fault !== undefined) met.set(resolve(directory, name), fault);
    }
    return entries;
  };
  const readdir = (path: string, _: unknown, done: (error: unknown, entries?: DirectoryEntry[]) => void) =>
    void entriesOf(path).then((entries) => done(null, entries), done);
  return { readdir: readdir as unknown as typeof readdirOfNode };
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** What paths stand for, whether it is there at present or not. */
export interface PathScope {
  /** Whether a file of this path, relative to the working directory or absolute, would be among them. */
  covers(path: string): boolean;
  /** The deepest directory that has all of them in or below it: absolute where one of them is, else relative. */
  readonly root: string;
}

/**
 * What the paths stand for, by whatever links they and the paths asked about lead there. Throws FILE_UNREADABLE where
 * one of them cannot be looked at.
 */
export async function pathScope(patterns: readonly string[]): Promise<PathScope> {
  const real = createRealPaths();
  const parts = await Promise.all(
    patterns.map(async (pattern): Promise<PathScope> => {
      if (pattern === '-') return { covers: () => false, root: '.' };
      const kind = await kindOf(pattern);
      if (kind === 'directory') {
        const directory = real.directory(pattern);
        return { covers: (path) => isJobFileIn(directory, real.entry(path)), root: pattern };
      }
      const entry = real.entry(pattern);
      const itself = { covers: (path: string) => real.entry(path) === entry, root: dirname(pattern) };
      if (kind === 'file') return itself;
      const { globSync, isDynamicPattern } = await import('tinyglobby');
      if (!isDynamicPattern(pattern)) return itself;
      const root = staticPart(pattern);
      const asMatched = (path: string) => resolve(root, relative(real.directory(root), real.entry(path)));
      return {
        covers: (path) => globSync(pattern, { ...GLOB_OPTIONS, fs: only(asMatched(path)) }).length > 0,
        root,
      };
    }),
  );
  const roots = parts.map(({ root }) => real.directory(root));
  const root = roots.reduce(commonDirectory, roots[0] ?? real.directory('.'));
  const isAbsoluteRoot = patterns.some((pattern) => isAbsolute(pattern));
  return {
    covers: (path) => parts.some((part) => part.covers(path)),
    root: isAbsoluteRoot ? root : relative(real.directory('.'), root) || '.',
  };
}

type PathKind = 'file' | 'directory' | 'missing';

async function kindOf(path: string): Promise<PathKind> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (!(found instanceof Error)) return found.isDirectory() ? 'directory' : 'file';
  return found.code === 'ENOENT' ? 'missing' : refuse(path, found);
}

function isJobFileIn(directory: string, path: string): boolean {
  const steps = relative(directory, path).split(sep);
  const isHidden = steps.some((step) => step.startsWith('.') || step === 'node_modules');
  return !isHidden && steps[0] !== '' && !isAbsolute(steps.join(sep)) && JOB_FILE.test(path);
}

function commonDirectory(one: string, other: string): string {
  const [steps, others] = [one.split(sep), other.split(sep)];
  const differs = steps.findIndex((step, at) => step !== others[at]);
  const common = differs === -1 ? steps : steps.slice(0, differs);
  return common.join(sep) || sep;
}

/** The directories of a glob before its first wildcard. */
function staticPart(pattern: string): string {
  const steps = pattern.split('/').slice(0, -1);
  const wild = steps.findIndex((step) => /[*?[{\\]|[!@+]\(|\(.*\|/.test(step));
  return (wild === -1 ? steps : steps.slice(0, wild)).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

/** A file system that has one file and nothing else: whether a glob matches it is then for the glob to say. */
function only(file: string): FileSystemAdapter {
  const readdirSync = (directory: string) => {
    const [step = '', ...rest] = relative(directory, file).split(sep);
    if (step === '' || step === '..' || isAbsolute(step)) return [];
    const isFile = rest.length === 0;
    return [{ name: step, isFile: () => isFile, isDirectory: () => !isFile, isSymbolicLink: () => false }];
  };
  return { readdirSync: readdirSync as unknown as typeof readdirSyncOfNode };
}
