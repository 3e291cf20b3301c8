import { yesFlag } from '../../cli/flags/flag-values.ts';
import { TransitionCommand } from './job-moves.ts';

export default class JobsResume extends TransitionCommand {
  static override summary = 'Resume paused jobs';
  static override examples = ['partner jobs resume 12', 'partner jobs resume 12 13 --ensure'];

  static override flags = { ...TransitionCommand.flags, ...yesFlag };

  protected override readonly transition = 'resume';
}
