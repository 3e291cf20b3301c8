import { jobOrNone, sourceJson } from '../../bulk/server-jobs.ts';
import type { Connection } from '../../cli/connection/connect.ts';
import { assertServesKey } from '../../cli/probe.ts';
import { type JobQuery, matchesFilter, type ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';

/** At most `limit` jobs, newest first, a page at a time; without a list, those made by this client (decision 5). */
export async function listedJobs(connection: Connection, query: JobQuery, limit: number) {
  try {
    return { jobs: await begun(connection.client.allJobs({ ...query, limit })), ...sourceJson(true) };
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'OPERATION_NOT_OFFERED') throw error;
    return { jobs: await begun(fromLedger(connection, query, limit)), ...sourceJson(false) };
  }
}

export async function* selected(
  jobs: AsyncIterable<ServerJob>,
  limit: number,
  isMeant: (job: ServerJob) => boolean,
): AsyncGenerator<ServerJob> {
  let left = limit;
  for await (const job of jobs) {
    if (!isMeant(job)) continue;
    yield job;
    if (--left === 0) return;
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

async function* fromLedger({ client, createdJobs }: Connection, query: JobQuery, limit: number) {
  const ids = createdJobs.ids();
  // With nothing to read, a wrong address would look like a server without jobs.
  if (ids.length === 0) await assertServesKey(client);
  let left = limit;
  for (const id of ids) {
    if (left === 0) return;
    const job = await jobOrNone(client, id);
    if (job === undefined || !matchesFilter(job, query)) continue;
    yield job;
    left--;
  }
}
