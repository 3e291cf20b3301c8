import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type InvoiceSums, invoiceItems, type LedgerLine } from '../../../src/engine/billing/invoice.ts';

const lines = fc.array(
  fc.record({
    jobId: fc.integer({ min: 1, max: 4 }),
    title: fc.constant('Welder'),
    bidCents: fc.integer({ min: 1, max: 1_000_000 }),
    applications: fc.integer({ min: 1, max: 1000 }),
    filled: fc.option(fc.constant({ target: 'job', window: 'DAILY' } as const)),
  }),
);

const total = (ledger: readonly LedgerLine[]): number =>
  ledger.reduce((sum, { bidCents, applications }) => sum + bidCents * applications, 0);

function eachLine({ items }: InvoiceSums) {
  return items.flatMap(({ lines }) => lines);
}

describe('an invoice', () => {
  it('adds up to what the ledger holds, charged and skipped apart, over its items and over their lines', () => {
    fc.assert(
      fc.property(lines, (ledger) => {
        const invoice = invoiceItems(ledger);
        const charged = total(ledger.filter(({ filled }) => filled === null));
        assert.equal(invoice.totalChargedCents, charged);
        assert.equal(invoice.totalSkippedCents, total(ledger) - charged);
        for (const part of [invoice.items, eachLine(invoice)]) {
          assert.equal(
            part.reduce((sum, { chargedCents }) => sum + chargedCents, 0),
            charged,
          );
        }
      }),
    );
  });

  it('has one item a job, and lines that each multiply out', () => {
    fc.assert(
      fc.property(lines, (ledger) => {
        const invoice = invoiceItems(ledger);
        const ids = invoice.items.map(({ jobId }) => jobId);
        assert.deepEqual(new Set(ids), new Set(ledger.map(({ jobId }) => jobId)));
        assert.equal(new Set(ids).size, ids.length);
        for (const { applications, bidCents, chargedCents, skippedCents, filled } of eachLine(invoice)) {
          assert.equal(chargedCents + skippedCents, applications * bidCents);
          assert.equal(filled === null ? skippedCents : chargedCents, 0);
        }
      }),
    );
  });
});
