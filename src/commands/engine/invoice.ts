import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag, createParsedFlag, switchFlag } from '../../cli/flags/flag-values.ts';
import { createValueError } from '../../cli/settings/server-settings.ts';
import { parseMonth } from '../../contract/time.ts';
import { FREE_COLUMNS, INVOICE_COLUMNS, invoiceTable } from './invoice-view.ts';

const monthFlag = createParsedFlag('YYYY-MM', (given, flag) => {
  if (parseMonth(given) !== undefined) return given.trim();
  throw createValueError(flag, 'a month', given, `for example: \`${flag} 2026-03\``);
});

export default class EngineInvoice extends EngineCommand {
  static override summary = "Show a company's invoice";
  static override description =
    "The invoice has one line per job and bid: charged applicants × bid. Applicants are free if the bid would exceed a cap. Free applicants aren't on the invoice, but --free lists them with the filled cap. Months are in UTC.";
  static override examples = [
    'partner engine invoice',
    'partner engine invoice --month 2026-03 --csv > invoice.csv',
    'partner engine invoice --free',
    "partner engine invoice --all --json | jq '.totalChargedCents'",
  ];
  static override flags = {
    month: monthFlag({
      shown: { default: "the engine's current month" },
      description: 'Month of the invoice',
    }),
    all: switchFlag('Include all months since the first application', { exclusive: ['month'] }),
    free: switchFlag("List applicants who weren't charged, with the filled caps"),
    csv: switchFlag('Print CSV with a header and amounts in cents', { exclusive: ['json'] }),
    ...companyFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(EngineInvoice);
    const columns = flags.free ? FREE_COLUMNS : INVOICE_COLUMNS;
    const { operator, companyId } = await this.engine({ access: 'read' });
    const invoice = await operator.dashboard.invoice({
      companyId: await companyId(flags.company),
      month: flags.all ? 'all' : flags.month,
      outcome: flags.free ? 'skipped' : 'charged',
    });
    return { json: invoice, text: () => invoiceTable(invoice, columns, this.view, flags) };
  }
}
