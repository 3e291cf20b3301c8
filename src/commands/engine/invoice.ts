import * as Flags from '@oclif/core/flags';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { companyFlag } from '../../cli/flags/flag-values.ts';
import { PartnerError } from '../../contract/errors.ts';
import { parseMonth } from '../../contract/time.ts';
import { FREE_COLUMNS, INVOICE_COLUMNS, invoiceTable } from './invoice-view.ts';

const monthFlag = Flags.custom<string>({
  helpValue: 'YYYY-MM',
  parse: async (given) => {
    if (parseMonth(given) !== undefined) return given.trim();
    throw new PartnerError('USAGE', {
      message: `--month takes a month, not \`${given}\``,
      hint: 'write it like `--month 2026-03`',
    });
  },
});

export default class EngineInvoice extends EngineCommand {
  static override summary = 'Add up what a company owes, from the ledger to the cent';
  static override description =
    'A line for each job and bid: as many applicants times the bid. Applicants who came after a cap was filled are on no invoice: --free reports them, each with the cap that was filled. A month is over when it is over in UTC.';
  static override examples = [
    'partner engine invoice',
    'partner engine invoice --month 2026-03 --csv > invoice.csv',
    'partner engine invoice --free',
    "partner engine invoice --all --json | jq '.totalChargedCents'",
  ];
  static override flags = {
    month: monthFlag({ description: "This month (default: that of the engine's clock)" }),
    all: Flags.boolean({ exclusive: ['month'], description: 'Everything since the first application' }),
    free: Flags.boolean({ description: 'What was delivered free of charge instead, and why' }),
    csv: Flags.boolean({
      exclusive: ['json'],
      description: 'Print comma-separated values with a header, amounts in cents',
    }),
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
