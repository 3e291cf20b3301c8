import * as Flags from '@oclif/core/flags';
import type { PartnerClient } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { MOVES } from '../../contract/lifecycle.ts';
import { noCheckFlag } from './job-flags.ts';
import { assertPublishable, gapHint } from './job-gaps.ts';
import type { Moved } from './job-moves.ts';
import { type MoveFlags, TransitionCommand } from './transition-command.ts';

export class JobsPublish extends TransitionCommand {
  static override summary = 'Publish drafts';
  static override description =
    'A draft goes live for 30 days once three gates pass: the listing is complete, the employer terms are accepted and a payment card is on file.';
  static override examples = [
    'partner jobs publish 12',
    {
      description: 'In a script that may run twice',
      command: 'partner jobs publish 12 13 --ensure --json',
    },
  ];

  static override flags = { ...TransitionCommand.flags, ...noCheckFlag };

  protected override readonly transition = 'publish';

  protected override async moved(client: PartnerClient, id: number, flags: MoveFlags): Promise<Moved> {
    if (!flags['no-check']) {
      const job = await client.getJob(id);
      if (flags.ensure && job.status === MOVES.publish.to) return { id, job, wasThere: true };
      assertPublishable(job);
    }
    try {
      return await super.moved(client, id, flags);
    } catch (error) {
      if (!(error instanceof PartnerError) || error.code !== 'VALIDATION_FAILED') throw error;
      throw error.with({ hint: gapHint(id, Object.keys(error.fields ?? {})) });
    }
  }
}

export class JobsPause extends TransitionCommand {
  static override summary = 'Hide live jobs for a while';
  static override description = 'The 30 days of a listing run on while it is paused.';
  static override examples = ['partner jobs pause 12', 'partner jobs pause 12 13 --ensure'];

  protected override readonly transition = 'pause';
}

export class JobsResume extends TransitionCommand {
  static override summary = 'Show paused jobs again';
  static override examples = ['partner jobs resume 12', 'partner jobs resume 12 13 --ensure'];

  protected override readonly transition = 'resume';
}

export class JobsClose extends TransitionCommand {
  static override summary = 'Close jobs for good';
  static override description =
    'A closed job can be neither reopened nor edited; `jobs repost` makes a new one of it.';
  static override examples = ['partner jobs close 12', 'partner jobs close 12 13 --yes --json'];
  static override flags = {
    ...TransitionCommand.flags,
    yes: Flags.boolean({ char: 'y', description: 'Close without asking' }),
  };

  protected override readonly transition = 'close';

  protected override async confirm(ids: readonly number[], flags: Readonly<Record<string, unknown>>) {
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
