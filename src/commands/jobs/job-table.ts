import { placesOf } from '../../cli/places/place-table.ts';
import type { Column } from '../../cli/terminal/column.ts';
import type { ListShape } from '../../cli/terminal/list-shape.ts';
import { type Fields, numberIn, textIn, timeIn } from '../../cli/terminal/read.ts';
import { tableParts } from '../../cli/terminal/table.ts';
import type { View } from '../../cli/terminal/view.ts';
import { cents, distance, statusStyle } from '../../cli/terminal/words.ts';

export const JOB_COLUMNS: readonly Column<Fields>[] = [
  { title: 'ID', text: ({ id }) => textIn(id) ?? '', value: ({ id }) => numberIn(id) },
  {
    title: 'STATUS',
    text: ({ status }) => textIn(status) ?? '',
    style: ({ status }) => statusStyle(status),
  },
  { title: 'TITLE', text: ({ title }) => textIn(title) ?? '', shrinksTo: 20 },
  {
    title: 'WHERE',
    text: (job) => placesOf(job).join('; '),
    short: shortPlace,
    shrinksTo: 14,
    givesWay: 3,
  },
  {
    title: 'BID',
    text: (job) => cents(job.bidPerQualifiedApplicantCents) ?? '',
    value: (job) => numberIn(job.bidPerQualifiedApplicantCents),
    csv: { title: 'BID_CENTS', cell: (job) => textIn(job.bidPerQualifiedApplicantCents) ?? '' },
    align: 'right',
    givesWay: 2,
  },
  {
    title: 'PUBLISHED',
    text: ({ publishedAt }, now) => distance(publishedAt, now) ?? '',
    whole: ({ publishedAt }) => textIn(publishedAt) ?? '',
    value: ({ publishedAt }) => timeIn(publishedAt),
    givesWay: 4,
  },
  {
    title: 'EXPIRES',
    text: ({ status, expiresAt }, now) => (status === 'CLOSED' ? '' : (distance(expiresAt, now) ?? '')),
    whole: ({ expiresAt }) => textIn(expiresAt) ?? '',
    value: ({ expiresAt }) => timeIn(expiresAt),
    givesWay: 1,
  },
];

/** Jobs as a list, one a line. */
export function jobTable(
  jobs: Iterable<Fields> | AsyncIterable<Fields>,
  view: View,
  shape?: ListShape<Fields>,
): AsyncGenerator<string> {
  return tableParts(JOB_COLUMNS, jobs, view, 'No jobs.', shape);
}

/** The first place, and how many more there are. */
function shortPlace(job: Fields): string {
  const [first = '', ...others] = placesOf(job);
  return others.length === 0 ? first : `${first} +${others.length}`;
}
