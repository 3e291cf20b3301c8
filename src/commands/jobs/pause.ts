import { TransitionCommand } from './job-moves.ts';

export default class JobsPause extends TransitionCommand {
  static override summary = 'Pause live jobs';
  static override description = 'A paused job still expires 30 days after it was published.';
  static override examples = ['partner jobs pause 12', 'partner jobs pause 12 13 --ensure'];

  protected override readonly transition = 'pause';
}
