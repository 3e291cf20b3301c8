import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../../../cli/base-command.ts';
import { durationFlag } from '../../../cli/flags/flag-values.ts';
import { PartnerError } from '../../../contract/errors.ts';
import { clockMove } from './clock-view.ts';

export default class ClockAdvance extends PartnerCommand {
  static override summary = "Move the bundled engine's time on";
  static override description =
    'Listings expire, the windows of budgets begin anew and idempotency keys run out as they would have by then. The clock runs on from there; a served engine follows with its next request.';
  static override examples = [
    'partner engine clock advance 30d',
    'partner engine clock advance 1d12h --json',
  ];
  static override args = {
    duration: Args.string({
      required: true,
      ignoreStdin: true,
      description: '30d, 36h, 90m, 2w, 45s, 500ms, or several as 1d12h',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    // Before the parser takes `-1d` for a flag.
    const back = this.argv.find((word) => /^-\d/.test(word));
    if (back !== undefined) throw backwards(back);
    const { args } = await this.parse(ClockAdvance);
    const advanceMs = durationFlag('advance', args.duration, '30d, 36h or 1d12h');
    const { clock } = await this.engine();
    const move = await clock.advance(advanceMs);
    return { json: move, text: () => clockMove(move, this.view) };
  }
}

function backwards(given: string): PartnerError {
  return new PartnerError('USAGE', {
    message: `the clock is only ever advanced, not by \`${given}\``,
    hint: 'put it back with `partner engine clock set TIME`, or to the time of this machine with `partner engine clock reset`',
  });
}
