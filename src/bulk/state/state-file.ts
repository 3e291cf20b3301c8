import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { attempt } from '../../contract/system-errors.ts';
import { findEntry } from '../../files/own-file.ts';
import { decodeText } from '../../listings/read/other-formats.ts';
import { realDirectory, realEntry } from '../../listings/read/paths.ts';
import { type BulkState, parseState, stateDigest, textDigest } from './state.ts';
import {
  besideState,
  createDamageError,
  readStateFile,
  refuseStateLinks,
  replaceStateFile,
  STATE_DIRECTORY,
} from './state-directory.ts';

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
  const top = ancestors(base).at(-1) ?? base;
  return existsSync(join(top, '.git')) ? relative(top, base).replaceAll(sep, '/') : '';
}

export function buildStatePath(directory: string): string {
  return join(directory, STATE_DIRECTORY, 'state.json');
}

export function findSharedBase({ root, cwd }: { readonly root: string; readonly cwd: string }): string {
  const top = ancestors(realDirectory(resolve(cwd, root))).at(-1) ?? cwd;
  return existsSync(join(top, '.git')) ? top : realDirectory(cwd);
}

function hasState(directory: string): boolean {
  const path = buildStatePath(directory);
  return [path, journalPath(path)].some((each) => findEntry(each) !== undefined);
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

export const LastRun = z.object({
  failed: z.array(z.string()),
  at: z.int(),
});

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
