import { yesFlag } from '../../cli/flags/flag-values.ts';
import { TransitionCommand } from './job-moves.ts';

export default class JobsClose extends TransitionCommand {
  static override summary = 'Close jobs permanently';
  static override description =
    "A closed job can't be reopened or edited. `jobs repost` copies the job to a new draft.";
  static override examples = ['partner jobs close 12', 'partner jobs close 12 13 --yes --json'];
  static override flags = {
    ...TransitionCommand.flags,
    ...yesFlag,
  };

  protected override readonly transition = 'close';

  protected override async confirm(ids: readonly number[], flags: Readonly<Record<string, unknown>>) {
    if (flags.yes === true) return;
    const jobs = this.streams.canAsk ? await this.listJobNames(ids) : ids.map((id) => `job ${id}`);
    if (jobs.length > 0) await this.mustConfirm(`Close ${jobs.join(', ')} permanently?`, '--yes');
  }

  /** Drafts are excluded, because they can't be closed. */
  private async listJobNames(ids: readonly number[]): Promise<string[]> {
    const { client } = await this.connect();
    const names: string[] = [];
    for (const id of ids) {
      const { title, status } = await client.getJob(id);
      if (status !== 'DRAFT') names.push(`job ${id} ${title ? `"${title}"` : 'Untitled'} (${status})`);
    }
    return names;
  }
}
