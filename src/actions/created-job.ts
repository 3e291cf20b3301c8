import type { ServerJob } from '../client/client.ts';
import type { Connection } from '../connection.ts';
import type { JobInput } from '../contract/job.ts';

/**
 * Creates a job and writes its id down, so that it is found again where a server lists none (decision 5).
 * `warn` is told where that could not be written: the job exists all the same.
 */
export async function createdJob(
  { client, ledger, target }: Connection,
  input: JobInput,
  idempotencyKey: string | undefined,
  { now, warn }: { readonly now: number; readonly warn: (text: string) => Promise<void> },
): Promise<ServerJob> {
  const job = await client.createJob(input, { idempotencyKey });
  const unwritten = target.kind === 'remote' ? ledger.append(job.id, now) : undefined;
  if (unwritten !== undefined) await warn(unwritten);
  return job;
}
