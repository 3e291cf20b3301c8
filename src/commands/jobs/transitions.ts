import { yesFlag } from '../../cli/flags/flag-values.ts';
import type { PartnerClient } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { MOVES } from '../../contract/lifecycle.ts';
import { assertPublishable, gapHint } from './job-checks.ts';
import { noCheckFlag } from './job-flags.ts';
import { type Moved, type MoveFlags, TransitionCommand } from './job-moves.ts';

export class JobsPublish extends TransitionCommand {
  static override summary = 'Publish drafts';
  static override description =
    'Requires a complete listing, accepted employer terms and a payment card. A published job is live for 30 days.';
  static override examples = [
    'partner jobs publish 12',
    {
      description: 'Publish in a script that may run twice',
      command: 'partner jobs publish 12 13 --ensure --json',
    },
  ];

  static override flags = { ...TransitionCommand.flags, ...noCheckFlag };

  protected override readonly transition = 'publish';

  protected override async moveJob(client: PartnerClient, id: number, flags: MoveFlags): Promise<Moved> {
    if (!flags['no-check']) {
      const job = await client.getJob(id);
      if (flags.ensure && job.status === MOVES.publish.to) return { id, job, wasThere: true };
      assertPublishable(job);
    }
    try {
      return await super.moveJob(client, id, flags);
    } catch (error) {
      if (!(error instanceof PartnerError) || error.code !== 'VALIDATION_FAILED') throw error;
      throw error.with({ hint: gapHint(id, Object.keys(error.fields ?? {})) });
    }
  }
}

export class JobsPause extends TransitionCommand {
  static override summary = 'Pause live jobs';
  static override description = 'A paused job still expires 30 days after it was published.';
  static override examples = ['partner jobs pause 12', 'partner jobs pause 12 13 --ensure'];

  protected override readonly transition = 'pause';
}

export class JobsResume extends TransitionCommand {
  static override summary = 'Resume paused jobs';
  static override examples = ['partner jobs resume 12', 'partner jobs resume 12 13 --ensure'];

  protected override readonly transition = 'resume';
}

export class JobsClose extends TransitionCommand {
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
