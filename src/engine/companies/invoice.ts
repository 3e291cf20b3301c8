import { createProblem, validationFailed } from '../../contract/problems.ts';
import { formatMonth, isoTime, parseMonth } from '../../contract/time.ts';
import { groupBy } from '../../text/group-by.ts';
import type { LedgerLine, LinesFilter } from '../store/billing-ledger.ts';
import type { Queries } from '../store/store.ts';

export const ALL_TIME = 'all';

export type Invoice = Awaited<ReturnType<typeof buildInvoice>>;

/** Builds the invoice of a month in UTC (by default the current one), or of ALL_TIME. Throws VALIDATION_FAILED. */
export async function buildInvoice(
  { billingLedger }: Pick<Queries, 'billingLedger'>,
  { companyId, month: asked, outcome, jobsMax }: LinesFilter,
  now: number,
) {
  const month = asked === ALL_TIME ? null : (asked ?? formatMonth(now)).trim();
  const span = month === null ? undefined : monthSpan(month);
  const from = span === undefined ? null : isoTime(span.startsAt);
  const to = span === undefined ? null : isoTime(span.endsAt);
  const lines = await billingLedger.lines({ companyId, month: month ?? undefined, outcome, jobsMax });
  return { companyId, month, from, to, ...invoiceItems(lines) };
}

export function monthSpan(month: string) {
  const span = parseMonth(month);
  if (span !== undefined) return span;
  throw validationFailed([createProblem(['month'], 'must be a month, such as 2026-03')]);
}

export type InvoiceItem = ReturnType<typeof toInvoiceItem>;

export function invoiceItems(ledger: readonly LedgerLine[]) {
  const items = Array.from(groupBy(ledger, ({ jobId }) => jobId).values(), toInvoiceItem);
  return {
    items,
    totalChargedCents: sum(items, ({ chargedCents }) => chargedCents),
    totalSkippedCents: sum(items, ({ skippedCents }) => skippedCents),
  };
}

function toInvoiceItem(ledger: readonly LedgerLine[]) {
  const lines = ledger.map(toInvoiceLine);
  const { jobId = 0, title = '' } = ledger[0] ?? {};
  return {
    jobId,
    title,
    charges: sum(lines, ({ filled, applications }) => (filled === null ? applications : 0)),
    chargedCents: sum(lines, ({ chargedCents }) => chargedCents),
    skipped: sum(lines, ({ filled, applications }) => (filled === null ? 0 : applications)),
    skippedCents: sum(lines, ({ skippedCents }) => skippedCents),
    lines,
  };
}

/** Amount of one job and bid: applicants × bid. `filled` is the filled window if these applicants were free. */
function toInvoiceLine({ bidCents, applications, filled }: LedgerLine) {
  const amountCents = bidCents * applications;
  const [chargedCents, skippedCents] = filled === null ? [amountCents, 0] : [0, amountCents];
  return { bidCents, applications, chargedCents, skippedCents, filled };
}

export function sum<T>(entries: readonly T[], read: (entry: T) => number): number {
  return entries.reduce((total, entry) => total + read(entry), 0);
}
