import type { Outcome } from '../../../cli/base-command.ts';
import { batchOutcome } from '../../../cli/batch.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { companyFlag, createRequiredArg, parseIds } from '../../../cli/flags/flag-values.ts';
import { decisionLine } from './application-view.ts';

abstract class DecisionCommand extends EngineCommand {
  static override strict = false;
  static override description =
    "Only the bundled engine supports this command. For other servers, use the server's dashboard. You can change a decision later. Repeating it has no effect. Charges aren't refunded.";
  static override args = { id: createRequiredArg('One or more application IDs (41 42 43)') };
  static override flags = companyFlag;

  protected abstract readonly decision: 'accepted' | 'rejected';

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(this.ctor as unknown as typeof DecisionCommand);
    const ids = parseIds(argv as string[], 'application');
    const { companyId, operator } = await this.engine();
    const company = await companyId(flags.company);
    const { view } = this;
    return batchOutcome(ids, {
      run: (id) => operator.dashboard.decide(company, id, this.decision),
      name: 'application',
      line: (application) => decisionLine(application, view),
      view,
    });
  }
}

export class ApplicationsAccept extends DecisionCommand {
  static override summary = 'Accept applications on the bundled engine';
  static override examples = [
    'partner dashboard applications accept 41',
    'partner dashboard applications accept 41 42 --json',
  ];

  protected override readonly decision = 'accepted';
}

export class ApplicationsReject extends DecisionCommand {
  static override summary = 'Reject applications on the bundled engine';
  static override examples = [
    'partner dashboard applications reject 41',
    'partner dashboard applications reject 41 42 --json',
  ];

  protected override readonly decision = 'rejected';
}
