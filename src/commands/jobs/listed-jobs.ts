import { jobOrNone } from '../../bulk/server-jobs.ts';
import type { Connection } from '../../cli/connection/connect.ts';
import { assertServesKey } from '../../cli/probe.ts';
import { type Column, inPages, type ListShape, type Rows, tableParts } from '../../cli/terminal/table.ts';
import type { View } from '../../cli/terminal/view.ts';
import { amountColumn, distance, oneLine, timeColumn } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/client.ts';
import { type JobQuery, matchesFilter } from '../../client/decode.ts';
import type { JobFields } from '../../client/server-job.ts';
import { PartnerError } from '../../contract/errors.ts';
import { findFullestCap, formatSpentOfCap } from '../../contract/gate.ts';
import type { Job } from '../../contract/job.ts';
import { APPLICATION_STATUSES, LIST_LIMIT_MAX } from '../../contract/values.ts';
import { statusStyle } from '../../reports/changes.ts';
import { sourceJson } from '../../reports/run.ts';

export const UNLISTED =
  "the server didn't list its jobs. Only jobs created from this machine are shown. Check again with `partner doctor --remote`";

/** If the server can't list jobs, returns those created from this machine (decision 5). */
export async function loadListedJobs(connection: Connection, query: JobQuery, limit: number) {
  try {
    return { jobs: await prefetchFirst(connection.client.allJobs({ ...query, limit })), ...sourceJson(true) };
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'OPERATION_NOT_OFFERED') throw error;
    const created = selectJobs(fromLedger(connection), limit, (job) => matchesFilter(job, query));
    return { jobs: await prefetchFirst(created), ...sourceJson(false) };
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

type SpendingSource = Pick<NonNullable<Connection['ofCompany']>, 'spending'>;
type Spending = Awaited<ReturnType<SpendingSource['spending']>>['jobs'][number];

export const SPENDING = Symbol('spending');

/** A symbol, so that `--json` prints jobs as the server returned them. */
export type ListedJob = JobFields & { readonly [SPENDING]?: Spending | undefined };

/** Adds what the bundled engine's jobs spent, with one statement per page of them. */
export async function* withSpending<J extends ServerJob>(
  jobs: Rows<J>,
  source: SpendingSource | undefined,
): AsyncGenerator<J & ListedJob> {
  if (source === undefined) return yield* jobs;
  for await (const page of inPages(jobs, LIST_LIMIT_MAX)) {
    // The bundled engine's jobs are complete.
    const spending = await source.spending(page as unknown as Job[]);
    yield* page.map((job, at) => ({ ...job, [SPENDING]: spending.jobs[at] }));
  }
}

export function findSpent(job: ListedJob) {
  return job[SPENDING] && findFullestCap(job as Job, job[SPENDING].spentCents);
}

function formatSpent(job: JobFields): string {
  const spent = findSpent(job);
  return spent === undefined ? '' : formatSpentOfCap(spent);
}

function applicantWords({ applicationCounts: counts }: JobFields): string {
  const known = APPLICATION_STATUSES.filter((status) => counts?.[status] !== undefined);
  return known.map((status) => `${counts?.[status]} ${status}`).join(', ');
}

function countApplicants({ applicationCounts: counts }: JobFields): number | undefined {
  return counts && APPLICATION_STATUSES.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
}

function shortApplicants(job: JobFields): string {
  const pending = job.applicationCounts?.pending ?? 0;
  return [countApplicants(job), pending > 0 ? `(${pending} pending)` : ''].join(' ').trim();
}

/** A server may not report these numbers. */
function withDash(text: (job: JobFields) => string, short = text) {
  const addDash = (words: typeof text) => (job: JobFields) => words(job) || '–';
  return { text: addDash(text), short: addDash(short), whole: text };
}

export const JOB_COLUMNS: readonly Column<JobFields>[] = [
  { title: 'ID', text: ({ id }) => String(id), value: ({ id }) => id },
  { title: 'STATUS', text: ({ status = '' }) => status, style: ({ status }) => statusStyle(status) },
  { title: 'TITLE', text: ({ title = '' }) => title, shrinksTo: 16 },
  {
    title: 'WHERE',
    text: (job) => listPlaceNames(job).join('; '),
    short: shortPlace,
    shrinksTo: 14,
    givesWay: 6,
  },
  { ...amountColumn('BID', (job) => job.bidPerQualifiedApplicantCents ?? undefined), givesWay: 5 },
  { ...timeColumn('PUBLISHED', ({ publishedAt }) => publishedAt), givesWay: 7 },
  {
    ...timeColumn('EXPIRES', ({ expiresAt }) => expiresAt),
    text: ({ status, expiresAt }, now) => (status === 'CLOSED' ? '' : (distance(expiresAt, now) ?? '')),
    givesWay: 1,
  },
  {
    title: 'APPLICANTS',
    ...withDash(applicantWords, shortApplicants),
    value: countApplicants,
    csv: APPLICATION_STATUSES.map((status) => ({
      title: status.toUpperCase(),
      text: ({ applicationCounts }) => oneLine(applicationCounts?.[status]) ?? '',
    })),
    givesWay: 3,
  },
  {
    title: 'NEW',
    ...withDash(({ newApplicantCount }) => oneLine(newApplicantCount) ?? ''),
    value: ({ newApplicantCount }) => newApplicantCount,
    align: 'right',
    givesWay: 2,
  },
  {
    title: 'SPENT',
    ...withDash(formatSpent, (job) => formatSpent(job).replaceAll('.00', '')),
    value: (job) => findSpent(job)?.spentCents,
    csv: [
      { title: 'SPENT_CENTS', text: (job) => oneLine(findSpent(job)?.spentCents) ?? '' },
      { title: 'SPENT_CAP_CENTS', text: (job) => oneLine(findSpent(job)?.cap?.budgetCents) ?? '' },
      { title: 'SPENT_CAP_WINDOW', text: (job) => findSpent(job)?.cap?.window ?? '' },
    ],
    givesWay: 4,
  },
];

export function jobTable(jobs: Rows<JobFields>, view: View, shape?: ListShape<JobFields>) {
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
