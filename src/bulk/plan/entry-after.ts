import type { ServerJob } from '../../client/client.ts';
import { CONTENT_FIELDS, type JobContent, type JobUpdate } from '../../contract/job.ts';
import { hasEnded } from '../../contract/lifecycle.ts';
import { pickFields } from '../../contract/values.ts';
import type { FieldDigests, StateEntry } from '../state/state.ts';
import { EMPTY_DIGEST, fieldDigests, otherDigests } from './content.ts';
import type { DesiredListing } from './desired-listing.ts';
import type { PlanItem } from './plan-item.ts';

type Digests = Partial<Record<keyof JobContent, string | undefined>>;

export function entryAfterCreate(
  content: JobUpdate,
  job: ServerJob,
  digests: FieldDigests = fieldDigests(content),
  key?: string,
): StateEntry {
  const { opportunityId } = content;
  return buildEntry({ job: job.id, key, opportunityId }, digests, otherDigests(job, content));
}

export function updateEntry(
  item: PlanItem,
  wanted: Pick<DesiredListing, 'digests' | 'opportunityId' | 'name'> | undefined,
  before: StateEntry,
  job?: ServerJob,
): StateEntry | undefined {
  if (item.forget) return undefined;
  const now = wanted?.digests ?? before.applied;
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
  const { opportunityId } = wanted ?? before;
  const key = wanted ? wanted.name : before.key;
  return buildEntry({ job: before.job, key, opportunityId }, dropAbsent(applied), dropAbsent(answered));
}

/** Returns the entry after a change without a response. Fields with the sent value on the server count as applied. */
export function entryAfterUnanswered({ sent = {}, closing, ...entry }: StateEntry, job: ServerJob) {
  const server = fieldDigests(job);
  const applied: Digests = { ...entry.applied };
  const answered: Digests = { ...entry.answered };
  for (const field of CONTENT_FIELDS) {
    if (sent[field] === undefined || server[field] !== sent[field]) continue;
    applied[field] = sent[field];
    answered[field] = undefined;
  }
  const settled = buildEntry(entry, dropAbsent(applied), dropAbsent(answered));
  return {
    ...settled,
    ...(entry.adopted && { adopted: entry.adopted }),
    ...(closing && hasEnded(job.status) && { closing }),
  };
}

/** If there was no response (`server` is undefined), the plan has already found the file's value on the server. */
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

function buildEntry(
  { job, key, opportunityId }: Pick<StateEntry, 'job' | 'key'> & Pick<JobUpdate, 'opportunityId'>,
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

const dropAbsent = (digests: Digests): FieldDigests => pickFields(digests, CONTENT_FIELDS);
