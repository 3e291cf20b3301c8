import { existsSync, realpathSync, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { attempt } from '../../contract/system-errors.ts';
import { contentFault, type Fault } from '../check/finding.ts';
import { createReadError } from './bytes.ts';
import { type Beside, endingsInWords, findFormat, isPlainMarkdown, type ReadOptions } from './formats.ts';

export interface JobFiles extends Beside {
  readonly names: readonly string[];
  readonly named?: readonly string[];
  readonly faults?: ReadonlyMap<string, Fault>;
  readonly reading?: ReadOptions;
}

/** Returns sorted files, each once even if links lead to it. Throws USAGE if there are none, and FILE_UNREADABLE. */
export async function expandPaths(patterns: readonly string[], reading: ReadOptions = {}): Promise<JobFiles> {
  const faults: Faults = new Map();
  const ignored = new Set<string>();
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    for (const file of (await listFiles(pattern, faults, ignored)).sort()) {
      // The target of a link in /dev/fd may not have a path.
      const path = file === '-' ? file : (realPath(file) ?? resolve(file));
      const before = found.get(path);
      const isOwnName = resolve(file) === path;
      if (before === undefined || (isOwnName && resolve(before) !== path)) found.set(path, file);
    }
  }
  const names = [...found.values()].sort();
  const listings = names.filter((name) => !isDefaultsFile(name));
  if (listings.length === 0 && names[0] !== undefined) throw noListing(names[0]);
  for (const name of names) ignored.delete(name);
  const findRoot = async (pattern: string) =>
    existsSync(pattern) ? pattern : ((await parseGlob(pattern))?.root ?? pattern);
  const named = await Promise.all(patterns.map(findRoot));
  return { names: listings, named, faults, reading, ignored: [...ignored].sort() };
}

async function listFiles(pattern: string, faults: Faults, ignored: Set<string>): Promise<string[]> {
  if (pattern === '-') return ['-'];
  const kind = await findKind(pattern);
  if (kind === 'directory') return filesOfDirectory(pattern, faults, ignored);
  return kind === 'file' ? [normalize(pattern)] : filesOfGlob(pattern, faults);
}

async function findKind(path: string): Promise<'file' | 'directory' | 'missing'> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (!(found instanceof Error)) return found.isDirectory() ? 'directory' : 'file';
  return found.code === 'ENOENT' ? 'missing' : refuse(path, found);
}

async function filesOfDirectory(directory: string, faults: Faults, ignored: Set<string>): Promise<string[]> {
  const walk = { takes: isJobFile, takesHidden: false, followsLinks: false, ignored, faults };
  const files = await walkFiles(normalize(directory), walk);
  if (files.length > 0) return files;
  throw new PartnerError('USAGE', {
    message: `no job files in ${directory}`,
    hint: `job files end in ${endingsInWords()}. You can also pass a file with another name directly`,
  });
}

async function filesOfGlob(pattern: string, faults: Faults): Promise<string[]> {
  if (await isMisnamed(pattern)) {
    faults.set(pattern, NOT_UTF8);
    return [pattern];
  }
  const glob = await parseGlob(pattern);
  if (glob === undefined) return refuse(pattern, { code: 'ENOENT' });
  const isThere = (await findKind(glob.root)) === 'directory';
  const files = isThere ? await walkFiles(normalize(glob.root), { ...glob, faults }) : [];
  if (files.length > 0) return files;
  throw new PartnerError('USAGE', {
    message: `no files match ${pattern}`,
    hint: 'pass a file, a directory or a pattern that matches files',
  });
}

/** Returns which files the paths cover, even if they don't exist. Resolves links. Throws FILE_UNREADABLE. */
export async function pathScope(patterns: readonly string[]) {
  const parts = await Promise.all(
    patterns.map(async (pattern) => {
      if (pattern === '-') return { covers: () => false, root: '.' };
      const kind = await findKind(pattern);
      if (kind === 'directory') {
        const directory = realDirectory(pattern);
        return { covers: (path: string) => isJobFileInside(directory, realEntry(path)), root: pattern };
      }
      const entry = realEntry(pattern);
      const itself = { covers: (path: string) => realEntry(path) === entry, root: dirname(pattern) };
      if (kind === 'file') return itself;
      const glob = await parseGlob(pattern);
      if (glob === undefined) return itself;
      const { root, takes } = glob;
      const asMatched = (path: string) => join(root, relative(realDirectory(root), realEntry(path)));
      return { covers: (path: string) => takes(asMatched(path)), root };
    }),
  );
  const roots = parts.map(({ root }) => realDirectory(root));
  const root = roots.reduce(commonDirectory, roots[0] ?? realDirectory('.'));
  const isAbsoluteRoot = patterns.some((pattern) => isAbsolute(pattern));
  return {
    covers: (path: string) => parts.some((part) => part.covers(path)),
    root: isAbsoluteRoot ? root : relative(realDirectory('.'), root) || '.',
  };
}

