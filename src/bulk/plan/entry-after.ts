import type { ServerJob } from '../../client/client.ts';
import { CONTENT_FIELDS, type JobContent, type JobUpdate } from '../../contract/job.ts';
import { isOver } from '../../contract/lifecycle.ts';
import type { FieldDigests, StateEntry } from '../state/state.ts';
import { EMPTY_DIGEST, fieldDigests, otherDigests } from './content.ts';
import type { PlanItem } from './plan-item.ts';

type Digests = Partial<Record<keyof JobContent, string | undefined>>;

interface ItemDone {
  /** Of the listing as it was read; undefined where it is no longer in the set. */
  readonly file?: FieldDigests | undefined;
  readonly opportunityId: string | null | undefined;
  /** The `key` set in the listing itself. */
  readonly name?: string | undefined;
  readonly before: StateEntry;
  /** As the server answered; undefined where nothing was sent. */
  readonly job?: ServerJob | undefined;
}

export function entryAfterCreate(
  content: JobUpdate,
  job: ServerJob,
  digests: FieldDigests = fieldDigests(content),
  key?: string,
): StateEntry {
  const { opportunityId } = content;
  return entryOf({ job: job.id, key, opportunityId }, digests, otherDigests(job, content));
}

/** After an update or a publication; undefined where the listing is forgotten. What was not sent keeps what was remembered. */
export function entryAfter(
  item: PlanItem,
  { file, opportunityId, name, before, job }: ItemDone,
): StateEntry | undefined {
  if (item.forget) return undefined;
  const now = file ?? before.applied;
  const server = job === undefined ? undefined : fieldDigests(job);
  const applied: Digests = {};
  const answered: Digests = {};
  for (const field of CONTENT_FIELDS) {
    const isSent = item.patch[field] !== undefined;
    if (isSent || isLearned(now[field], before.applied[field], server, field)) {
      applied[field] = now[field];
      const isOther = now[field] !== undefined && server?.[field] !== now[field];
      if (isOther) answered[field] = server?.[field];
    } else {
      applied[field] = before.applied[field];
      answered[field] = before.answered?.[field];
    }
  }
  return entryOf({ job: before.job, key: name, opportunityId }, present(applied), present(answered));
}

/** After a change without an answer: a field that the server has as it was sent counts as applied. */
export function entryAfterUnanswered(
  { sent = {}, closing, ...entry }: StateEntry,
  job: ServerJob,
): StateEntry {
  const server = fieldDigests(job);
  const applied: Digests = { ...entry.applied };
  const answered: Digests = { ...entry.answered };
  for (const field of CONTENT_FIELDS) {
    if (sent[field] === undefined || server[field] !== sent[field]) continue;
    applied[field] = sent[field];
    answered[field] = undefined;
  }
  const settled = entryOf(entry, present(applied), present(answered));
  return {
    ...settled,
    ...(entry.adopted && { adopted: entry.adopted }),
    ...(closing && isOver(job.status) && { closing }),
  };
}

/** Where nothing was answered, the plan has seen that the server has what the file says. */
function isLearned(
  file: string | undefined,
  applied: string | undefined,
  server: FieldDigests | undefined,
  field: keyof JobContent,
): boolean {
  if (file === applied) return false;
  if (server === undefined) return true;
  return server[field] === (file ?? EMPTY_DIGEST) || (file === undefined && applied === EMPTY_DIGEST);
}

function entryOf(
  { job, key, opportunityId }: Pick<StateEntry, 'job' | 'key'> & Partial<Pick<ItemDone, 'opportunityId'>>,
  applied: FieldDigests,
  answered: FieldDigests,
): StateEntry {
  return {
    job,
    ...(key ? { key } : {}),
    ...(opportunityId ? { opportunityId } : {}),
    applied,
    ...(Object.keys(answered).length === 0 ? {} : { answered }),
  };
}

function present(digests: Digests): FieldDigests {
  const fields = CONTENT_FIELDS.filter((field) => digests[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, digests[field]]));
}
