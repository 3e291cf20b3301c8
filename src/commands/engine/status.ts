import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { engineStatus } from '../../cli/company-view.ts';

export default class EngineStatus extends PartnerCommand {
  static override summary = 'Show where the bundled engine keeps its database and what is in it';
  static override examples = ['partner engine status', 'partner engine status --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(EngineStatus);
    const { operator } = await this.engine();
    const status = await operator.status();
    return { json: status, text: () => engineStatus(status, this.view) };
  }
}
