import type { PartnerClient } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobInput, JobUpdate } from '../../contract/job.ts';
import { isOver } from '../../contract/lifecycle.ts';
import type { ListingSet } from '../../listings/read/listing-set.ts';
import { wantedContent } from '../plan/content.ts';
import { listingKey } from '../plan/listing-key.ts';
import { entryOfReclaimed } from '../plan/rebuild.ts';
import { contentsOf, type SetReading } from '../read-set.ts';
import { readJobs } from '../server-jobs.ts';
import type { Journal } from '../state/journal.ts';
import type { BulkState, Intent } from '../state/state.ts';

export interface AdoptParts {
  readonly client: PartnerClient;
  readonly journal: Journal;
  readonly state: BulkState;
  readonly reading: SetReading;
  readonly listings: ListingSet;
  /** As in `SettleParts`. */
  readonly makeRoom: (intent: Intent) => void;
}

/**
 * `--adopt KEY=ID`: the listing is remembered as that job from now on. Throws USAGE where the listing is
 * unknown or has a job that is not over, or the job a listing, and what reading the jobs throws.
 */
export async function adopt(key: string, jobId: number, parts: AdoptParts): Promise<void> {
  const { client, journal, state, makeRoom } = parts;
  const intent = journal.content.pending.get(key);
  const owner = [...state.listings].find(([, { job }]) => job === jobId)?.[0];
  if (owner !== undefined) throw refused(`job ${jobId} is ${owner} already`);
  const known = state.listings.get(key);
  if (known !== undefined && intent === undefined && !(await canBeReplaced(known.job, client))) {
    throw refused(`${key} is job ${known.job} already`);
  }
  const content =
    intent === undefined ? await contentOfKey(key, parts) : wantedContent(intent.body as JobInput);
  const entry = entryOfReclaimed(content, await client.getJob(jobId));
  if (intent === undefined) journal.record({ kind: 'entry', key, entry });
  else {
    makeRoom(intent);
    journal.record({ kind: 'made', key, idempotencyKey: intent.idempotencyKey, job: jobId, entry });
  }
}

/** Whether another job may take a job's place: it is closed, has expired, or is not known any more. */
async function canBeReplaced(jobId: number, client: PartnerClient): Promise<boolean> {
  let status: unknown;
  await readJobs(client, new Set([jobId]), 1, (_, job) => {
    status = job?.status;
  });
  return status === undefined || isOver(status);
}

/** `--resend KEY`: the create of unknown outcome is given up, and the listing is created again. Throws USAGE. */
export function resend(key: string, { journal }: Pick<AdoptParts, 'journal'>): void {
  const intent = journal.content.pending.get(key);
  if (intent === undefined) throw refused(`no create of ${key} is of unknown outcome`);
  journal.record({ kind: 'resent', key, idempotencyKey: intent.idempotencyKey });
}

async function contentOfKey(key: string, { reading, listings }: AdoptParts): Promise<JobUpdate> {
  const wanted = reading.wanted.filter(({ path, index }) => listingKey(path, index) === key);
  for await (const { content } of contentsOf(wanted, reading.contents, listings)) {
    if (content !== undefined) return content;
  }
  throw refused(`there is no listing ${key} in these paths`);
}

function refused(message: string): PartnerError {
  return new PartnerError('USAGE', {
    message,
    hint: '`partner jobs plan` shows the listings and their keys',
  });
}
