import { TransitionCommand } from './transition-command.ts';

export default class JobsPause extends TransitionCommand {
  static override summary = 'Hide live jobs for a while';
  static override description = 'The 30 days of a listing run on while it is paused.';
  static override examples = ['partner jobs pause 12', 'partner jobs pause 12 13 --ensure'];

  protected override readonly transition = 'pause';
  protected override readonly reaches = 'PAUSED';
}
