import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { createRequiredArg, timeValue } from '../../cli/flags/flag-values.ts';
import { durationSetting } from '../../cli/settings/server-settings.ts';
import { clockMove, clockState } from './clock-view.ts';

export class ClockShow extends EngineCommand {
  static override summary = "Show the bundled engine's time";
  static override examples = ['partner engine clock show', 'partner engine clock show --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(ClockShow);
    const { clock } = await this.engine({ access: 'read' });
    const state = clock.state();
    return { json: state, text: () => clockState(state, this.view) };
  }
}

export class ClockAdvance extends EngineCommand {
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

export class ClockSet extends EngineCommand {
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

export class ClockReset extends EngineCommand {
  static override summary = "Reset the bundled engine's clock to the system time";
  static override examples = ['partner engine clock reset'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(ClockReset);
    const { clock } = await this.engine();
    const move = await clock.reset();
    return { json: move, text: () => clockMove(move, this.view) };
  }
}
