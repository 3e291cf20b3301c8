import { TransitionCommand } from './transition-command.ts';

export default class JobsResume extends TransitionCommand {
  static override summary = 'Show paused jobs again';
  static override examples = ['partner jobs resume 12', 'partner jobs resume 12 13 --ensure'];

  protected override readonly transition = 'resume';
  protected override readonly reaches = 'ACTIVE';
}
