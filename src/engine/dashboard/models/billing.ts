import type { BudgetInput } from '../../../contract/job.ts';
import { monthOf, parseMonth } from '../../../contract/month.ts';
import { type BudgetState, budgetStates } from '../../companies/budget-states.ts';
import { companyById } from '../../companies/company.ts';
import { type Invoice, invoiceOf } from '../../companies/invoice.ts';
import { validationFailed } from '../../lifecycle/refusals.ts';
import type { Queries } from '../../store/store.ts';
import type { Visit } from '../visit.ts';

/** What was charged and skipped on a day of the month, from 1. */
export interface DaySpend {
  readonly day: number;
  readonly chargedCents: number;
  readonly skippedCents: number;
}

/** The company's money, with a month of it. */
export interface BillingPage {
  readonly card: { readonly brand: string; readonly last4: string } | null;
  readonly caps: readonly BudgetInput[];
  readonly budgets: readonly BudgetState[];
  readonly month: string;
  /** The months before and after, as far as the company has any. */
  readonly earlier: string | undefined;
  readonly later: string | undefined;
  readonly days: readonly DaySpend[];
  readonly invoice: Invoice;
}

/** The company's money in the month that the address names. Throws VALIDATION_FAILED for what is no month. */
export async function loadBilling(queries: Queries, visit: Visit): Promise<BillingPage> {
  const { company, now } = visit;
  const row = await companyById(queries, company.id);
  const month = monthIn(visit);
  const caps = JSON.parse(row.budgets) as BudgetInput[];
  const { card_brand: brand, card_last4: last4 } = row;
  return {
    card: brand === null || last4 === null ? null : { brand, last4 },
    caps,
    budgets: await budgetStates(queries, { target: 'company', id: company.id }, caps, now),
    month,
    earlier: month > row.created_at.slice(0, 7) ? monthAfter(month, -1) : undefined,
    later: month < monthOf(now) ? monthAfter(month, 1) : undefined,
    days: await daysOf(queries, company.id, month),
    invoice: await invoiceOf(queries, company.id, month, now),
  };
}

/** The month that an address names; the one of now where it names none. Throws VALIDATION_FAILED. */
export function monthIn({ url, now }: Visit): string {
  const month = url.searchParams.get('month')?.trim() || monthOf(now);
  if (parseMonth(month) !== undefined) return month;
  throw validationFailed([{ path: ['month'], kind: 'invalid', message: 'must be a month, as 2026-03' }]);
}

function monthAfter(month: string, months: number): string {
  const start = new Date(`${month}-01T00:00:00.000Z`);
  return monthOf(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months));
}

/** Every day of a month, also those on which nothing was decided. */
async function daysOf({ ledger }: Queries, companyId: string, month: string): Promise<DaySpend[]> {
  const start = new Date(`${month}-01T00:00:00.000Z`);
  const [year, number] = [start.getUTCFullYear(), start.getUTCMonth()];
  const interval = { from: start.toISOString(), to: new Date(Date.UTC(year, number + 1)).toISOString() };
  const found = await ledger.days({ target: 'company', id: companyId }, interval);
  const sums = new Map(found.map((one) => [one.day, one]));
  const dayCount = new Date(Date.UTC(year, number + 1, 0)).getUTCDate();
  return Array.from({ length: dayCount }, (_, index) => {
    const day = index + 1;
    const sum = sums.get(`${month}-${String(day).padStart(2, '0')}`);
    return { day, chargedCents: sum?.chargedCents ?? 0, skippedCents: sum?.skippedCents ?? 0 };
  });
}
