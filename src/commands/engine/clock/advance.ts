import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { createRequiredArg } from '../../../cli/flags/flag-values.ts';
import { durationSetting } from '../../../cli/settings/server-settings.ts';
import { clockMove } from '../clock-view.ts';

export default class ClockAdvance extends EngineCommand {
  static override summary = "Advance the bundled engine's time";
  static override description =
    'Listings and idempotency keys expire, and budget windows reset, as if the time had passed. The clock continues from the new time. A running `engine serve` uses the new time from its next request.';
  static override examples = [
    'partner engine clock advance 30d',
    'partner engine clock advance 1d12h --json',
  ];
  static override args = {
    duration: createRequiredArg('Duration, such as 30d, 36h, 90m, 2w, 45s, 500ms or 1d12h'),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(ClockAdvance);
    const like = '30d, 36h or 1d12h. To go back, use `partner engine clock set TIME`';
    const advanceMs = durationSetting('advance', args.duration, like);
    const { clock } = await this.engine();
    const move = await clock.advance(advanceMs);
    return { json: move, text: () => clockMove(move, this.view) };
  }
}
