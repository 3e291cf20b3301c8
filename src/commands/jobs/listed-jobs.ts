import { jobOrNone } from '../../bulk/server-jobs.ts';
import type { Connection } from '../../cli/connection/connect.ts';
import { assertServesKey } from '../../cli/probe.ts';
import type { JobQuery, ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { expiresWithin, expiryCount } from '../../contract/expiring.ts';

interface Selection {
  readonly limit: number;
  /** Only jobs that expire within this time: live ones, unless the query has a status. */
  readonly expiresWithinMs?: number | undefined;
}

/** At most `limit` jobs, newest first, a page at a time; without a list, those made by this client (decision 5). */
export async function listedJobs(
  connection: Connection,
  query: JobQuery,
  { limit, expiresWithinMs }: Selection,
) {
  const { client, now } = connection;
  const expiry = expiryCount(now);
  const isFiltered = expiresWithinMs !== undefined;
  const asked = isFiltered ? { ...query, status: query.status ?? 'ACTIVE' } : query;
  const select = (jobs: AsyncIterable<ServerJob>) =>
    begun(
      selected(jobs, limit, (job) => {
        if (isFiltered && !(job.status === asked.status && expiresWithin(job, expiresWithinMs, now())))
          return false;
        expiry.add(job);
        return true;
      }),
    );
  const { expiring } = expiry;
  try {
    // Jobs that are filtered here may be on any page.
    const jobs = client.allJobs({ ...asked, limit: isFiltered ? Number.POSITIVE_INFINITY : limit });
    return { jobs: await select(jobs), expiring, note: undefined };
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'OPERATION_NOT_OFFERED') throw error;
    return {
      jobs: await select(fromLedger(connection, asked)),
      expiring,
      note: 'this server lists no jobs: these are the ones created from this machine (`partner doctor --remote` looks again)',
    };
  }
}

/** The first `limit` of those jobs. */
async function* selected(
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

async function* fromLedger(
  { client, createdJobs }: Connection,
  { status, opportunityId }: JobQuery,
): AsyncGenerator<ServerJob> {
  const ids = createdJobs.ids();
  // With nothing to read, a wrong address would look like a server without jobs.
  if (ids.length === 0) await assertServesKey(client);
  for (const id of ids) {
    const job = await jobOrNone(client, id);
    if (job === undefined || job.status !== (status ?? job.status)) continue;
    if (job.opportunityId === (opportunityId ?? job.opportunityId)) yield job;
  }
}
