import { type MonthSpan, monthOf, parseMonth } from '../../contract/month.ts';
import { type InvoiceSums, invoiceItems } from '../billing/invoice.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { Queries } from '../store/store.ts';
import { isoTime } from '../time.ts';

/** Stands in the place of a month for all time. */
export const ALL_TIME = 'all';

/** What a company owes for a period, added up from the ledger to the cent. */
export interface Invoice extends InvoiceSums {
  readonly companyId: string;
  /** `2026-03`; null for all time. */
  readonly month: string | null;
  /** The half-open interval that is added up; null where it has no such end. */
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * The invoice of a company for `month`, as `2026-03` or ALL_TIME, or for the month of `now` (epoch ms). A month is
 * over when it is over in UTC, as MONTHLY windows are. Throws VALIDATION_FAILED for what is no month.
 */
export async function invoiceOf(
  { ledger }: Pick<Queries, 'ledger'>,
  companyId: string,
  month: string | undefined,
  now: number,
): Promise<Invoice> {
  if (month === ALL_TIME) {
    const lines = await ledger.lines(companyId, { from: '', to: null });
    return { companyId, month: null, from: null, to: null, ...invoiceItems(lines) };
  }
  const named = (month ?? monthOf(now)).trim();
  const span = monthSpan(named);
  const interval = { from: isoTime(span.startsAt), to: isoTime(span.endsAt) };
  const lines = await ledger.lines(companyId, interval);
  return { companyId, month: named, ...interval, ...invoiceItems(lines) };
}

/** A month's interval, in epoch ms. Throws VALIDATION_FAILED for what is no month. */
export function monthSpan(month: string): MonthSpan {
  const span = parseMonth(month);
  if (span !== undefined) return span;
  throw validationFailed([{ path: ['month'], kind: 'invalid', message: 'must be a month, as 2026-03' }]);
}
