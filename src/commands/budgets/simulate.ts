import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { openBilling } from '../../cli/connection/bundled-engine.ts';
import { inGroup, listFlags } from '../../cli/flags/flag-values.ts';
import { sortItems } from '../../cli/terminal/table.ts';
import { readApplicantTimes, runSimulation, simulationFlags } from './simulation.ts';
import { SIMULATION_COLUMNS, simulationNotes, simulationView } from './simulation-view.ts';

export default class BudgetsSimulate extends PartnerCommand {
  static override summary = 'Simulate spend caps on a stream of applicants';
  static override description =
    "Sends random or recorded applicants through the engine's billing. Shows when each window fills, how many applicants are charged or free, and the maximum invoice. Nothing is stored.";
  static override examples = [
    'partner budgets simulate --bid-cents 1500 --daily-cents 10000 --monthly-cents 150000',
    'partner budgets simulate --job 12 --rate 5/hour --qualified 0.6',
    'partner budgets simulate --job 12 --company-weekly-cents 60000 --json',
    "printf '2026-12-01T09:30Z\\n' | partner budgets simulate --bid-cents 1500 --times -",
  ];
  static override flags = {
    ...simulationFlags,
    ...inGroup('OUTPUT', listFlags(SIMULATION_COLUMNS)),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(BudgetsSimulate);
    const { job: id, times: file } = flags;
    const job =
      id === undefined ? undefined : await (await this.connect({ access: 'read' })).client.getJob(id);
    const times = file === undefined ? undefined : await readApplicantTimes(file, this.streams);
    const now = this.context.clock();
    const report = runSimulation(flags, { job, times, now, billing: await openBilling() });
    return {
      json: { ...report, items: sortItems(report.items, flags) },
      text: () => simulationView(report, this.view, flags),
      hint: simulationNotes(report, this.view),
    };
  }
}
