import { mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { entryAt, refuseDatabaseLinks, refuseLink, replaceFile, writeOwnFile } from '../../files/own-file.ts';
import { notPossible } from './unusable.ts';

/** The directory that is made beside the files for what `apply` remembers. */
export const STATE_DIRECTORY = '.partner';

const IGNORED = `# What a run leaves for the next one on this machine. state.json itself is to be committed.
*.journal.ndjson
*.last-run.json
*.lock
*.lock.*
.*.new
`;

/** `state.json` → `state.lock`: a file that belongs to a state, beside it. */
export function besideState(statePath: string, ending: string): string {
  return statePath.replace(/\.json$/i, '') + ending;
}

/**
 * Throws LINK_REFUSED where a state, a file beside it or its `.partner` is a symbolic link: a repository can bring one
 * along that leads out of it. Looked at before anything is sent, as some are written when everything has been.
 */
export function refuseLinksOf(statePath: string): void {
  const directory = dirname(statePath);
  if (basename(directory) === STATE_DIRECTORY) {
    refuseLink(directory);
    refuseLink(join(directory, '.gitignore'));
  }
  refuseLink(statePath);
  for (const ending of ['.journal.ndjson', '.last-run.json', '.lock'])
    refuseLink(besideState(statePath, ending));
  refuseDatabaseLinks(besideState(statePath, '.lock.db'));
}

/**
 * Makes the directory of a file, where it is missing; a new `.partner` gets a `.gitignore`, and one that a full disk
 * has left empty is written again. Throws what the file system says.
 */
export function makeDirectoryOf(path: string): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true });
  if (basename(directory) !== STATE_DIRECTORY) return;
  const ignore = join(directory, '.gitignore');
  const isWanted = entryAt(ignore)?.size === 0 || readdirSync(directory).length === 0;
  if (isWanted) writeOwnFile(ignore, IGNORED);
}

/** Replaces a file of a state where its content differs, whole or not at all. Throws LINK_REFUSED and STATE_UNUSABLE. */
export function replaceStateFile(path: string, text: string): void {
  try {
    makeDirectoryOf(path);
    replaceFile(path, text, { isLocked: true });
  } catch (error) {
    throw notPossible('written', path, error);
  }
}
