import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { clockState } from '../clock-view.ts';

export default class ClockShow extends EngineCommand {
  static override summary = "Show the bundled engine's time";
  static override examples = ['partner engine clock show', 'partner engine clock show --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(ClockShow);
    const { clock } = await this.engine({ access: 'read' });
    const state = clock.state();
    return { json: state, text: () => clockState(state, this.view) };
  }
}
