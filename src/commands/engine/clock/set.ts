import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../../cli/base-command.ts';
import { timeArgument } from '../../../cli/flags/flag-values.ts';
import { backInTime } from './back-in-time.ts';
import { clockMove } from './clock-view.ts';

export default class ClockSet extends PartnerCommand {
  static override summary = "Put the bundled engine's time where you want it";
  static override description =
    'Forward or back. The clock runs on from there; a served engine follows with its next request.';
  static override examples = [
    'partner engine clock set 2026-12-31T23:59:50Z',
    'partner engine clock set "2027-01-01 09:30"',
    'partner engine clock set 2027-02-28 --json',
  ];
  static override args = {
    time: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'An ISO 8601 date or time; without a zone it is UTC, a date alone is its beginning',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(ClockSet);
    const time = timeArgument(args.time);
    const { clock } = await this.engine();
    const move = await clock.set(time);
    return { json: move, text: () => clockMove(move, this.view), hint: backInTime(move) };
  }
}
