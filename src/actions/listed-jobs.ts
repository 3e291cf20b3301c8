import type { JobQuery, ServerJob } from '../client/client.ts';
import type { Connection } from '../connection.ts';
import { PartnerError } from '../contract/errors.ts';
import { assertServesKey } from './probe.ts';

export interface ListedJobs {
  readonly jobs: ServerJob[];
  /** Said to the user where the list is not the server's own. */
  readonly note: string | undefined;
}

/**
 * At most `limit` jobs, newest first, however many pages that takes. A server that lists none is asked for
 * each job that this client has made there (decision 5).
 */
export async function listedJobs(
  connection: Connection,
  query: JobQuery,
  limit: number,
): Promise<ListedJobs> {
  const jobs: ServerJob[] = [];
  try {
    for await (const job of connection.client.allJobs({ ...query, limit })) jobs.push(job);
    return { jobs, note: undefined };
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'OPERATION_NOT_OFFERED') throw error;
    return fromLedger(connection, query, limit);
  }
}

async function fromLedger(
  { client, ledger }: Connection,
  query: JobQuery,
  limit: number,
): Promise<ListedJobs> {
  const ids = ledger.ids();
  // With nothing to read, a wrong address would look like a server without jobs.
  if (ids.length === 0) await assertServesKey(client);
  const jobs: ServerJob[] = [];
  for (const id of ids) {
    if (jobs.length >= limit) break;
    const job = await client.getJob(id).catch(absent);
    if (job !== undefined && matches(job, query)) jobs.push(job);
  }
  return { jobs, note: 'this server lists no jobs: these are the ones created from this machine' };
}

function absent(error: unknown): undefined {
  if (error instanceof PartnerError && error.code === 'NOT_FOUND') return undefined;
  throw error;
}

function matches(job: ServerJob, { status, opportunityId }: JobQuery): boolean {
  return (
    (status === undefined || job.status === status) &&
    (opportunityId === undefined || job.opportunityId === opportunityId)
  );
}
