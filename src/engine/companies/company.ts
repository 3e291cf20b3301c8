import { PartnerError } from '../../contract/errors.ts';
import { isoTime } from '../../contract/time.ts';
import type { Queries } from '../store/store.ts';
import type { CompanyRow } from '../store/tables.ts';
import { randomBase62 } from './secrets.ts';

export type Company = ReturnType<typeof companyOf>;

export const DEFAULT_NAME = 'My company';

export function newCompany(name: string, now: number): CompanyRow {
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

/** The company if there's only one. Throws USAGE with the first 20 if there are several; `hint` says how to choose. */
export async function onlyCompany({ companies }: Pick<Queries, 'companies'>, hint: string) {
  const found = await companies.list(20);
  if (found.length < 2) return found[0];
  const fields = Object.fromEntries(found.map(({ id, name }) => [id, name]));
  throw new PartnerError('USAGE', { message: 'the engine has several companies', fields, hint });
}

/** The default company or else the only one. Creates the default one if there is none. Throws as `onlyCompany`. */
export async function defaultCompany({ companies }: Queries, now: number): Promise<Company> {
  const hint = 'make a key with `partner engine keys create --company ID`, and set it as PARTNER_API_KEY';
  const existing = (await companies.findDefault()) ?? (await onlyCompany({ companies }, hint));
  if (existing !== undefined) return companyOf(existing);
  await companies.insertDefault(newCompany(DEFAULT_NAME, now));
  return companyOf(existingOf(await companies.findDefault(), 'the default one'));
}

export async function companyById({ companies }: Queries, id: string): Promise<CompanyRow> {
  return existingOf(await companies.find(id), id);
}

/** All that is kept of a payment card; only test cards exist here. */
export function cardOf({ card_brand: brand, card_last4: last4 }: CompanyRow) {
  return brand === null || last4 === null ? null : { brand, last4 };
}

export function companyOf({ id, name }: CompanyRow) {
  return { id, name };
}

function existingOf(company: CompanyRow | undefined, id: string): CompanyRow {
  if (company !== undefined) return company;
  throw new PartnerError('USAGE', {
    message: `there is no company ${id}`,
    hint: '`partner engine companies list` shows them',
  });
}
