import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';

<<<<<<< HEAD

import { jobId } from '../../cli/flags/flag-values.ts';

=======

import { jobId, jobIdArg } from '../../cli/flags/job-id.ts';

>>>>>>> d12ac35 (Shorter sign-in, lists and applications)

import { jobCard } from './job-card.ts';

export default class JobsGet extends PartnerCommand {
  static override summary = 'Show a job';
  static override examples = ['partner jobs get 12', "partner jobs get 12 --json | jq '.status'"];
  static override args = { id: jobIdArg };

  protected override async perform(): Promise<Outcome> {
    const { args } = await this.parse(JobsGet);
    const id = jobId(args.id);
    const { client } = await this.connect();
    const job = await client.getJob(id);
    return { json: job, text: () => jobCard(job, this.view) };
  }
}
