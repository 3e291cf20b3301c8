import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { createRequiredArg, timeValue } from '../../../cli/flags/flag-values.ts';
import { clockMove } from '../clock-view.ts';

export default class ClockSet extends EngineCommand {
  static override summary = "Set the bundled engine's time";
  static override description =
    "Moves the time forward or back. The clock continues from the new time. A running `engine serve` uses the new time from its next request. The recorded times of charges, applications and decisions don't change.";
  static override examples = [
    'partner engine clock set 2026-12-31T23:59:50Z',
    'partner engine clock set "2027-01-01 09:30"',
    'partner engine clock set 2027-02-28 --json',
  ];
  static override args = {
    time: createRequiredArg('ISO 8601 date or time (time and zone default to midnight UTC)'),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(ClockSet);
    const time = timeValue(args.time);
    const { clock } = await this.engine();
    const move = await clock.set(time);
    return { json: move, text: () => clockMove(move, this.view) };
  }
}
