import { groupBy } from '../../contract/group-by.ts';
import { invalid } from '../../contract/problems.ts';
import { isoTime, monthOf, parseMonth } from '../../contract/time.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { ChargeOutcome, LedgerLine } from '../store/billing-ledger.ts';
import type { Queries } from '../store/store.ts';

export const ALL_TIME = 'all';

export type Invoice = Awaited<ReturnType<typeof invoiceOf>>;

export interface InvoiceRequest {
  readonly companyId: string;
  /** As `2026-03` or ALL_TIME; the month of now where it is left out. */
  readonly month?: string | undefined;
  /** `charged` is the invoice (8.5b), `skipped` the report of what was delivered free of charge. */
  readonly outcome: ChargeOutcome;
  /** Where it is given, no more jobs are added up: the first by their ids. */
  readonly jobsMax?: number;
}

/** By months in UTC; the report of what was free has charges of 0. Throws VALIDATION_FAILED for what is no month. */
export async function invoiceOf(
  { billingLedger }: Pick<Queries, 'billingLedger'>,
  { companyId, month: asked, outcome, jobsMax }: InvoiceRequest,
  now: number,
) {
  const month = asked === ALL_TIME ? null : (asked ?? monthOf(now)).trim();
  const span = month === null ? undefined : monthSpan(month);
  // The half-open interval that is added up; all time has no ends.
  const from = span === undefined ? null : isoTime(span.startsAt);
  const to = span === undefined ? null : isoTime(span.endsAt);
  const lines = await billingLedger.lines({ companyId, month: month ?? undefined, outcome, jobsMax });
  return { companyId, month, from, to, ...invoiceItems(lines) };
}

export function monthSpan(month: string) {
  const span = parseMonth(month);
  if (span !== undefined) return span;
  throw validationFailed([invalid(['month'], 'must be a month, as 2026-03')]);
}

export type InvoiceItem = ReturnType<typeof itemOf>;

/** An item for each job of the ledger's lines, in their order, and what they add up to. */
export function invoiceItems(ledger: readonly LedgerLine[]) {
  const items = Array.from(groupBy(ledger, ({ jobId }) => jobId).values(), itemOf);
  return {
    items,
    totalChargedCents: sum(items.map(({ chargedCents }) => chargedCents)),
    totalSkippedCents: sum(items.map(({ skippedCents }) => skippedCents)),
  };
}

function itemOf(ledger: readonly LedgerLine[]) {
  const lines = ledger.map(lineOf);
  const { jobId = 0, title = '' } = ledger[0] ?? {};
  const charged = lines.filter(({ filled }) => filled === null);
  const skipped = lines.filter(({ filled }) => filled !== null);
  return {
    jobId,
    title,
    charges: sum(charged.map(({ applications }) => applications)),
    chargedCents: sum(charged.map(({ chargedCents }) => chargedCents)),
    skipped: sum(skipped.map(({ applications }) => applications)),
    skippedCents: sum(skipped.map(({ skippedCents }) => skippedCents)),
    lines,
  };
}

/** As many applications times the bid is what they cost, or would have cost; `filled` says why they were free. */
function lineOf({ bidCents, applications, filled }: LedgerLine) {
  const amountCents = bidCents * applications;
  const [chargedCents, skippedCents] = filled === null ? [amountCents, 0] : [0, amountCents];
  return { bidCents, applications, chargedCents, skippedCents, filled };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
