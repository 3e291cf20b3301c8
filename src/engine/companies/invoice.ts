import { isoTime, type MonthSpan, monthOf, parseMonth } from '../../contract/time.ts';
import { invoiceItems } from '../billing/invoice.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { ChargeOutcome } from '../store/billing-ledger.ts';
import type { Queries } from '../store/store.ts';

export const ALL_TIME = 'all';

export type Invoice = Awaited<ReturnType<typeof invoiceOf>>;

export interface InvoiceRequest {
  readonly companyId: string;
  /** As `2026-03` or ALL_TIME; the month of now where it is left out. */
  readonly month?: string | undefined;
  /** `charged` is the invoice (8.5b), `skipped` the report of what was delivered free of charge. */
  readonly outcome: ChargeOutcome;
}

/**
 * Added up from the ledger, by months in UTC; `now` is epoch ms. The report of what was free has the same form, and
 * charges of 0. Throws VALIDATION_FAILED for what is no month.
 */
export async function invoiceOf(
  { billingLedger }: Pick<Queries, 'billingLedger'>,
  { companyId, month: asked, outcome }: InvoiceRequest,
  now: number,
) {
  const month = asked === ALL_TIME ? null : (asked ?? monthOf(now)).trim();
  const span = month === null ? undefined : monthSpan(month);
  // The half-open interval that is added up; all time has no ends.
  const from = span === undefined ? null : isoTime(span.startsAt);
  const to = span === undefined ? null : isoTime(span.endsAt);
  const lines = await billingLedger.lines(companyId, { from: from ?? '', to }, outcome);
  return { companyId, month, from, to, ...invoiceItems(lines) };
}

export function monthSpan(month: string): MonthSpan {
  const span = parseMonth(month);
  if (span !== undefined) return span;
  throw validationFailed([{ path: ['month'], kind: 'invalid', message: 'must be a month, as 2026-03' }]);
}