function isJobFileInside(directory: string, path: string): boolean {
  const steps = relative(directory, path).split(sep);
  const isHidden = steps.some((step) => step.startsWith('.') || step === 'node_modules');
  return !isHidden && steps[0] !== '' && !isAbsolute(steps.join(sep)) && isJobFile(path);
}

function commonDirectory(one: string, other: string): string {
  const [steps, others] = [one.split(sep), other.split(sep)];
  const differs = steps.findIndex((step, at) => step !== others[at]);
  const common = differs === -1 ? steps : steps.slice(0, differs);
  return common.join(sep) || sep;
}

type Faults = Map<string, Fault>;

interface Walk {
  readonly takes: (path: string) => boolean;
  readonly takesHidden: boolean;
  readonly followsLinks: boolean;
  readonly faults: Faults;
  readonly ignored?: Set<string>;
  /** Levels of directories to search. All by default. */
  readonly depth?: number | undefined;
}

/** Lists files recursively. Throws FILE_UNREADABLE if an entry can't be accessed. */
async function walkFiles(directory: string, walk: Walk, above: readonly string[] = []): Promise<string[]> {
  const real = realPath(directory) ?? directory;
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
      const within = [...above, real];
      const below = within.length === walk.depth ? [] : await walkFiles(path, walk, within);
      for (const file of below) files.push(file);
      if (below.length > 0 || !isJobFile(path)) continue;
    }
    const mayBeIgnored = walk.ignored !== undefined && kinds.isFile() && !isDefaultsFile(path);
    if (mayBeIgnored && (!isTaken || (!isUnreadable && isPlainMarkdown(path)))) {
      walk.ignored?.add(path);
      continue;
    }
    // Also reports a directory whose name isn't UTF-8, because it can't be searched.
    if (!isTaken && !(isDirectory && isUnreadable)) continue;
    const fault = isUnreadable ? NOT_UTF8 : kindFault(kinds);
    if (fault !== undefined) walk.faults.set(path, fault);
    files.push(path);
  }
  return files;
}

function isJobFile(path: string): boolean {
  return findFormat(path) !== undefined && !isDefaultsFile(path);
}

export const DEFAULTS_FILES = ['_defaults.yaml', '_defaults.yml', '_defaults.json'] as const;

export function isDefaultsFile(path: string): boolean {
  return DEFAULTS_FILES.some((name) => name === basename(path));
}

export function noListing(file: string): PartnerError {
  return new PartnerError('USAGE', {
    message: `${file} isn't a listing: it contains the shared fields of its directory`,
    hint: 'pass a listing or its directory. Shared fields are checked with the listings',
  });
}

async function parseGlob(pattern: string) {
  const { default: picomatch } = await import('picomatch');
  const { base, glob, isGlob, isGlobstar, isBrace } = picomatch.scan(pattern, { scanToEnd: true });
  if (!isGlob) return undefined;
  const root = base || '.';
  const matches = picomatch(glob);
  return {
    root,
    depth: isGlobstar || isBrace ? undefined : glob.split('/').length,
    takes: (path: string) =>
      matches(relative(root, path).replaceAll(sep, '/')) && !path.split(sep).includes('node_modules'),
    takesHidden: /(?:^|[/{,(|])\./.test(glob),
    followsLinks: true,
  };
}

async function refuse(path: string, error: unknown): Promise<never> {
  throw await createReadError(path, error);
}

/** Node replaces bytes that aren't UTF-8 with this character. Such a file is listed but can't be opened. */
const NOT_DECODED = '\ufffd';

/** True if a missing path is in its directory under a name that isn't UTF-8. */
async function isMisnamed(path: string): Promise<boolean> {
  if (!basename(path).includes(NOT_DECODED)) return false;
  const names = await readdir(dirname(path)).catch((): string[] => []);
  return names.includes(basename(path));
}

const NOT_UTF8 = contentFault(
  "its name isn't UTF-8, so it wasn't read",
  "rename it: \ufffd marks the bytes that aren't UTF-8",
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
  return contentFault(`it is ${name}, not a file`, 'move or rename it: its name ends like a job file');
}

function realPath(path: string): string | undefined {
  return attempt(() => realpathSync.native(path));
}

/** Resolves symbolic links as far as the path exists. Returns an absolute path. */
export function realDirectory(path: string): string {
  const absolute = resolve(path);
  const real = realPath(absolute);
  // Each process has its own /dev/fd, where shells put `<(command)`. Its real path can't identify a file.
  if (real !== undefined) return real.startsWith(`${sep}proc${sep}`) ? absolute : real;
  return dirname(absolute) === absolute ? absolute : realEntry(absolute);
}

/** Resolves the links of the directory, but not of the file itself. Returns an absolute path. */
export function realEntry(path: string): string {
  const absolute = resolve(path);
  return join(realDirectory(dirname(absolute)), basename(absolute));
}
