import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../base-command.ts';
import { companyFlag } from '../../command-line/company-flag.ts';
import { monthFlag } from '../../command-line/flag-values.ts';
import { listShape } from '../../command-line/list-flags.ts';
import { PartnerError } from '../../contract/errors.ts';
import { INVOICE_COLUMNS, invoiceTable } from '../../ui/views/invoice.ts';

export default class EngineInvoice extends PartnerCommand {
  static override summary = 'Add up what a company owes, from the ledger to the cent';
  static override description =
    'A line for each job and bid: as many applicants times the bid. Applicants who came after a cap was filled are listed as skipped: they were delivered and are never charged. A month is over when it is over in UTC.';
  static override examples = [
    'partner engine invoice',
    'partner engine invoice --month 2026-03 --csv > invoice.csv',
    "partner engine invoice --all --json | jq '.totalChargedCents'",
  ];
  static override flags = {
    month: Flags.string({
      helpValue: 'YYYY-MM',
      description: "This month (default: that of the engine's clock)",
    }),
    all: Flags.boolean({ description: 'Everything since the first application' }),
    csv: Flags.boolean({ description: 'Print comma-separated values with a header, amounts in cents' }),
    ...companyFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(EngineInvoice);
    const shape = listShape(flags, INVOICE_COLUMNS);
    const month = flags.month === undefined ? undefined : monthFlag('--month', flags.month);
    if (month !== undefined && flags.all) {
      throw new PartnerError('USAGE', {
        message: '`--month` and `--all` are two periods',
        hint: 'leave one of them out',
      });
    }
    const { operator, companyId } = await this.engine();
    const company = await companyId(flags.company);
    const invoice = await operator.dashboard.invoice(company, flags.all ? 'all' : month);
    return { json: invoice, text: () => invoiceTable(invoice, this.view, shape) };
  }
}
