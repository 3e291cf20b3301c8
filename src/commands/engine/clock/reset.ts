import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { clockMove } from '../clock-view.ts';

export default class ClockReset extends EngineCommand {
  static override summary = "Reset the bundled engine's clock to the system time";
  static override examples = ['partner engine clock reset'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(ClockReset);
    const { clock } = await this.engine();
    const move = await clock.reset();
    return { json: move, text: () => clockMove(move, this.view) };
  }
}
