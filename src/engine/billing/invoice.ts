import type { FilledWindow } from './charge.ts';

/** Rows of the ledger that are alike: the applications to one job, at one bid, with one outcome. */
export interface LedgerLine {
  readonly jobId: number;
  readonly title: string;
  readonly bidCents: number;
  readonly applications: number;
  /** The window that the charges were skipped for; null where they were charged. */
  readonly filled: FilledWindow | null;
}

export type InvoiceItem = ReturnType<typeof itemOf>;

/** An item for each job of the ledger's lines, in their order, and what they add up to. */
export function invoiceItems(ledger: readonly LedgerLine[]) {
  const jobs = new Map<number, LedgerLine[]>();
  for (const line of ledger) {
    const ofJob = jobs.get(line.jobId) ?? [];
    ofJob.push(line);
    jobs.set(line.jobId, ofJob);
  }
  const items = Array.from(jobs.values(), itemOf);
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
