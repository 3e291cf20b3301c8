import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { capWarnings } from '../../actions/caps.ts';
import { hintOf, type Outcome, PartnerCommand } from '../../base-command.ts';
import { wholeNumber } from '../../command-line/flag-values.ts';
import { jobId } from '../../command-line/job-id.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { BudgetInput } from '../../contract/job.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import { parseAmount } from '../../intake/flag-values.ts';
import { standingBudgets } from '../../intake/job-file.ts';
import { budgetTable } from '../../ui/views/budgets.ts';

const cap = (window: string, resets: string) =>
  Flags.string({ helpValue: 'CENTS', description: `The ${window} cap in cents; ${resets}` });

export default class BudgetsSet extends PartnerCommand {
  static override summary = 'Cap what a job may cost';
  static override description =
    'The given windows are set and the others stay; --replace drops them. A cap of 0 stops all spending; no cap means unlimited.';
  static override examples = [
    'partner budgets set 12 --daily-cents 5000 --monthly-cents 90000',
    'partner budgets set 12 --lifetime-cents 250000 --notes "Q3 campaign" --replace',
  ];
  static override args = {
    job: Args.string({ required: true, ignoreStdin: true, description: "The job's id" }),
  };
  static override flags = {
    'daily-cents': cap('daily', 'it resets every day at 00:00 UTC'),
    'weekly-cents': cap('weekly', 'it resets on Mondays, UTC'),
    'monthly-cents': cap('monthly', 'it resets on the 1st, UTC'),
    'lifetime-cents': cap('lifetime', 'it never resets'),
    notes: Flags.string({ helpValue: 'TEXT', description: 'A note kept with each cap that is set' }),
    replace: Flags.boolean({ description: 'Drop the caps of the other windows' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(BudgetsSet);
    const id = jobId(args.job);
    const given = BUDGET_WINDOWS.flatMap((window) => budgetOf(window, flags));
    if (given.length === 0) {
      throw new PartnerError('USAGE', {
        message: 'no cap is given',
        hint: 'give one or more: --daily-cents 5000',
      });
    }
    const { client } = await this.connect();
    const kept = flags.replace ? [] : standingBudgets(await client.getJob(id));
    const others = kept.filter((budget) => !given.some(({ window }) => window === budget.window));
    const job = await client.updateJob(id, { budgets: [...others, ...given] });
    return {
      json: { items: job.budgets },
      text: () => budgetTable(job.budgets, this.view),
      hint: hintOf(capWarnings(job)),
    };
  }
}

function budgetOf(window: BudgetWindow, flags: Readonly<Record<string, unknown>>): BudgetInput[] {
  const name = `${window.toLowerCase()}-cents`;
  const cents = flags[name];
  if (typeof cents !== 'string') return [];
  const { notes } = flags;
  return [
    {
      window,
      budgetCents: amountOf(`--${name}`, cents),
      ...(typeof notes === 'string' ? { notes } : {}),
    },
  ];
}

function amountOf(flag: string, given: string): number {
  const amount = parseAmount(given, 'cents');
  if ('value' in amount) return wholeNumber(flag, given, { min: 0 });
  throw new PartnerError('USAGE', { message: `${flag} ${amount.problem}`, hint: amount.hint });
}
