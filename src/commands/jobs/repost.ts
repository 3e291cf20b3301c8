import type { Outcome } from '../../cli/base-command.ts';
import { describeCreate } from '../../cli/confirmation.ts';
import { jobIdArg, switchFlag, yesFlag } from '../../cli/flags/flag-values.ts';
import { readBudgets, toJobInput } from '../../cli/job-input.ts';
import { jobCard } from './job-card.ts';
import { assertRepublishable } from './job-checks.ts';
import { createOnceFlags, noCheckFlag } from './job-flags.ts';
import { assertLive, CreateCommand } from './sent-job.ts';

export default class JobsRepost extends CreateCommand {
  static override summary = 'Copy a closed or expired job to a new draft';
  static override description = "A closed or expired job can't go live again, but its copy can.";
  static override examples = ['partner jobs repost 12', 'partner jobs repost 12 --publish --json'];
  static override args = { id: jobIdArg };
  static override flags = {
    publish: switchFlag('Publish the new job immediately'),
    ...noCheckFlag,
    ...createOnceFlags,
    ...yesFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsRepost);
    const { id } = args;
    const { client } = await this.connect();
    const before = await client.getJob(id);
    if (flags.publish && !flags['no-check']) assertRepublishable(before);
    // A copy without the original's caps could spend without a limit.
    readBudgets(before);
    const input = { ...toJobInput(before), ...(flags.publish ? { publish: true } : {}) };
    if (flags.publish) await this.confirmChange(flags.yes, () => describeCreate(input));
    const job = await this.create(input, flags['idempotency-key']);
    assertLive(job, input);
    return {
      json: job,
      text: () => jobCard(job, this.view),
      hint: `job ${job.id} is a copy of job ${id}`,
    };
  }
}
