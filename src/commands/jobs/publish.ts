import { gapHint } from '../../actions/job-gaps.ts';
import type { PartnerClient } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { type Moved, TransitionCommand } from '../../transition-command.ts';

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

  protected override readonly transition = 'publish';
  protected override readonly reaches = 'ACTIVE';

  protected override async moved(client: PartnerClient, id: number, ensure: boolean): Promise<Moved> {
    try {
      return await super.moved(client, id, ensure);
    } catch (error) {
      if (!(error instanceof PartnerError) || error.code !== 'VALIDATION_FAILED') throw error;
      throw error.withHint(gapHint(id, Object.keys(error.fields ?? {})));
    }
  }
}
