import { jobOrNone } from '../../bulk/server-jobs.ts';
import type { Connection } from '../../cli/connection/connect.ts';
import { assertServesKey } from '../../cli/probe.ts';
import { type Column, type ListShape, tableParts } from '../../cli/terminal/table.ts';
import type { View } from '../../cli/terminal/view.ts';
import { amountColumn, distance, timeColumn } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/client.ts';
import { type JobQuery, matchesFilter } from '../../client/decode.ts';
import type { JobFields } from '../../client/server-job.ts';
import { PartnerError } from '../../contract/errors.ts';
import { statusStyle } from '../../reports/changes.ts';
import { sourceJson } from '../../reports/run.ts';

/** If the server can't list jobs, returns those created from this machine (decision 5). */
export async function loadListedJobs(connection: Connection, query: JobQuery, limit: number) {
  try {
    return { jobs: await prefetchFirst(connection.client.allJobs({ ...query, limit })), ...sourceJson(true) };
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'OPERATION_NOT_OFFERED') throw error;
    const isMeant = (job: ServerJob) => matchesFilter(job, query);
    const created = fromLedger(connection);
    return { jobs: await prefetchFirst(selectJobs(created, limit, isMeant)), ...sourceJson(false) };
  }
}

export async function* selectJobs(
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

/** Reads the first item now, so that an error is thrown before any output. */
async function prefetchFirst<Item>(items: AsyncGenerator<Item>): Promise<AsyncIterable<Item>> {
  const first = await items.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* items;
  })();
}

async function* fromLedger({ client, createdJobs }: Connection) {
  const ids = createdJobs.ids();
  // Without this request, a wrong URL would look like a server without jobs.
  if (ids.length === 0) await assertServesKey(client);
  for (const id of ids) {
    const job = await jobOrNone(client, id);
    if (job !== undefined) yield job;
  }
}

export const JOB_COLUMNS: readonly Column<JobFields>[] = [
  { title: 'ID', text: ({ id }) => String(id), value: ({ id }) => id },
  { title: 'STATUS', text: ({ status = '' }) => status, style: ({ status }) => statusStyle(status) },
  { title: 'TITLE', text: ({ title = '' }) => title, shrinksTo: 20 },
  {
    title: 'WHERE',
    text: (job) => listPlaceNames(job).join('; '),
    short: shortPlace,
    shrinksTo: 14,
    givesWay: 3,
  },
  { ...amountColumn('BID', (job) => job.bidPerQualifiedApplicantCents ?? undefined), givesWay: 2 },
  { ...timeColumn('PUBLISHED', ({ publishedAt }) => publishedAt), givesWay: 4 },
  {
    ...timeColumn('EXPIRES', ({ expiresAt }) => expiresAt),
    text: ({ status, expiresAt }, now) => (status === 'CLOSED' ? '' : (distance(expiresAt, now) ?? '')),
    givesWay: 1,
  },
];

export function jobTable(
  jobs: Iterable<JobFields> | AsyncIterable<JobFields>,
  view: View,
  shape?: ListShape<JobFields>,
): AsyncGenerator<string> {
  return tableParts(JOB_COLUMNS, jobs, view, 'No jobs.', shape);
}

/** Returns the country of a REMOTE job, then every place. Callers must clean the strings. */
export function listPlaceNames({ remoteOption, remoteCountry, locations = [] }: JobFields): string[] {
  const remote = remoteOption === 'REMOTE' ? [['Remote', remoteCountry].filter(Boolean).join(', ')] : [];
  const places = locations.map(
    ({ displayName, city, stateProvince, country }) =>
      displayName || [city, stateProvince, country].filter(Boolean).join(', '),
  );
  return [...remote, ...places.filter((place) => place !== '')];
}

function shortPlace(job: JobFields): string {
  const [first = '', ...others] = listPlaceNames(job);
  return others.length === 0 ? first : `${first} +${others.length}`;
}
