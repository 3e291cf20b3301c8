import { type Column, table } from '../table.ts';
import type { View } from '../view.ts';
import { placesOf } from './places.ts';
import { type Fields, listIn, textIn } from './read.ts';
import { cents, distance, statusStyle } from './words.ts';

function columns({ now }: View): readonly Column<Fields>[] {
  return [
    { title: 'ID', text: ({ id }) => textIn(id) ?? '' },
    {
      title: 'STATUS',
      text: ({ status }) => textIn(status) ?? '',
      style: ({ status }) => statusStyle(status),
    },
    { title: 'TITLE', text: ({ title }) => textIn(title) ?? '', shrinksTo: 20 },
    {
      title: 'WHERE',
      text: shortPlace,
      whole: (job) => placesOf(job).join('; '),
      shrinksTo: 14,
      givesWay: 3,
    },
    {
      title: 'BID',
      text: (job) => cents(job.bidPerQualifiedApplicantCents) ?? '',
      align: 'right',
      givesWay: 2,
    },
    {
      title: 'PUBLISHED',
      text: ({ publishedAt }) => distance(publishedAt, now) ?? '',
      whole: ({ publishedAt }) => textIn(publishedAt) ?? '',
      givesWay: 4,
    },
    {
      title: 'EXPIRES',
      text: ({ status, expiresAt }) => (status === 'CLOSED' ? '' : (distance(expiresAt, now) ?? '')),
      whole: ({ expiresAt }) => textIn(expiresAt) ?? '',
      givesWay: 1,
    },
  ];
}

/** Jobs as a list, one a line. */
export function jobTable(jobs: unknown, view: View): Promise<string> {
  return table(columns(view), listIn(jobs), view, 'No jobs.');
}

/** The first place, and how many more there are. */
function shortPlace(job: Fields): string {
  const [first = '', ...others] = placesOf(job);
  return others.length === 0 ? first : `${first} +${others.length}`;
}
