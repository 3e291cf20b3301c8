import type { PartnerClient } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { noCheckFlag } from './job-flags.ts';
import { assertPublishable, gapHint } from './job-gaps.ts';
import { type Moved, type MoveFlags, TransitionCommand } from './transition-command.ts';

export default class JobsPublish extends TransitionCommand {
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
  protected override readonly reaches = 'ACTIVE';

  protected override async moved(client: PartnerClient, id: number, flags: MoveFlags): Promise<Moved> {
    if (!flags['no-check']) {
      const job = await client.getJob(id);
      if (flags.ensure && job.status === this.reaches) return { job, wasThere: true };
      assertPublishable(job);
    }
    try {
      return await super.moved(client, id, flags);
    } catch (error) {
      if (!(error instanceof PartnerError) || error.code !== 'VALIDATION_FAILED') throw error;
      throw error.withHint(gapHint(id, Object.keys(error.fields ?? {})));
    }
  }
}
