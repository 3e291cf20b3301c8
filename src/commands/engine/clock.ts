import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { requiredArg, timeValue } from '../../cli/flags/flag-values.ts';
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
    'Listings expire, the windows of budgets begin anew and idempotency keys run out as they would have by then. The clock runs on from there; a served engine follows with its next request.';
  static override examples = [
    'partner engine clock advance 30d',
    'partner engine clock advance 1d12h --json',
  ];
  static override args = {
    duration: requiredArg('Duration (30d, 36h, 90m, 2w, 45s, 500ms or combined: 1d12h)'),
  };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(ClockAdvance);
    const advanceMs = durationSetting(
      'advance',
      args.duration,
      '30d, 36h or 1d12h; `partner engine clock set TIME` goes back',
    );
    const { clock } = await this.engine();
    const move = await clock.advance(advanceMs);
    return { json: move, text: () => clockMove(move, this.view) };
  }
}

export class ClockSet extends EngineCommand {
  static override summary = "Set the bundled engine's time";
  static override description =
    'Forward or back. The clock runs on from there; a served engine follows with its next request. What was charged, received or decided keeps its time.';
  static override examples = [
    'partner engine clock set 2026-12-31T23:59:50Z',
    'partner engine clock set "2027-01-01 09:30"',
    'partner engine clock set 2027-02-28 --json',
  ];
  static override args = {
    time: requiredArg('ISO 8601 date or time (UTC without a zone, midnight without a time)'),
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
  static override summary = "Set the bundled engine's time back to this machine's";
  static override examples = ['partner engine clock reset'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(ClockReset);
    const { clock } = await this.engine();
    const move = await clock.reset();
    return { json: move, text: () => clockMove(move, this.view) };
  }
}
