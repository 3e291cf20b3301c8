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

/** A line of an invoice: as many applications times the bid is what they cost, or what they would have cost. */
interface InvoiceLine {
  readonly bidCents: number;
  readonly applications: number;
  /** 0 on a line that is free of charge. */
  readonly chargedCents: number;
  /** 0 on a line that is charged. */
  readonly skippedCents: number;
  /** Why the line is free of charge; null where it is charged. */
  readonly filled: FilledWindow | null;
}

/** What one job has cost. */
export interface InvoiceItem {
  readonly jobId: number;
  readonly title: string;
  readonly charges: number;
  readonly chargedCents: number;
  readonly skipped: number;
  readonly skippedCents: number;
  readonly lines: readonly InvoiceLine[];
}

/** The items, and what they add up to. */
export interface InvoiceSums {
  readonly items: readonly InvoiceItem[];
  readonly totalChargedCents: number;
  readonly totalSkippedCents: number;
}

/** An item for each job of the ledger's lines, in their order. */
export function invoiceItems(ledger: readonly LedgerLine[]): InvoiceSums {
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

function itemOf(ledger: readonly LedgerLine[]): InvoiceItem {
  const lines = ledger.map(lineOf);
  const { jobId = 0, title = '' } = ledger[0] ?? {};
  const [charged, skipped] = [
    lines.filter(({ filled }) => filled === null),
    lines.filter(({ filled }) => filled),
  ];
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

function lineOf({ bidCents, applications, filled }: LedgerLine): InvoiceLine {
  const amountCents = bidCents * applications;
  const [chargedCents, skippedCents] = filled === null ? [amountCents, 0] : [0, amountCents];
  return { bidCents, applications, chargedCents, skippedCents, filled };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
