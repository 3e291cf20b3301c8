import assert from 'node:assert/strict';
import { viewOf } from '../../../src/ui/view.ts';
import { invoiceTable } from '../../../src/ui/views/invoice.ts';
import { fakeStreams } from '../fake-streams.ts';

const INVOICE = {
  month: '2026-03',
  items: [
    {
      jobId: 12,
      title: '=Welder, nights',
      charges: 20,
      skipped: 3,
      lines: [
        { bidCents: 1500, applications: 20, chargedCents: 30_000, skippedCents: 0, filled: null },
        {
          bidCents: 1500,
          applications: 3,
          chargedCents: 0,
          skippedCents: 4500,
          filled: { target: 'company', window: 'DAILY' },
        },
      ],
    },
  ],
  totalChargedCents: 30_000,
  totalSkippedCents: 4500,
};

const pipe = viewOf(fakeStreams(), 0);
const terminal = viewOf(fakeStreams({ isTerminal: true, columns: 100 }), 0);

describe('an invoice that is shown', () => {
  it('says on a terminal what it adds up to, and why what is free is free', async () => {
    const text = await invoiceTable(INVOICE, terminal);
    assert.match(text, /20 +\$300\.00\n/);
    assert.match(text, /3 +\$45\.00 +company's daily cap\n/);
    assert.match(
      text,
      /\n2026-03: \$300\.00 for 20 applicants · 3 delivered free of charge \(\$45\.00 skipped\)\n$/,
    );
  });

  it('is for a spreadsheet a row a line, in bare cents, and nothing that it would run', async () => {
    assert.equal(
      await invoiceTable(INVOICE, terminal, { isCsv: true }),
      [
        'JOB,TITLE,BID_CENTS,APPLICANTS,CHARGED_CENTS,SKIPPED_CENTS,FILLED\r\n',
        `12,"'=Welder, nights",1500,20,30000,0,\r\n`,
        `12,"'=Welder, nights",1500,3,0,4500,company DAILY\r\n`,
      ].join(''),
    );
  });

  it('is in a pipe its lines alone', async () => {
    assert.equal((await invoiceTable(INVOICE, pipe)).split('\n').length, 3);
    const none = { ...INVOICE, items: [] };
    assert.equal(await invoiceTable(none, pipe), '');
    assert.equal(await invoiceTable(none, terminal), 'Nothing was charged or skipped in 2026-03.\n');
  });
});
