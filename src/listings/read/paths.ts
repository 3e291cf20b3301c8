import { existsSync, realpathSync, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { tried } from '../../contract/tried.ts';
import { contentFault, type Fault } from '../check/finding.ts';
import { unreadable } from './bytes.ts';
import { endingsInWords, formatOf, type ReadOptions } from './formats.ts';
import { type Beside, isPlainMarkdown } from './unknown-files.ts';

export interface JobFiles extends Beside {
  readonly names: readonly string[];
  /** What the user passed: of a pattern, the directory that it begins with. */
  readonly named?: readonly string[];
  /** Why one of them is not read; its name may be shown otherwise than the system has it. */
  readonly faults?: ReadonlyMap<string, Fault>;
  /** How stdin is read, and files whose names do not say it. */
  readonly reading?: ReadOptions;
}

/** Sorted, each once whatever links lead to it. Throws USAGE where there are no files, and FILE_UNREADABLE. */
export async function expandPaths(patterns: readonly string[], reading: ReadOptions = {}): Promise<JobFiles> {
  const faults: Faults = new Map();
  const ignored = new Set<string>();
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    for (const file of (await filesOf(pattern, faults, ignored)).sort()) {
      // What a link of /dev/fd leads to has no path.
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
  const rootOf = async (pattern: string) =>
    existsSync(pattern) ? pattern : ((await globOf(pattern))?.root ?? pattern);
  const named = await Promise.all(patterns.map(rootOf));
  return { names: listings, named, faults, reading, ignored: [...ignored].sort() };
}

async function filesOf(pattern: string, faults: Faults, ignored: Set<string>): Promise<string[]> {
  if (pattern === '-') return ['-'];
  const kind = await kindOf(pattern);
  if (kind === 'directory') return filesOfDirectory(pattern, faults, ignored);
  return kind === 'file' ? [normalize(pattern)] : filesOfGlob(pattern, faults);
}

async function kindOf(path: string): Promise<'file' | 'directory' | 'missing'> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (!(found instanceof Error)) return found.isDirectory() ? 'directory' : 'file';
  return found.code === 'ENOENT' ? 'missing' : refuse(path, found);
}

async function filesOfDirectory(directory: string, faults: Faults, ignored: Set<string>): Promise<string[]> {
  const walk = { takes: isJobFile, takesHidden: false, followsLinks: false, ignored };
  const files = await filesBelow(normalize(directory), walk, faults);
  if (files.length > 0) return files;
  throw new PartnerError('USAGE', {
    message: `there is no job file in ${directory}`,
    hint: `job files end in ${endingsInWords()}; a file of another name can be given itself`,
  });
}

async function filesOfGlob(pattern: string, faults: Faults): Promise<string[]> {
  if (await isMisnamed(pattern)) {
    faults.set(pattern, NOT_UTF8);
    return [pattern];
  }
  const glob = await globOf(pattern);
  if (glob === undefined) return refuse(pattern, { code: 'ENOENT' });
  const isThere = (await kindOf(glob.root)) === 'directory';
  const files = isThere ? await filesBelow(normalize(glob.root), glob, faults, glob.depth) : [];
  if (files.length > 0) return files;
  throw new PartnerError('USAGE', {
    message: `no file matches ${pattern}`,
    hint: 'give a file, a directory, or a pattern that matches some',
  });
}

/** What paths stand for, whether it is there or not, and whatever links lead there. Throws FILE_UNREADABLE. */
export async function pathScope(patterns: readonly string[]) {
  const parts = await Promise.all(
    patterns.map(async (pattern) => {
      if (pattern === '-') return { covers: () => false, root: '.' };
      const kind = await kindOf(pattern);
      if (kind === 'directory') {
        const directory = realDirectory(pattern);
        return { covers: (path: string) => isJobFileIn(directory, realEntry(path)), root: pattern };
      }
      const entry = realEntry(pattern);
      const itself = { covers: (path: string) => realEntry(path) === entry, root: dirname(pattern) };
      if (kind === 'file') return itself;
      const glob = await globOf(pattern);
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
    /** The deepest directory that has all of them in or below it: absolute where one of them is, else relative. */
    root: isAbsoluteRoot ? root : relative(realDirectory('.'), root) || '.',
  };
}

function isJobFileIn(directory: string, path: string): boolean {
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
  /** Into directories. */
  readonly followsLinks: boolean;
  /** Takes what is in no known format. */
  readonly ignored?: Set<string>;
}

/** The files in and below a directory. Throws FILE_UNREADABLE where an entry cannot be looked at. */
async function filesBelow(
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
    const mayBeIgnored = walk.ignored !== undefined && kinds.isFile() && !isDefaultsFile(path);
    if (mayBeIgnored && (!isTaken || (!isUnreadable && isPlainMarkdown(path)))) {
      walk.ignored?.add(path);
      continue;
    }
    // A directory with such a name is reported as well: nobody knows what is in it.
    if (!isTaken && !(isDirectory && isUnreadable)) continue;
    const fault = isUnreadable ? NOT_UTF8 : kindFault(kinds);
    if (fault !== undefined) faults.set(path, fault);
    files.push(path);
  }
  return files;
}

function isJobFile(path: string): boolean {
  return formatOf(path) !== undefined && !isDefaultsFile(path);
}

/** What holds the fields that the listings of a directory share. */
export const DEFAULTS_FILES = ['_defaults.yaml', '_defaults.yml', '_defaults.json'] as const;

export function isDefaultsFile(path: string): boolean {
  return DEFAULTS_FILES.some((name) => name === basename(path));
}

export function noListing(file: string): PartnerError {
  return new PartnerError('USAGE', {
    message: `${file} is no listing: it holds what the listings of its directory share`,
    hint: 'name a listing, or their directory: what they share is checked with them',
  });
}

/** Undefined for a path without wildcards. */
async function globOf(pattern: string) {
  const { default: picomatch } = await import('picomatch');
  const { base, glob, isGlob, isGlobstar, isBrace } = picomatch.scan(pattern, { scanToEnd: true });
  if (!isGlob) return undefined;
  const root = base || '.';
  const matches = picomatch(glob);
  return {
    /** The directories before the first wildcard. */
    root,
    /** How many directories deep it can match. */
    depth: isGlobstar || isBrace ? Number.POSITIVE_INFINITY : glob.split('/').length,
    takes: (path: string) =>
      matches(relative(root, path).replaceAll(sep, '/')) && !path.split(sep).includes('node_modules'),
    takesHidden: /(?:^|[/{,(|])\./.test(glob),
    followsLinks: true,
  };
}

async function refuse(path: string, error: unknown): Promise<never> {
  throw await unreadable(path, error);
}

/** What Node makes of bytes in a name that are not UTF-8: such a file is found, and cannot be opened. */
const NOT_DECODED = '\ufffd';

/** Whether a path that is not there is in its directory, under a name that is not UTF-8. */
async function isMisnamed(path: string): Promise<boolean> {
  if (!basename(path).includes(NOT_DECODED)) return false;
  const names = await readdir(dirname(path)).catch((): string[] => []);
  return names.includes(basename(path));
}

const NOT_UTF8 = contentFault(
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
    'move it elsewhere, or rename it: a directory is searched for files that end so',
  );
}

/** Undefined where nothing is there, or it cannot be looked at. */
function realPath(path: string): string | undefined {
  return tried(() => realpathSync.native(path));
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
