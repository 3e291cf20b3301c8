import type { Connection } from '../../cli/connection/connect.ts';
import { assertServesKey } from '../../cli/probe.ts';
import type { JobQuery, ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';

/** At most `limit` jobs, newest first, a page at a time; without a list, those made by this client (decision 5). */
export async function listedJobs(connection: Connection, query: JobQuery, limit: number) {
  try {
    return { jobs: await begun(connection.client.allJobs({ ...query, limit })), note: undefined };
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'OPERATION_NOT_OFFERED') throw error;
    return {
      jobs: await begun(fromLedger(connection, query, limit)),
      note: 'this server lists no jobs: these are the ones created from this machine (`partner doctor --remote` looks again)',
    };
  }
}

/** The same items. The first is read now, so that its error comes before anything is shown. */
async function begun<Item>(items: AsyncGenerator<Item>): Promise<AsyncIterable<Item>> {
  const first = await items.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* items;
  })();
}

async function* fromLedger(
  { client, createdJobs }: Connection,
  query: JobQuery,
  limit: number,
): AsyncGenerator<ServerJob> {
  const ids = createdJobs.ids();
  // With nothing to read, a wrong address would look like a server without jobs.
  if (ids.length === 0) await assertServesKey(client);
  let left = limit;
  for (const id of ids) {
    if (left === 0) return;
    const job = await client.getJob(id).catch((error: unknown) => {
      if (error instanceof PartnerError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
    if (job === undefined || !matches(job, query)) continue;
    yield job;
    left--;
  }
}

function matches(job: ServerJob, { status, opportunityId }: JobQuery): boolean {
  return (
    (status === undefined || job.status === status) &&
    (opportunityId === undefined || job.opportunityId === opportunityId)
  );
}
