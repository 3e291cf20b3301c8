import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { capWarnings } from '../../actions/caps.ts';
import { gapHint } from '../../actions/job-gaps.ts';
import { checkedCreate, listingGiven } from '../../actions/listing-input.ts';
import { hintOf, type Outcome, PartnerCommand } from '../../base-command.ts';
import { jobFieldFlags } from '../../command-line/job-flags.ts';
import { gapFields } from '../../ui/views/gaps.ts';
import { jobCard } from '../../ui/views/job-card.ts';

export default class JobsCreate extends PartnerCommand {
  static override summary = 'Create a job from a file, from flags or from both';
  static override description =
    'The job is a draft until it is published; --publish does both at once, or neither. A draft may be any subset of the fields. A flag wins over the file.';
  static override examples = [
    'partner jobs create examples/jobs/electrician-austin.json',
    'partner jobs create examples/jobs/electrician-austin.json --title "Master electrician" --publish',
    'partner jobs create --title "Night nurse" --location "Austin, TX" --bid-cents 1500',
    'cat nurse.json | partner jobs create - --json',
  ];
  static override args = {
    file: Args.string({ ignoreStdin: true, description: 'A job file; - reads stdin' }),
  };
  static override flags = {
    ...jobFieldFlags,
    publish: Flags.boolean({ description: 'Publish at once; where that is refused nothing is created' }),
    'idempotency-key': Flags.string({
      helpValue: 'KEY',
      description: 'Create once under this key, however often it is sent (where the server honours it)',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsCreate);
    const listing = await listingGiven(args.file, flags, this.streams, {
      message: 'there is nothing to create a job from',
      hint: 'give a job file (`partner jobs create nurse.json`) or fields (`--title "Night nurse"`)',
    });
    const connection = await this.connect();
    const { input, warnings } = await checkedCreate(listing, flags.publish, connection);
    for (const { field, message } of warnings) await this.note(`warning: ${field}: ${message}`);
    const job = await this.create(
      { ...input, ...(flags.publish ? { publish: true } : {}) },
      flags['idempotency-key'],
    );
    return {
      json: job,
      text: () => jobCard(job, this.view),
      hint: hintOf([
        ...capWarnings(job),
        ...(job.status === 'DRAFT' ? [nextStep(job.id, gapFields(job))] : []),
      ]),
    };
  }
}

function nextStep(id: number, gaps: readonly string[]): string {
  return gaps.length > 0 ? gapHint(id, gaps) : `publish it with \`partner jobs publish ${id}\``;
}
