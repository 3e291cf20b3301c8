import { yesFlag } from '../../cli/flags/flag-values.ts';
import { TransitionCommand } from './job-moves.ts';

export default class JobsClose extends TransitionCommand {
  static override summary = 'Close jobs permanently';
  static override description =
    "A closed job can't be reopened or edited. `jobs repost` copies the job to a new draft.";
  static override examples = ['partner jobs close 12', 'partner jobs close 12 13 --yes --json'];
  static override flags = { ...TransitionCommand.flags, ...yesFlag };

  protected override readonly transition = 'close';
}
