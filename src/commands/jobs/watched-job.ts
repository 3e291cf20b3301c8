import { changeOnOneLine } from '../../cli/terminal/job-diff.ts';
import type { ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { isOver } from '../../contract/lifecycle.ts';
import { isoTime } from '../../contract/time.ts';
import type { JobStatus } from '../../contract/values.ts';

interface Watching {
  readonly read: () => Promise<ServerJob>;
  /** Throws where the wait is ended from outside. */
  readonly wait: (waitMs: number) => Promise<void>;
  /** Milliseconds that only go forward: `endsAt` is on it. */
  readonly monotonicNow: () => number;
  /** The time of a change, in epoch ms. */
  readonly now: () => number;
  readonly everyMs: number;
  /** Infinity for no end. */
  readonly endsAt: number;
  /** The state to wait for; without one the job is watched until it is over. */
  readonly until: JobStatus | undefined;
  readonly say: (text: string) => Promise<void>;
}

/**
 * The job as it was seen last: in the state that was waited for, over, or when the time ran out. Says every change.
 * Throws TIMED_OUT where the state was not reached in time, INVALID_TRANSITION where it never will be, and what a
 * reading throws that is not passing.
 */
export async function watchedJob(watching: Watching): Promise<ServerJob> {
  const { read, wait, monotonicNow, now, everyMs, endsAt, until, say } = watching;
  let job = await read();
  await say(`job ${job.id} is ${job.status}`);
  for (let down: PartnerError | undefined; ; ) {
    if (down === undefined && isDone(job, until)) return job;
    const leftMs = endsAt - monotonicNow();
    if (leftMs <= 0) return atTheEnd(job, until, down);
    await wait(Math.min(everyMs, leftMs));
    const seen = await read().catch(passing);
    const at = `${isoTime(now()).slice(11, 19)} UTC`;
    if (seen instanceof PartnerError) {
      if (down === undefined) await say(`${at}  cannot be read: ${seen.message}; looking again`);
      down = seen;
      continue;
    }
    if (down !== undefined) await say(`${at}  can be read again`);
    down = undefined;
    for (const change of jobChanges(job, seen)) await say(`${at}  ${change}`);
    job = seen;
  }
}

/** What has changed about a job, a line a field: `status DRAFT → ACTIVE`. A field that is left out is as empty as null. */
export function jobChanges(from: ServerJob, to: ServerJob): string[] {
  const json = (value: unknown) => JSON.stringify(value ?? null);
  return Object.keys({ status: undefined, ...from, ...to })
    .filter((field) => json(from[field]) !== json(to[field]))
    .map((field) => changeOnOneLine(field, from[field], to[field]));
}

function isDone({ id, status }: ServerJob, until: JobStatus | undefined): boolean {
  if (status === until) return true;
  if (!isOver(status)) return false;
  if (until === undefined) return true;
  throw new PartnerError('INVALID_TRANSITION', {
    message: `job ${id} is ${status}: it will never be ${until}`,
    hint: `\`partner jobs repost ${id}\` makes a new job from it`,
  });
}

function atTheEnd(job: ServerJob, until: JobStatus | undefined, down: PartnerError | undefined): ServerJob {
  if (down !== undefined) throw down;
  if (until === undefined) return job;
  throw new PartnerError('TIMED_OUT', {
    message: `job ${job.id} is still ${job.status}, not ${until}`,
    hint: 'wait longer with --for',
  });
}

function passing(error: unknown): PartnerError {
  // Exit 1 and 8 are a server's failures; any other error says something of the job.
  if (error instanceof PartnerError && (error.exit === 1 || error.exit === 8)) return error;
  throw error;
}
