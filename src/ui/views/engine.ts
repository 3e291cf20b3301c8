import { details } from '../blocks.ts';
import { clean } from '../clean.ts';
import { type Column, table } from '../table.ts';
import type { View } from '../view.ts';
import { type Fields, fieldsIn, listIn, textIn } from './read.ts';
import { moment } from './words.ts';

const CREATED: Column<Fields> = {
  title: 'CREATED',
  text: ({ createdAt }) => moment(createdAt) ?? '',
  whole: ({ createdAt }) => textIn(createdAt) ?? '',
  givesWay: 1,
};

const COMPANY_COLUMNS: readonly Column<Fields>[] = [
  { title: 'ID', text: ({ id }) => textIn(id) ?? '' },
  { title: 'NAME', text: ({ name }) => textIn(name) ?? '', shrinksTo: 12 },
  CREATED,
];

const KEY_COLUMNS: readonly Column<Fields>[] = [
  { title: 'ID', text: ({ id }) => textIn(id) ?? '' },
  { title: 'COMPANY', text: ({ companyId }) => textIn(companyId) ?? '', shrinksTo: 8, givesWay: 2 },
  { title: 'KEY', text: ({ last4 }) => `sk_ext_…${textIn(last4) ?? ''}` },
  CREATED,
  {
    title: 'REVOKED',
    text: ({ revokedAt }) => moment(revokedAt) ?? '',
    whole: ({ revokedAt }) => textIn(revokedAt) ?? '',
    style: () => 'red',
  },
];

/** The companies of the bundled engine. */
export function companyTable(companies: unknown, view: View): Promise<string> {
  return table(COMPANY_COLUMNS, listIn(companies), view, 'No companies.');
}

/** The partner keys of the bundled engine, each by its last letters. */
export function keyTable(keys: unknown, view: View): Promise<string> {
  return table(KEY_COLUMNS, listIn(keys), view, 'No keys.');
}

/** Where the bundled engine keeps its database, and what is in it. */
export function engineStatus(status: unknown, view: View): string {
  return facts(status, view);
}

/** How a company stands: terms, card and whatever else its dashboard shows. */
export function dashboardStatus(status: unknown, view: View): string {
  return facts(status, view);
}

/** One line a field: its name in words, yes or no for a boolean, the counts of an object. */
function facts(value: unknown, view: View): string {
  const rows = Object.entries(fieldsIn(value)).map(
    ([name, fact]) => [inWords(name), said(fact, view)] as const,
  );
  return details(rows, view);
}

function said(fact: unknown, view: View): string {
  if (typeof fact === 'boolean') return fact ? view.paint('green', 'yes') : view.paint('yellow', 'no');
  if (typeof fact === 'object' && fact !== null && !Array.isArray(fact)) {
    return Object.entries(fact).map(part).join(' · ') || 'none';
  }
  return textIn(fact) ?? 'none';
}

/** `3 DRAFT` for a count, `brand visa` for anything else. */
function part([name, value]: [string, unknown]): string {
  const text = textIn(value) ?? 'none';
  return typeof value === 'number' ? `${text} ${clean(name)}` : `${clean(name)} ${text}`;
}

/** `termsAccepted` as `Terms accepted`. */
function inWords(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
