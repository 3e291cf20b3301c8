import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { systemError } from '../../contract/system-errors.ts';
import {
  appendOwnFile,
  findEntry,
  readOwnFile,
  refuseDatabaseLinks,
  refuseLink,
  replaceFile,
} from '../../files/own-file.ts';

export const STATE_DIRECTORY = '.partner';

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

/** A repository can contain symbolic links, so they are refused before anything is sent. Throws LINK_REFUSED. */
export function refuseStateLinks(statePath: string): void {
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

/** Creates the directory of a file if it's missing. Adds a `.gitignore` to a new `.partner` directory. */
export function createParentDirectory(path: string): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true });
  if (basename(directory) !== STATE_DIRECTORY) return;
  const ignore = join(directory, '.gitignore');
  // A directory with only `import.json` counts as new, because `jobs import` creates that file.
  const isNew = readdirSync(directory).every((name) => name === 'import.json');
  const isWanted = findEntry(ignore)?.size === 0 || isNew;
  // Uses a single write, so that a killed process leaves at most an empty file.
  if (isWanted) appendOwnFile(ignore, IGNORED);
}

/** Replaces a state file atomically. Throws LINK_REFUSED and STATE_UNUSABLE. */
export function replaceStateFile(path: string, text: string): void {
  explainFailure(path, 'written', () => {
    createParentDirectory(path);
    replaceFile(path, text, { isLocked: true });
  });
}

/** Returns the content of a state file. Undefined if it doesn't exist. Throws LINK_REFUSED and STATE_UNUSABLE. */
export function readStateFile(path: string): Buffer | undefined {
  return explainFailure(path, 'read', () => readOwnFile(path));
}

export function removeStateFile(path: string): void {
  explainFailure(path, 'written', () => rmSync(path, { force: true }));
}

function explainFailure<T>(path: string, what: 'read' | 'written', work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw notPossible(what, path, error);
  }
}

export function notPossible(what: 'read' | 'written', path: string, cause: unknown): PartnerError {
  const hint =
    'check the path, its permissions and the disk space, or store the state elsewhere with --state';
  return systemError(cause, 'STATE_UNUSABLE', `${path} can't be ${what}`, hint);
}

export interface Damage {
  readonly line: number;
  readonly column?: number | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
}

export function createDamageError(path: string, { line, column, message, hint }: Damage): PartnerError {
  const at = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  return new PartnerError('STATE_UNUSABLE', { message: `${path}, ${at}: ${message}`, hint });
}

export function fromNewerRelease(path: string, version: number, known: number): PartnerError {
  return new PartnerError('STATE_UNUSABLE', {
    message: `${path} was written by a newer release: it has version ${version}, but this release supports up to ${known}`,
    hint: 'upgrade partner. The file was not changed',
  });
}
