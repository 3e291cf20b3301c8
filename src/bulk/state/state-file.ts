import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { entryAt, readOwnFile } from '../../files/own-file.ts';
import { decodeText } from '../../listings/read/other-formats.ts';
import { realDirectory, realEntry } from '../../listings/read/paths.ts';
import type { BulkState } from './state.ts';
import {
  besideState,
  damaged,
  notPossible,
  refuseLinksOf,
  replaceStateFile,
  STATE_DIRECTORY,
} from './state-directory.ts';
import { parseState, stateDigest, textDigest } from './state-text.ts';

/**
 * `stateFlag` (keys relative to `cwd`), or else `.partner/state.json` in the nearest directory from `root` up to the one that
 * holds `.git` where there is a state, or the journal of a first run that was killed; else a new one in `root`. The keys are
 * relative to `base`, which is absolute; no symbolic link leads to it.
 */
export function findState(options: {
  readonly stateFlag?: string | undefined;
  readonly root: string;
  readonly cwd: string;
}) {
  const { stateFlag, cwd } = options;
  const root = realDirectory(resolve(cwd, stateFlag === undefined ? options.root : '.'));
  const base = stateFlag === undefined ? (ancestors(root).find(hasState) ?? root) : root;
  const path = stateFlag === undefined ? stateIn(base) : resolve(cwd, stateFlag);
  refuseLinksOf(path);
  return { path, base };
}

/** `base` relative to its repository: the same in every checkout. Empty without a repository. */
export function placeInRepository(base: string): string {
  const top = ancestors(base).at(-1) ?? base;
  return existsSync(join(top, '.git')) ? relative(top, base).replaceAll(sep, '/') : '';
}

function stateIn(directory: string): string {
  return join(directory, STATE_DIRECTORY, 'state.json');
}

/** What the keys of a shared state are relative to: the repository of the listings, or else the working directory. */
export function sharedBase({ root, cwd }: { readonly root: string; readonly cwd: string }): string {
  const top = ancestors(realDirectory(resolve(cwd, root))).at(-1) ?? cwd;
  return existsSync(join(top, '.git')) ? top : realDirectory(cwd);
}

function hasState(directory: string): boolean {
  const path = stateIn(directory);
  return [path, journalPath(path)].some((each) => entryAt(each) !== undefined);
}

function ancestors(root: string): string[] {
  const directories = [root];
  for (let directory = root; !existsSync(join(directory, '.git')) && directory !== dirname(directory); ) {
    directory = dirname(directory);
    directories.push(directory);
  }
  return directories;
}

/** Where the journal of a state is kept while an apply runs, and after one that was killed. */
export function journalPath(statePath: string): string {
  return besideState(statePath, '.journal.ndjson');
}

/** The path of a file in its real directory, relative to `base`: the same by whatever link it was found. */
export function keyPath(base: string, file: string): string {
  return file === '-' ? 'stdin' : relative(base, realEntry(file)).replaceAll(sep, '/');
}

/** `known` where that is still what the file holds. Throws STATE_UNUSABLE, with line and column where it is damaged. */
export function readState(path: string, known?: BulkState): BulkState | undefined {
  let bytes: Uint8Array | undefined;
  try {
    bytes = readOwnFile(path);
  } catch (error) {
    throw notPossible('read', path, error);
  }
  if (bytes === undefined) return undefined;
  const decoded = decodeText(bytes);
  if ('fault' in decoded) throw damaged(path, decoded.fault);
  const { text } = decoded;
  return known !== undefined && textDigest(text) === stateDigest(known) ? known : parseState(path, text);
}

export const LastRun = z.object({
  /** The keys of the listings that the last run of `apply` did not bring to what they should be. */
  failed: z.array(z.string()),
  at: z.int(),
});

export type LastRun = z.infer<typeof LastRun>;

function lastRunPath(statePath: string): string {
  return besideState(statePath, '.last-run.json');
}

export function writeLastRun(statePath: string, { failed, at }: LastRun): void {
  replaceStateFile(lastRunPath(statePath), `${JSON.stringify({ at, failed }, undefined, 2)}\n`);
}

/** A damaged file counts as none: it holds nothing that running everything again would not tell. */
export function readLastRun(statePath: string): LastRun | undefined {
  const path = lastRunPath(statePath);
  try {
    return LastRun.safeParse(JSON.parse(String(readOwnFile(path)))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw notPossible('read', path, error);
  }
}
