import * as Flags from '@oclif/core/flags';
import { TransitionCommand } from './transition-command.ts';

export default class JobsClose extends TransitionCommand {
  static override summary = 'Close jobs for good';
  static override description =
    'A closed job can be neither reopened nor edited; `jobs repost` makes a new one of it.';
  static override examples = ['partner jobs close 12', 'partner jobs close 12 13 --yes --json'];
  static override flags = {
    ...TransitionCommand.flags,
    yes: Flags.boolean({ char: 'y', description: 'Close without asking' }),
  };

  protected override readonly transition = 'close';
  protected override readonly reaches = 'CLOSED';

  protected override async confirm(
    ids: readonly number[],
    flags: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    if (flags.yes === true) return;
    const jobs = this.streams.canAsk ? await this.named(ids) : ids.map((id) => `job ${id}`);
    if (jobs.length > 0) await this.mustConfirm(`Close ${jobs.join(', ')} for good?`, '--yes');
  }

  /** What a person recognises each job by; a draft cannot be closed, and is not asked about. */
  private async named(ids: readonly number[]): Promise<string[]> {
    const { client } = await this.connect();
    const names: string[] = [];
    for (const id of ids) {
      const { title, status } = await client.getJob(id);
      if (status !== 'DRAFT') names.push(`job ${id} ${title ? `"${title}"` : 'Untitled'} (${status})`);
    }
    return names;
  }
}
