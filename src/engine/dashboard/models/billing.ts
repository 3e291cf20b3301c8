import type { BudgetInput } from '../../../contract/job.ts';
import { monthOf } from '../../../contract/month.ts';
import { intervalOf } from '../../applications/caps.ts';
import { type BudgetState, budgetStates } from '../../companies/budget-states.ts';
import { type Card, cardOf, companyById } from '../../companies/company.ts';
import { type Invoice, invoiceOf, monthSpan } from '../../companies/invoice.ts';
import type { Queries } from '../../store/store.ts';
import type { Visit } from '../visit.ts';

/** What was charged on a day of the month, from 1. */
export interface DaySpend {
  readonly day: number;
  readonly chargedCents: number;
}

/** The company's money, with a month of it. */
export interface BillingPage {
  readonly card: Card | null;
  readonly caps: readonly BudgetInput[];
  readonly budgets: readonly BudgetState[];
  readonly month: string;
  /** The months before and after, as far as the company has any. */
  readonly earlier: string | undefined;
  readonly later: string | undefined;
  readonly days: readonly DaySpend[];
  readonly invoice: Invoice;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The company's money in the month that the address names. Throws VALIDATION_FAILED for what is no month. */
export async function loadBilling(queries: Queries, visit: Visit): Promise<BillingPage> {
  const { company, now } = visit;
  const row = await companyById(queries, company.id);
  const month = monthIn(visit);
  const { startsAt, endsAt } = monthSpan(month);
  const caps = JSON.parse(row.budgets) as BudgetInput[];
  return {
    card: cardOf(row),
    caps,
    budgets: await budgetStates(queries, { target: 'company', id: company.id }, caps, now),
    month,
    earlier: month > row.created_at.slice(0, 7) ? monthOf(startsAt - 1) : undefined,
    later: month < monthOf(now) ? monthOf(endsAt) : undefined,
    days: await daysOf(queries, company.id, month),
    invoice: await invoiceOf(queries, { companyId: company.id, month, outcome: 'charged' }, now),
  };
}

/** The month that an address names; the one of now where it names none. Throws VALIDATION_FAILED. */
export function monthIn({ url, now }: Visit): string {
  const month = url.searchParams.get('month')?.trim() || monthOf(now);
  monthSpan(month);
  return month;
}

/** Every day of a month, also those on which nothing was charged. */
async function daysOf({ ledger }: Queries, companyId: string, month: string): Promise<DaySpend[]> {
  const span = monthSpan(month);
  const found = await ledger.days({ target: 'company', id: companyId }, intervalOf(span));
  const sums = new Map(found.map((one) => [one.day, one]));
  return Array.from({ length: (span.endsAt - span.startsAt) / DAY_MS }, (_, index) => {
    const day = index + 1;
    const sum = sums.get(`${month}-${String(day).padStart(2, '0')}`);
    return { day, chargedCents: sum?.chargedCents ?? 0 };
  });
}
