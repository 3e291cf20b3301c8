import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { assertLive } from '../../cli/created-job.ts';
import { jobIdArg } from '../../cli/flags/flag-values.ts';
import { jobInputOf, standingBudgets } from '../../cli/job-input.ts';
import { jobCard } from './job-card.ts';
import { createOnceFlags, noCheckFlag } from './job-flags.ts';
import { assertRepublishable } from './job-gaps.ts';

export class JobsGet extends PartnerCommand {
  static override summary = 'Show a job';
  static override examples = ['partner jobs get 12', "partner jobs get 12 --json | jq '.status'"];
  static override args = { id: jobIdArg };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(JobsGet);
    const { client } = await this.connect({ access: 'read' });
    const job = await client.getJob(args.id);
    return { json: job, text: () => jobCard(job, this.view) };
  }
}

export class JobsRepost extends PartnerCommand {
  static override summary = 'Make a new job from the content of another';
  static override description = 'For a job that is CLOSED or EXPIRED: neither can go live again.';
  static override examples = ['partner jobs repost 12', 'partner jobs repost 12 --publish --json'];
  static override args = { id: jobIdArg };
  static override flags = {
    publish: Flags.boolean({ description: 'Publish the new job at once' }),
    ...noCheckFlag,
    ...createOnceFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsRepost);
    const { id } = args;
    const { client } = await this.connect();
    const before = await client.getJob(id);
    if (flags.publish && !flags['no-check']) assertRepublishable(before);
    // A copy without the caps of its original could spend without a limit.
    standingBudgets(before);
    const input = { ...jobInputOf(before), ...(flags.publish ? { publish: true } : {}) };
    const job = await this.create(input, flags['idempotency-key']);
    assertLive(job, input);
    return {
      json: job,
      text: () => jobCard(job, this.view),
      hint: `job ${job.id} has the content of job ${id}`,
    };
  }
}
