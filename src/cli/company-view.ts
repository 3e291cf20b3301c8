import { budgetStateLines } from './budget-table.ts';
import { details, section } from './terminal/blocks.ts';
import { clean } from './terminal/clean.ts';
import type { Column } from './terminal/column.ts';
import type { ListShape } from './terminal/list-shape.ts';
import { type Fields, fieldsIn, listIn, textIn, timeIn } from './terminal/read.ts';
import { table } from './terminal/table.ts';
import type { View } from './terminal/view.ts';
import { moment } from './terminal/words.ts';

const CREATED: Column<Fields> = {
  title: 'CREATED',
  text: ({ createdAt }) => moment(createdAt) ?? '',
  whole: ({ createdAt }) => textIn(createdAt) ?? '',
  value: ({ createdAt }) => timeIn(createdAt),
  givesWay: 1,
};

export const COMPANY_COLUMNS: readonly Column<Fields>[] = [
  { title: 'ID', text: ({ id }) => textIn(id) ?? '' },
  { title: 'NAME', text: ({ name }) => textIn(name) ?? '', shrinksTo: 12 },
];

export const KEY_COLUMNS: readonly Column<Fields>[] = [
  { title: 'ID', text: ({ id }) => textIn(id) ?? '' },
  { title: 'COMPANY', text: ({ companyId }) => textIn(companyId) ?? '', shrinksTo: 8, givesWay: 2 },
  { title: 'KEY', text: ({ last4 }) => `sk_ext_…${textIn(last4) ?? ''}` },
  CREATED,
  {
    title: 'REVOKED',
    text: ({ revokedAt }) => moment(revokedAt) ?? '',
    whole: ({ revokedAt }) => textIn(revokedAt) ?? '',
    value: ({ revokedAt }) => timeIn(revokedAt),
    style: () => 'red',
  },
];

/** The companies of the bundled engine. */
export function companyTable(companies: unknown, view: View, shape?: ListShape<Fields>): Promise<string> {
  return table(COMPANY_COLUMNS, listIn(companies), view, 'No companies.', shape);
}

/** The partner keys of the bundled engine, each by its last letters. */
export function keyTable(keys: unknown, view: View, shape?: ListShape<Fields>): Promise<string> {
  return table(KEY_COLUMNS, listIn(keys), view, 'No keys.', shape);
}

/** Where the bundled engine keeps its database, and what is in it. */
export function engineStatus(status: unknown, view: View): string {
  const { databasePath, schemaVersion, companies, keys, jobs } = fieldsIn(status);
  return details(
    [
      ['Database', textIn(databasePath)],
      ['Schema', textIn(schemaVersion)],
      ['Companies', textIn(companies)],
      ['Keys', textIn(keys)],
      ['Jobs', jobCounts(jobs)],
    ],
    view,
  );
}

/** How a company stands with what only people can settle: the terms, the card and the caps; and its jobs. */
export function dashboardStatus(status: unknown, view: View): string {
  const { companyId, name, terms, card, budgets, jobs } = fieldsIn(status);
  const { currentVersion, acceptedVersion, accepted } = fieldsIn(terms);
  const { brand, last4 } = fieldsIn(card);
  const open = (text: string): string => view.paint('yellow', text);
  const version = textIn(currentVersion) ?? '';
  const facts = details(
    [
      ['Company', [textIn(name), textIn(companyId)].filter(Boolean).join(' · ')],
      [
        'Terms',
        accepted === true
          ? `accepted, version ${version}`
          : [open(`version ${version} is not accepted`), outdated(acceptedVersion)]
              .filter(Boolean)
              .join(' · '),
      ],
      [
        'Card',
        last4 === undefined ? open('none on file') : `${textIn(brand) ?? 'card'} ending in ${textIn(last4)}`,
      ],
      ['Jobs', jobCounts(jobs)],
      ['Spending', Array.isArray(budgets) && budgets.length === 0 ? 'no caps: unlimited' : undefined],
    ],
    view,
  );
  return facts + section('Caps over all jobs', budgetStateLines(budgets, view), view);
}

function outdated(acceptedVersion: unknown): string | undefined {
  const version = textIn(acceptedVersion);
  return version && `${version} was`;
}

/** `3 DRAFT · 1 ACTIVE`: the states that some job is in. */
function jobCounts(jobs: unknown): string {
  const counts = Object.entries(fieldsIn(jobs)).filter(([, count]) => count !== 0);
  return counts.map(([status, count]) => `${textIn(count)} ${clean(status)}`).join(' · ') || 'none';
}
