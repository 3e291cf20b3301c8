import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import type { Fault } from '../check/finding.ts';
import { type Faults, filesBelow, globOf, isJobFile, isMisnamed, NOT_UTF8, refuse } from './find-files.ts';
import { realDirectory, realEntry, realPath } from './real-paths.ts';

export interface JobFiles {
  readonly names: readonly string[];
  /** Why one of them is not read; its name may be shown otherwise than the system has it. */
  readonly faults?: ReadonlyMap<string, Fault>;
}

/**
 * The files of paths, sorted, each once whatever links lead to it. Hidden entries and node_modules are passed over
 * unless named. Throws USAGE for a directory or a glob without files, and FILE_UNREADABLE.
 */
export async function expandPaths(patterns: readonly string[]): Promise<JobFiles> {
  const faults: Faults = new Map();
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    for (const file of (await filesOf(pattern, faults)).sort(byCodeUnit)) {
      // What a link of /dev/fd leads to has no path.
      const path = file === '-' ? file : (realPath(file) ?? resolve(file));
      const before = found.get(path);
      const isOwnName = resolve(file) === path;
      if (before === undefined || (isOwnName && resolve(before) !== path)) found.set(path, file);
    }
  }
  return { names: [...found.values()].sort(byCodeUnit), faults };
}

async function filesOf(pattern: string, faults: Faults): Promise<string[]> {
  if (pattern === '-') return ['-'];
  const kind = await kindOf(pattern);
  if (kind === 'directory') return filesOfDirectory(pattern, faults);
  return kind === 'file' ? [normalize(pattern)] : filesOfGlob(pattern, faults);
}

async function kindOf(path: string): Promise<'file' | 'directory' | 'missing'> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (!(found instanceof Error)) return found.isDirectory() ? 'directory' : 'file';
  return found.code === 'ENOENT' ? 'missing' : refuse(path, found);
}

async function filesOfDirectory(directory: string, faults: Faults): Promise<string[]> {
  const walk = { takes: isJobFile, takesHidden: false, followsLinks: false };
  const files = await filesBelow(normalize(directory), walk, faults);
  if (files.length > 0) return files;
  throw new PartnerError('USAGE', {
    message: `there is no job file in ${directory}`,
    hint: 'job files end in .json, .ndjson or .jsonl; a file of another name can be given itself',
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

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export interface PathScope {
  covers(path: string): boolean;
  /** The deepest directory that has all of them in or below it: absolute where one of them is, else relative. */
  readonly root: string;
}

/** What paths stand for, whether it is there or not, and whatever links lead there. Throws FILE_UNREADABLE. */
export async function pathScope(patterns: readonly string[]): Promise<PathScope> {
  const parts = await Promise.all(
    patterns.map(async (pattern): Promise<PathScope> => {
      if (pattern === '-') return { covers: () => false, root: '.' };
      const kind = await kindOf(pattern);
      if (kind === 'directory') {
        const directory = realDirectory(pattern);
        return { covers: (path) => isJobFileIn(directory, realEntry(path)), root: pattern };
      }
      const entry = realEntry(pattern);
      const itself = { covers: (path: string) => realEntry(path) === entry, root: dirname(pattern) };
      if (kind === 'file') return itself;
      const glob = await globOf(pattern);
      if (glob === undefined) return itself;
      const { root, takes } = glob;
      const asMatched = (path: string) => join(root, relative(realDirectory(root), realEntry(path)));
      return { covers: (path) => takes(asMatched(path)), root };
    }),
  );
  const roots = parts.map(({ root }) => realDirectory(root));
  const root = roots.reduce(commonDirectory, roots[0] ?? realDirectory('.'));
  const isAbsoluteRoot = patterns.some((pattern) => isAbsolute(pattern));
  return {
    covers: (path) => parts.some((part) => part.covers(path)),
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
