import { PartnerError } from '../../contract/errors.ts';
import { isoTime } from '../../contract/time.ts';
import type { Queries } from '../store/store.ts';
import type { CompanyRow } from '../store/tables.ts';
import { randomBase62 } from './secrets.ts';

export type Company = ReturnType<typeof toCompany>;

export const DEFAULT_NAME = 'My company';

export function createCompanyRow(name: string, now: number): CompanyRow {
  return {
    id: `cmp_${randomBase62(12)}`,
    name,
    is_default: null,
    terms_version_accepted: null,
    card_brand: null,
    card_last4: null,
    budgets: '[]',
    created_at: isoTime(now),
  };
}

/** Returns the only company, or undefined if none exists. If several exist, throws USAGE that lists the first 20. */
export async function findOnlyCompany({ companies }: Pick<Queries, 'companies'>, hint: string) {
  const found = await companies.list(20);
  if (found.length < 2) return found[0];
  const fields = Object.fromEntries(found.map(({ id, name }) => [id, name]));
  throw new PartnerError('USAGE', { message: 'the engine has several companies', fields, hint });
}

/** Returns the default company or the only one, and creates it if none exists. Throws USAGE for several. */
export async function defaultCompany({ companies }: Queries, now: number): Promise<Company> {
  const hint = 'create a key with `partner engine keys create --company ID`, and set PARTNER_API_KEY to it';
  const existing = (await companies.findDefault()) ?? (await findOnlyCompany({ companies }, hint));
  if (existing !== undefined) return toCompany(existing);
  await companies.insertDefault(createCompanyRow(DEFAULT_NAME, now));
  return toCompany(assertCompanyExists(await companies.findDefault(), '(default)'));
}

export async function loadCompany({ companies }: Queries, id: string): Promise<CompanyRow> {
  return assertCompanyExists(await companies.find(id), id);
}

export function toCard({ card_brand: brand, card_last4: last4 }: CompanyRow) {
  return brand === null || last4 === null ? null : { brand, last4 };
}

export function toCompany({ id, name }: CompanyRow) {
  return { id, name };
}

function assertCompanyExists(company: CompanyRow | undefined, id: string): CompanyRow {
  if (company !== undefined) return company;
  throw new PartnerError('USAGE', {
    message: `company ${id} not found`,
    hint: 'list companies with `partner engine companies list`',
  });
}
