import { type Outcome, PartnerCommand } from '../../../cli/base-command.ts';
import { backInTime } from './back-in-time.ts';
import { clockMove } from './clock-view.ts';

export default class ClockReset extends PartnerCommand {
  static override summary = "Give the bundled engine this machine's time again";
  static override examples = ['partner engine clock reset'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(ClockReset);
    const { clock } = await this.engine();
    const move = await clock.reset();
    return { json: move, text: () => clockMove(move, this.view), hint: backInTime(move) };
  }
}
