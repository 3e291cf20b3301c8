import type { Company } from '../engine/companies/company.ts';
import type { Dashboard } from '../engine/companies/dashboard.ts';
import type { ListedKey } from '../engine/companies/keys.ts';
import type { Operator } from '../engine/companies/operator.ts';
import { budgetStateLines } from './budget-table.ts';
import { details, section } from './terminal/blocks.ts';
import { clean } from './terminal/clean.ts';
import type { Column } from './terminal/column.ts';
import type { ListShape } from './terminal/list-shape.ts';
import { table } from './terminal/table.ts';
import type { View } from './terminal/view.ts';
import { moment } from './terminal/words.ts';

export const COMPANY_COLUMNS: readonly Column<Company>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name, shrinksTo: 12 },
];

export const KEY_COLUMNS: readonly Column<ListedKey>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'COMPANY', text: ({ companyId }) => companyId, shrinksTo: 8, givesWay: 2 },
  { title: 'KEY', text: ({ last4 }) => `sk_ext_…${last4}` },
  { title: 'CREATED', ...timeCells(({ createdAt }) => createdAt), givesWay: 1 },
  { title: 'REVOKED', ...timeCells(({ revokedAt }) => revokedAt), style: () => 'red' },
];

function timeCells(timeOf: (key: ListedKey) => string | null) {
  return {
    text: (key: ListedKey) => moment(timeOf(key)) ?? '',
    whole: (key: ListedKey) => timeOf(key) ?? '',
    value: (key: ListedKey) => Date.parse(timeOf(key) ?? '') || undefined,
  };
}

export function companyTable(
  companies: readonly Company[],
  view: View,
  shape?: ListShape<Company>,
): Promise<string> {
  return table(COMPANY_COLUMNS, companies, view, 'No companies.', shape);
}

export function keyTable(
  keys: readonly ListedKey[],
  view: View,
  shape?: ListShape<ListedKey>,
): Promise<string> {
  return table(KEY_COLUMNS, keys, view, 'No keys.', shape);
}

/** Where the bundled engine keeps its database, and what is in it. */
export function engineStatus(status: Awaited<ReturnType<Operator['status']>>, view: View): string {
  return details(
    [
      ['Database', clean(status.databasePath)],
      ['Schema', String(status.schemaVersion)],
      ['Companies', String(status.companies)],
      ['Keys', String(status.keys)],
      ['Jobs', jobCounts(status.jobs)],
    ],
    view,
  );
}

/** What only people can settle for a company: the terms, the card and the caps; and its jobs. */
export function dashboardStatus(status: Awaited<ReturnType<Dashboard['status']>>, view: View): string {
  const { companyId, name, terms, card, budgets, jobs } = status;
  const open = (text: string): string => view.paint('yellow', text);
  const version = clean(terms.currentVersion);
  const outdated = terms.acceptedVersion === null ? '' : ` · ${clean(terms.acceptedVersion)} was`;
  const facts = details(
    [
      ['Company', `${clean(name)} · ${companyId}`],
      [
        'Terms',
        terms.accepted
          ? `accepted, version ${version}`
          : `${open(`version ${version} is not accepted`)}${outdated}`,
      ],
      ['Card', card === null ? open('none on file') : `${clean(card.brand)} ending in ${clean(card.last4)}`],
      ['Jobs', jobCounts(jobs)],
      ['Spending', budgets.length === 0 ? 'no caps: unlimited' : undefined],
    ],
    view,
  );
  return facts + section('Caps over all jobs', budgetStateLines(budgets, view), view);
}

/** `3 DRAFT · 1 ACTIVE`: the states that some job is in. */
function jobCounts(jobs: Readonly<Record<string, number>>): string {
  const counts = Object.entries(jobs).filter(([, count]) => count > 0);
  return counts.map(([status, count]) => `${count} ${status}`).join(' · ') || 'none';
}
