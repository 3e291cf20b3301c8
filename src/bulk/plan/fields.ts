import type { ServerJob } from '../../client/client.ts';
import { CONTENT_FIELDS, EMPTY_CONTENT, type JobContent, type JobUpdate } from '../../contract/job.ts';
import { FROZEN_FIELDS } from '../../contract/lifecycle.ts';
import type { FieldDigests, StateEntry } from '../state/state.ts';
import { contentOf, EMPTY_DIGEST, fieldDigests } from './content.ts';
import type { FieldChange } from './plan-item.ts';

export type FieldVerdict =
  | 'nothing'
  /** The server has what the file now says: only the state has to know. */
  | 'learned'
  | 'change'
  /** Edited on the server, the file is as it was applied: left. */
  | 'edited'
  /** Changed in the file and on the server, or never applied and not empty there. */
  | 'conflict'
  /** To be changed, and the job has applications (section 3, rule 4). */
  | 'frozen';

/** The digests of one field, where each has it; `answered` where the server answered another than was applied. */
type FieldSides = Partial<Record<'file' | 'applied' | 'answered' | 'server', string | undefined>>;

export interface FieldDecision {
  readonly verdict: FieldVerdict;
  /** Only because of `--overwrite`: it undoes what was edited on the server. */
  readonly isForced: boolean;
  readonly change: () => FieldChange;
}

const LOCKED: readonly (keyof JobContent)[] = FROZEN_FIELDS;

export function decideFields(
  content: JobUpdate,
  entry: StateEntry,
  job: ServerJob,
  { isFrozen, overwrite }: { readonly isFrozen: boolean; readonly overwrite: boolean },
): FieldDecision[] {
  const [file, server] = [fieldDigests(content), fieldDigests(job)];
  return CONTENT_FIELDS.map((field) => {
    const sides = {
      file: file[field],
      applied: entry.applied[field],
      answered: entry.answered?.[field],
      server: server[field],
    };
    const isLocked = isFrozen && LOCKED.includes(field);
    const to = content[field] === undefined ? EMPTY_CONTENT[field] : content[field];
    return {
      verdict: fieldVerdict(sides, { isLocked, overwrite }),
      isForced:
        fieldVerdict(sides, { isLocked, overwrite: false }) !== 'change' && sides.applied !== undefined,
      change: (): FieldChange => ({ field, from: contentOf(field, job[field]), to }),
    };
  });
}

export function changesOf(decisions: readonly FieldDecision[], ...verdicts: FieldVerdict[]): FieldChange[] {
  return decisions.filter(({ verdict }) => verdicts.includes(verdict)).map(({ change }) => change());
}

/** What is to become of a field: a three-way comparison, the file's side being what is wanted. */
export function fieldVerdict(
  { file, applied, answered = applied, server }: FieldSides,
  { isLocked, overwrite }: { readonly isLocked: boolean; readonly overwrite: boolean },
): FieldVerdict {
  if (file === applied) {
    if (file === undefined) return 'nothing';
    if (server === undefined || server === answered || server === file) return 'nothing';
    if (!overwrite) return 'edited';
    return isLocked ? 'frozen' : 'change';
  }
  // Dropped from the file, and it asked for nothing before: from now on it is the server's alone.
  if (file === undefined && applied === EMPTY_DIGEST) return 'learned';
  const wanted = file ?? EMPTY_DIGEST;
  if (server === wanted) return 'learned';
  if (isLocked) return 'frozen';
  const isUntouched =
    server === undefined || server === answered || (applied === undefined && server === EMPTY_DIGEST);
  return isUntouched || overwrite ? 'change' : 'conflict';
}

/** True where nothing that the listing manages was edited on the server since it was applied. */
export function isAsApplied({ applied, answered }: StateEntry, server: FieldDigests): boolean {
  return CONTENT_FIELDS.every((field) => {
    const known = answered?.[field] ?? applied[field];
    return known === undefined || server[field] === undefined || server[field] === known;
  });
}
