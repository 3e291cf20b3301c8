import type { PartnerClient } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { isOver } from '../../contract/lifecycle.ts';
import { wantedContent } from '../plan/content.ts';
import { decodeContent } from '../plan/desired-listing.ts';
import { entryOfReclaimed } from '../plan/rebuild.ts';
import type { SetReading } from '../read-set.ts';
import { jobOrNone } from '../server-jobs.ts';
import type { Journal } from '../state/journal.ts';
import type { BulkState, Intent } from '../state/state.ts';

export interface AdoptParts {
  readonly client: PartnerClient;
  readonly journal: Journal;
  readonly state: BulkState;
  readonly reading: SetReading;
  readonly makeRoom: (intent: Intent) => void;
}

/** `--adopt KEY=ID`: the listing is remembered as that job from now on. Throws USAGE where either is taken or unknown. */
export async function adopt(key: string, jobId: number, parts: AdoptParts): Promise<void> {
  const { client, journal, state, reading, makeRoom } = parts;
  const intent = journal.content.pending.get(key);
  const owner = [...state.listings].find(([, { job }]) => job === jobId)?.[0];
  if (owner !== undefined) throw refused(`job ${jobId} is ${owner} already`);
  const known = state.listings.get(key);
  if (known !== undefined && intent === undefined) {
    const job = await jobOrNone(client, known.job);
    if (job?.status !== undefined && !isOver(job.status)) throw refused(`${key} is job ${known.job} already`);
  }
  if (intent !== undefined) {
    const entry = entryOfReclaimed(wantedContent(intent.body as JobInput), await client.getJob(jobId));
    makeRoom(intent);
    journal.record({ kind: 'made', key, idempotencyKey: intent.idempotencyKey, job: jobId, entry });
    return;
  }
  const wanted = reading.wanted.find((listing) => listing.key === key);
  if (wanted === undefined) throw refused(`there is no listing ${key} in these paths`);
  const entry = entryOfReclaimed(decodeContent(wanted), await client.getJob(jobId));
  journal.record({ kind: 'entry', key, entry });
}

/** `--resend KEY`: the create of unknown outcome is given up, and the listing is created again. Throws USAGE. */
export function resend(key: string, journal: Journal): void {
  const intent = journal.content.pending.get(key);
  if (intent === undefined) throw refused(`no create of ${key} is of unknown outcome`);
  journal.record({ kind: 'resent', key, idempotencyKey: intent.idempotencyKey });
}

function refused(message: string): PartnerError {
  return new PartnerError('USAGE', {
    message,
    hint: '`partner jobs plan` shows the listings and their keys',
  });
}
