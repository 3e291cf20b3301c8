import type { ServerJob } from '../../client/client.ts';
import { CONTENT_FIELDS, EMPTY_CONTENT, type JobContent, type JobUpdate } from '../../contract/job.ts';
import { FROZEN_FIELDS } from '../../contract/lifecycle.ts';
import type { FieldDigests, StateEntry } from '../state/state.ts';
import { EMPTY_DIGEST, fieldDigests, normalizeField } from './content.ts';
import type { FieldChange } from './plan-item.ts';

export type FieldVerdict =
  | 'nothing'
  /** The server already has the file's value. Only the state must be updated. */
  | 'learned'
  | 'change'
  | 'edited'
  /** The field changed in the file and on the server, or was never applied and isn't empty on the server. */
  | 'conflict'
  /** The field changed, but it's locked because the job has applications (section 3, rule 4). */
  | 'frozen';

export type FieldDecision = Readonly<ReturnType<typeof decideFields>[number]>;

const LOCKED: readonly (keyof JobContent)[] = FROZEN_FIELDS;

export function decideFields(
  content: JobUpdate,
  entry: StateEntry,
  job: ServerJob,
  { isFrozen, overwrite }: { readonly isFrozen: boolean; readonly overwrite: boolean },
) {
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
      /** True if `--overwrite` causes this change, which undoes an edit on the server. */
      isForced:
        fieldVerdict(sides, { isLocked, overwrite: false }) !== 'change' && sides.applied !== undefined,
      change: (): FieldChange => ({ field, from: normalizeField(field, job[field]), to }),
    };
  });
}

export function listChanges(decisions: readonly FieldDecision[], ...verdicts: FieldVerdict[]): FieldChange[] {
  return decisions.filter(({ verdict }) => verdicts.includes(verdict)).map(({ change }) => change());
}

type FieldSides = Partial<Record<'file' | 'applied' | 'answered' | 'server', string | undefined>>;

/** Three-way comparison: the file is the desired state, `applied` the common base, and the server the current state. */
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
  // The field was removed from the file and was empty before, so the server's value stays.
  if (file === undefined && applied === EMPTY_DIGEST) return 'learned';
  const wanted = file ?? EMPTY_DIGEST;
  if (server === wanted) return 'learned';
  if (isLocked) return 'frozen';
  const isUntouched =
    server === undefined || server === answered || (applied === undefined && server === EMPTY_DIGEST);
  return isUntouched || overwrite ? 'change' : 'conflict';
}

export function isAsApplied({ applied, answered }: StateEntry, server: FieldDigests): boolean {
  return CONTENT_FIELDS.every((field) => {
    const known = answered?.[field] ?? applied[field];
    return known === undefined || server[field] === undefined || server[field] === known;
  });
}
