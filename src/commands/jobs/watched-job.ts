import type { ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { hasEnded } from '../../contract/lifecycle.ts';
import { isoTime } from '../../contract/time.ts';
import type { JobStatus } from '../../contract/values.ts';
import { changeOnOneLine } from '../../reports/changes.ts';

interface Watching {
  readonly read: () => Promise<ServerJob>;
  readonly wait: (waitMs: number) => Promise<void>;
  /** Monotonic clock in ms, which `endsAt` uses. */
  readonly monotonicNow: () => number;
  /** Wall clock in epoch ms, for the times of changes. */
  readonly now: () => number;
  readonly everyMs: number;
  readonly endsAt: number;
  /** If undefined, the job is watched until it's closed or expired. */
  readonly until: JobStatus | undefined;
  readonly say: (text: string) => Promise<void>;
}

/**
 * Returns the last job read. Throws TIMED_OUT if the status isn't reached by `endsAt`, and INVALID_TRANSITION if it
 * can't be reached. Throws errors of `read` that a retry can't fix.
 */
export async function watchJob(watching: Watching): Promise<ServerJob> {
  const { read, wait, monotonicNow, now, everyMs, endsAt, until, say } = watching;
  let job = await read();
  await say(`job ${job.id} is ${job.status}`);
  for (let down: PartnerError | undefined; ; ) {
    if (down === undefined && isDone(job, until)) return job;
    const leftMs = endsAt - monotonicNow();
    if (leftMs <= 0) return endWatch(job, until, down);
    await wait(Math.min(everyMs, leftMs));
    const seen = await read().catch(assertPassing);
    const at = `${isoTime(now()).slice(11, 19)} UTC`;
    if (seen instanceof PartnerError) {
      if (down === undefined) await say(`${at}  can't read the job: ${seen.message}. Retrying`);
      down = seen;
      continue;
    }
    if (down !== undefined) await say(`${at}  the job can be read again`);
    down = undefined;
    for (const change of jobChanges(job, seen)) await say(`${at}  ${change}`);
    job = seen;
  }
}

/** Returns lines such as `status DRAFT → ACTIVE`. A missing field equals null. */
export function jobChanges(from: ServerJob, to: ServerJob): string[] {
  const json = (value: unknown) => JSON.stringify(value ?? null);
  return Object.keys({ status: undefined, ...from, ...to })
    .filter((field) => json(from[field]) !== json(to[field]))
    .map((field) => changeOnOneLine(field, from[field], to[field]));
}

function isDone({ id, status }: ServerJob, until: JobStatus | undefined): boolean {
  if (status === until) return true;
  if (!hasEnded(status)) return false;
  if (until === undefined) return true;
  throw new PartnerError('INVALID_TRANSITION', {
    message: `job ${id} is ${status} and can't become ${until}`,
    hint: `copy it to a new draft with \`partner jobs repost ${id}\``,
  });
}

function endWatch(job: ServerJob, until: JobStatus | undefined, down: PartnerError | undefined): ServerJob {
  if (down !== undefined) throw down;
  if (until === undefined) return job;
  throw new PartnerError('TIMED_OUT', {
    message: `job ${job.id} is still ${job.status}, not ${until}`,
    hint: 'wait longer with --for',
  });
}

function assertPassing(error: unknown): PartnerError {
  // Only failures of the server (exit codes 1 and 8) can be temporary. Other errors are about the job.
  if (error instanceof PartnerError && (error.exit === 1 || error.exit === 8)) return error;
  throw error;
}
