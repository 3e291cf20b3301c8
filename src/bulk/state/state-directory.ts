import { mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import {
  appendOwnFile,
  entryAt,
  refuseDatabaseLinks,
  refuseLink,
  replaceFile,
} from '../../files/own-file.ts';

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

/** A repository can bring a link along, so this is checked before anything is sent. Throws LINK_REFUSED. */
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

/** Makes the directory of a file, where it is missing; a new `.partner`, or one that was left so, is ignored by git. */
export function makeDirectoryOf(path: string): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true });
  if (basename(directory) !== STATE_DIRECTORY) return;
  const ignore = join(directory, '.gitignore');
  // What `jobs import` remembers may be there before.
  const isNew = readdirSync(directory).every((name) => name === 'import.json');
  const isWanted = entryAt(ignore)?.size === 0 || isNew;
  // In one write: a process that is killed leaves an empty file, and no other beside it.
  if (isWanted) appendOwnFile(ignore, IGNORED);
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

/** STATE_UNUSABLE for a file that could not be read or written; an error of ours as it is. */
export function notPossible(what: 'read' | 'written', path: string, cause: unknown): PartnerError {
  if (cause instanceof PartnerError) return cause;
  return new PartnerError('STATE_UNUSABLE', {
    message: `${path} cannot be ${what}: ${reasonOf(cause)}`,
    hint: 'mend the path, its permissions or the disk, or keep the state elsewhere with --state',
    cause,
  });
}

/** What is wrong in a file of ours, and where: both from 1. */
export interface Damage {
  readonly line: number;
  readonly column?: number | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
}

export function damaged(path: string, { line, column, message, hint }: Damage): PartnerError {
  const at = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  return new PartnerError('STATE_UNUSABLE', { message: `${path}, ${at}: ${message}`, hint });
}

export function fromNewerRelease(path: string, version: number, known: number): PartnerError {
  return new PartnerError('STATE_UNUSABLE', {
    message: `${path} was made by a newer release: it has version ${version}, and this one knows up to ${known}`,
    hint: 'upgrade partner; the file is kept as it is',
  });
}
