import { isoTime, type MonthSpan, monthOf, parseMonth } from '../../contract/time.ts';
import { type InvoiceSums, invoiceItems } from '../billing/invoice.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { ChargeOutcome } from '../store/billing-ledger.ts';
import type { Queries } from '../store/store.ts';

export const ALL_TIME = 'all';

/** The report of what was delivered free of charge has the same form, and charges of 0. */
export interface Invoice extends InvoiceSums {
  readonly companyId: string;
  /** `2026-03`; null for all time. */
  readonly month: string | null;
  /** The half-open interval that is added up; null where it has no such end. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface InvoiceRequest {
  readonly companyId: string;
  /** As `2026-03` or ALL_TIME; the month of now where it is left out. */
  readonly month?: string | undefined;
  /** `charged` is the invoice (8.5b), `skipped` the report of what was delivered free of charge. */
  readonly outcome: ChargeOutcome;
}

/** Added up from the ledger, by months in UTC; `now` is epoch ms. Throws VALIDATION_FAILED for what is no month. */
export async function invoiceOf(
  { billingLedger }: Pick<Queries, 'billingLedger'>,
  { companyId, month, outcome }: InvoiceRequest,
  now: number,
): Promise<Invoice> {
  if (month === ALL_TIME) {
    const lines = await billingLedger.lines(companyId, { from: '', to: null }, outcome);
    return { companyId, month: null, from: null, to: null, ...invoiceItems(lines) };
  }
  const named = (month ?? monthOf(now)).trim();
  const span = monthSpan(named);
  const interval = { from: isoTime(span.startsAt), to: isoTime(span.endsAt) };
  const lines = await billingLedger.lines(companyId, interval, outcome);
  return { companyId, month: named, ...interval, ...invoiceItems(lines) };
}

export function monthSpan(month: string): MonthSpan {
  const span = parseMonth(month);
  if (span !== undefined) return span;
  throw validationFailed([{ path: ['month'], kind: 'invalid', message: 'must be a month, as 2026-03' }]);
}
