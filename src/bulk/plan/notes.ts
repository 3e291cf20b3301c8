import type { ServerJob } from '../../client/client.ts';
import { describeKey } from './desired-listing.ts';
import type { ListingSide, Remembered } from './likeness.ts';
import words from './notes.json' with { type: 'json' };

type Words = typeof words;
export type NoteName = keyof Words;
type Changed = readonly { readonly field: string }[];

/** See "Notes" in docs/bulk.md. */
export interface PlanNote {
  readonly code: { [N in NoteName]: Words[N] extends { code: string } ? never : N }[NoteName];
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Replaces each `{name}` in the wording with its value. */
export function createNote(name: NoteName, values: Readonly<Record<string, unknown>>): PlanNote {
  const { code = name, message, hint }: { code?: string; message: string; hint?: string } = words[name];
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, value) => String(values[value]));
  const note = { code: code as PlanNote['code'], message: fill(message) };
  return hint === undefined ? note : { ...note, hint: fill(hint) };
}

/** Returns a note about these fields. Empty without fields. */
export function noteFields(name: NoteName, changes: Changed, jobId: number): PlanNote[] {
  const fields = listWords(
    'conjunction',
    changes.map(({ field }) => field),
  );
  const were = changes.length === 1 ? 'was' : 'were';
  return changes.length === 0 ? [] : [createNote(name, { fields, were, jobId })];
}

export function noteDoubts(key: string, doubts: readonly Remembered[]): PlanNote {
  const jobs = doubts.map((each) => `job ${each.entry.job} (${describeKey(each.key)})`);
  const jobId = doubts[0]?.entry.job;
  return createNote('MATCH_UNCLEAR', { jobs: listWords('disjunction', jobs), key, jobId });
}

export function noteOtherOpening(key: string, job: ServerJob, title: unknown): PlanNote {
  const counts = Object.values(job.applicationCounts ?? {}).filter((count) => typeof count === 'number');
  const sum = counts.reduce((total, count) => total + count, 0);
  const applicants = counts.length === 0 ? '' : ` (${sum} ${sum === 1 ? 'applicant' : 'applicants'})`;
  const values = { key, jobId: job.id, applicants, before: job.title, title: title ?? '' };
  return createNote('OTHER_OPENING', values);
}

export function noteDuplicate({ key, opportunityId }: ListingSide, job: ServerJob, isHeld: boolean) {
  const isSameId = job.opportunityId && job.opportunityId === opportunityId;
  const same = isSameId ? 'opportunityId' : 'title and place';
  const values = { key, jobId: job.id, status: job.status, same };
  return createNote(isHeld ? 'HELD_AS_DUPLICATE' : 'POSSIBLE_DUPLICATE', values);
}

/** Creates the format on use, because the first one in a process takes 15 ms. */
function listWords(type: 'conjunction' | 'disjunction', words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type }).format(words);
}
