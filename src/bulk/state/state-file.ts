import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import type { PartnerError } from '../../contract/errors.ts';
import { attempt, systemError, translateErrors } from '../../contract/system-errors.ts';
import * as ownFile from '../../files/own-file.ts';
import { decodeText } from '../../listings/read/other-formats.ts';
import { realDirectory, realEntry } from '../../listings/read/paths.ts';
import { type BulkState, createDamageError, parseState, stateDigest, textDigest } from './state.ts';

const STATE_DIRECTORY = '.partner';

/**
 * Finds the state: `stateFlag`, otherwise `.partner/state.json` from `root` up to the directory with `.git`, otherwise
 * a new one in `root`. A journal without a state counts too. `base` is the absolute path that keys are relative to.
 */
export function findState(options: {
  readonly stateFlag?: string | undefined;
  readonly root: string;
  readonly cwd: string;
}) {
  const { stateFlag, cwd } = options;
  const root = realDirectory(resolve(cwd, stateFlag === undefined ? options.root : '.'));
  const base = stateFlag === undefined ? (ancestors(root).find(hasState) ?? root) : root;
  const path = stateFlag === undefined ? buildStatePath(base) : resolve(cwd, stateFlag);
  refuseStateLinks(path);
  return { path, base };
}

/** Path of `base` in its repository, which is the same in every checkout. Empty without a repository. */
export function placeInRepository(base: string): string {
  const top = findRepository(base);
  return top === undefined ? '' : relative(top, base).replaceAll(sep, '/');
}

export function buildStatePath(directory: string): string {
  return join(directory, STATE_DIRECTORY, 'state.json');
}

export function findSharedBase({ root, cwd }: { readonly root: string; readonly cwd: string }): string {
  return findRepository(realDirectory(resolve(cwd, root))) ?? realDirectory(cwd);
}

function findRepository(directory: string): string | undefined {
  return ancestors(directory).find((each) => existsSync(join(each, '.git')));
}

function hasState(directory: string): boolean {
  const path = buildStatePath(directory);
  return [path, journalPath(path)].some((each) => ownFile.findEntry(each) !== undefined);
}

export const SEARCHED_MAX = 20_000;

export function stateDirectories(root: string) {
  const searched = [root];
  for (const directory of searched) {
    for (const entry of attempt(() => readdirSync(directory, { withFileTypes: true })) ?? []) {
      const isSkipped = ['.git', 'node_modules', STATE_DIRECTORY].includes(entry.name);
      if (entry.isDirectory() && !isSkipped && searched.length < SEARCHED_MAX)
        searched.push(join(directory, entry.name));
    }
  }
  return { directories: searched.filter(hasState).sort(), isComplete: searched.length < SEARCHED_MAX };
}

function ancestors(root: string): string[] {
  const directories = [root];
  for (let directory = root; !existsSync(join(directory, '.git')) && directory !== dirname(directory); ) {
    directory = dirname(directory);
    directories.push(directory);
  }
  return directories;
}

export function journalPath(statePath: string): string {
  return besideState(statePath, '.journal.ndjson');
}

/** Path relative to `base`. Links in its directory are resolved, so that every link leads to the same path. */
export function keyPath(base: string, file: string): string {
  return file === '-' ? 'stdin' : relative(base, realEntry(file)).replaceAll(sep, '/');
}

/** Returns `known` if the file is unchanged. Throws STATE_UNUSABLE, with the position of any damage. */
export function readState(path: string, known?: BulkState): BulkState | undefined {
  const bytes = readStateFile(path);
  if (bytes === undefined) return undefined;
  const decoded = decodeText(bytes);
  if ('fault' in decoded) throw createDamageError(path, decoded.fault);
  const { text } = decoded;
  return known !== undefined && textDigest(text) === stateDigest(known) ? known : parseState(path, text);
}

const LastRun = z.object({ failed: z.array(z.string()), at: z.int() });

export type LastRun = z.infer<typeof LastRun>;

export function lastRunPath(statePath: string): string {
  return besideState(statePath, '.last-run.json');
}

export function writeLastRun(statePath: string, { failed, at }: LastRun): void {
  replaceStateFile(lastRunPath(statePath), `${JSON.stringify({ at, failed }, undefined, 2)}\n`);
}

/** Undefined if damaged, because a full run provides the same information. */
export function parseLastRun(text: string | undefined): LastRun | undefined {
  return LastRun.safeParse(attempt(() => JSON.parse(text ?? ''))).data;
}

export function readLastRun(statePath: string): LastRun | undefined {
  return parseLastRun(readStateFile(lastRunPath(statePath))?.toString());
}

const IGNORED = `# Local files of jobs apply. Commit state.json, but not these.
*.journal.ndjson
*.last-run.json
*.lock
*.lock.*
.*.new
`;

/** Returns the path of a file next to a state: `state.json` → `state.lock`. */
export function besideState(statePath: string, ending: string): string {
  return statePath.replace(/\.json$/i, '') + ending;
}

/** Checks for symbolic links before anything is sent, because a repository can contain them. Throws LINK_REFUSED. */
function refuseStateLinks(statePath: string): void {
  const directory = dirname(statePath);
  if (basename(directory) === STATE_DIRECTORY) {
    ownFile.refuseLink(directory);
    ownFile.refuseLink(join(directory, '.gitignore'));
  }
  ownFile.refuseLink(statePath);
  for (const ending of ['.journal.ndjson', '.last-run.json', '.lock'])
    ownFile.refuseLink(besideState(statePath, ending));
  ownFile.refuseDatabaseLinks(besideState(statePath, '.lock.db'));
}

/** Creates the directory of a file if it's missing. Adds a `.gitignore` to a new `.partner` directory. */
export function createParentDirectory(path: string): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true });
  if (basename(directory) !== STATE_DIRECTORY) return;
  const ignore = join(directory, '.gitignore');
  // A directory with only `import.json` counts as new, because `jobs import` creates that file.
  const isNew = readdirSync(directory).every((name) => name === 'import.json');
  const isWanted = ownFile.findEntry(ignore)?.size === 0 || isNew;
  // Uses a single write, so that a killed process leaves at most an empty file.
  if (isWanted) ownFile.appendOwnFile(ignore, IGNORED);
}

/** Replaces a state file atomically. Removes it if `text` is undefined. Throws LINK_REFUSED and STATE_UNUSABLE. */
export function replaceStateFile(path: string, text: string | undefined): void {
  explainFailure(path, 'written', () => {
    if (text === undefined) return rmSync(path, { force: true });
    createParentDirectory(path);
    ownFile.replaceFile(path, text, { isLocked: true });
  });
}

/** Returns the content of a state file. Undefined if it doesn't exist. Throws LINK_REFUSED and STATE_UNUSABLE. */
export function readStateFile(path: string): Buffer | undefined {
  return explainFailure(path, 'read', () => ownFile.readOwnFile(path));
}

function explainFailure<T>(path: string, what: 'read' | 'written', work: () => T): T {
  return translateErrors(work, (error) => notPossible(what, path, error));
}

export function notPossible(what: 'read' | 'written', path: string, cause: unknown): PartnerError {
  const hint =
    'check the path, its permissions and the disk space, or store the state elsewhere with --state';
  return systemError(cause, 'STATE_UNUSABLE', `${path} can't be ${what}`, hint);
}
