import assert from 'node:assert/strict';
import { toView } from '../../../src/cli/terminal/view.ts';
import { FREE_COLUMNS, INVOICE_COLUMNS, invoiceTable } from '../../../src/commands/engine/invoice-view.ts';
import { invoiceItems } from '../../../src/engine/companies/invoice.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';

const PERIOD = { companyId: 'co_1', month: '2026-03', from: null, to: null };
const LINE = { jobId: 12, title: '=Welder, nights', bidCents: 1500 };
const INVOICE = { ...PERIOD, ...invoiceItems([{ ...LINE, applications: 20, filled: null }]) };
const FREE = {
  ...PERIOD,
  ...invoiceItems([{ ...LINE, applications: 3, filled: { target: 'company', window: 'DAILY' } }]),
};

const terminal = toView(fakeStreams({ isTerminal: true, columns: 100 }), 0);

describe('an invoice that is shown', () => {
  it('says on a terminal what it adds up to', async () => {
    const text = await invoiceTable(INVOICE, INVOICE_COLUMNS, terminal);
    assert.match(text, /20 +\$300\.00\n/);
    assert.match(text, /\n2026-03: \$300\.00 for 20 applicants\n$/);
    assert.doesNotMatch(text, /skipped|free/i);
  });

  it('is for a spreadsheet a row a line, in bare cents, and nothing that it would run', async () =>
    assert.equal(
      await invoiceTable(INVOICE, INVOICE_COLUMNS, terminal, { csv: true }),
      `JOB,TITLE,BID_CENTS,APPLICANTS,CHARGED_CENTS\r\n12,"'=Welder, nights",1500,20,30000\r\n`,
    ));
});

describe('what was delivered free of charge', () => {
  it('is a report of its own, with the cap that was filled', async () => {
    const text = await invoiceTable(FREE, FREE_COLUMNS, terminal);
    assert.match(text, /3 +\$45\.00 +company's daily cap\n/);
    assert.match(text, /\n2026-03: 3 applicants delivered free of charge, \$45\.00 never charged\n$/);
    assert.equal(
      await invoiceTable(FREE, FREE_COLUMNS, terminal, { csv: true }),
      [
        'JOB,TITLE,BID_CENTS,APPLICANTS,SKIPPED_CENTS,FILLED\r\n',
        `12,"'=Welder, nights",1500,3,4500,company DAILY\r\n`,
      ].join(''),
    );
    const none = { ...FREE, items: [] };
    const expected = 'Nothing was delivered free of charge in 2026-03.\n';
    assert.equal(await invoiceTable(none, FREE_COLUMNS, terminal), expected);
  });
});
