import type { Column, ListShape } from '../../cli/terminal/column.ts';
import { tableParts } from '../../cli/terminal/table.ts';
import type { View } from '../../cli/terminal/view.ts';
import { amountColumn, distance, statusStyle, timeOf } from '../../cli/terminal/words.ts';
import type { JobFields } from '../../client/server-job.ts';

export const JOB_COLUMNS: readonly Column<JobFields>[] = [
  { title: 'ID', text: ({ id }) => String(id), value: ({ id }) => id },
  { title: 'STATUS', text: ({ status = '' }) => status, style: ({ status }) => statusStyle(status) },
  { title: 'TITLE', text: ({ title = '' }) => title, shrinksTo: 20 },
  {
    title: 'WHERE',
    text: (job) => placesOf(job).join('; '),
    short: shortPlace,
    shrinksTo: 14,
    givesWay: 3,
  },
  { ...amountColumn('BID', (job) => job.bidPerQualifiedApplicantCents ?? undefined), givesWay: 2 },
  {
    title: 'PUBLISHED',
    text: ({ publishedAt }, now) => distance(publishedAt, now) ?? '',
    whole: ({ publishedAt }) => publishedAt ?? '',
    value: ({ publishedAt }) => timeOf(publishedAt),
    givesWay: 4,
  },
  {
    title: 'EXPIRES',
    text: ({ status, expiresAt }, now) => (status === 'CLOSED' ? '' : (distance(expiresAt, now) ?? '')),
    whole: ({ expiresAt }) => expiresAt ?? '',
    value: ({ expiresAt }) => timeOf(expiresAt),
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

/** Where a job's work is done: the country of a REMOTE job, then every place. Not cleaned. */
export function placesOf({ remoteOption, remoteCountry, locations = [] }: JobFields): string[] {
  const remote = remoteOption === 'REMOTE' ? [['Remote', remoteCountry].filter(Boolean).join(', ')] : [];
  const places = locations.map(
    ({ displayName, city, stateProvince, country }) =>
      displayName || [city, stateProvince, country].filter(Boolean).join(', '),
  );
  return [...remote, ...places.filter((place) => place !== '')];
}

function shortPlace(job: JobFields): string {
  const [first = '', ...others] = placesOf(job);
  return others.length === 0 ? first : `${first} +${others.length}`;
}
