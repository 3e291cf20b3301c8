import { yesFlag } from '../../cli/flags/flag-values.ts';
import type { PartnerClient } from '../../client/client.ts';
import type { ServerJob } from '../../client/server-job.ts';
import { PartnerError } from '../../contract/errors.ts';
import { MOVES } from '../../contract/lifecycle.ts';
import { assertPublishable, gapHint } from './job-checks.ts';
import { noCheckFlag } from './job-flags.ts';
import { type Moved, type MoveFlags, TransitionCommand } from './job-moves.ts';

export default class JobsPublish extends TransitionCommand {
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

  static override flags = { ...TransitionCommand.flags, ...noCheckFlag, ...yesFlag };

  protected override readonly transition = 'publish';

  protected override assertReady(job: ServerJob, flags: MoveFlags): void {
    if (!flags['no-check']) assertPublishable(job);
  }

  protected override async moveJob(client: PartnerClient, id: number, flags: MoveFlags): Promise<Moved> {
    if (!flags['no-check']) {
      const job = await client.getJob(id);
      if (flags.ensure && job.status === MOVES.publish.to) return { id, job, wasThere: true };
      this.assertReady(job, flags);
    }
    return super.moveJob(client, id, flags).catch((error: unknown) => {
      if (!(error instanceof PartnerError) || error.code !== 'VALIDATION_FAILED') throw error;
      throw error.with({ hint: gapHint(id, Object.keys(error.fields ?? {})) });
    });
  }
}
