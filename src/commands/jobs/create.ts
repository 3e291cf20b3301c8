import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { assertLive } from '../../cli/created-job.ts';
import { optionalArg } from '../../cli/flags/flag-values.ts';
import { unasked } from '../../cli/terminal/ask.ts';
import type { ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { SpendRules } from '../../contract/guardrails.ts';
import type { JobInput } from '../../contract/job.ts';
import { fieldName } from '../../contract/problems.ts';
import type { Listing } from '../../listings/read/listing.ts';
import type { FormFlags } from './form/job-form.ts';
import { jobCard } from './job-card.ts';
import { createOnceFlags, jobFieldFlags, sendFlags } from './job-flags.ts';
import { draftGaps, gapHint } from './job-gaps.ts';
import { asksToPublish, checkedInput, givenListing } from './listing-input.ts';
import { spendRules } from './spending.ts';

export default class JobsCreate extends PartnerCommand {
  static override summary = 'Create a job from questions, from a file, from flags or from both';
  static override description =
    'The job is a draft until it is published; --publish does both at once, or neither. A draft may be any subset of the fields. A flag wins over the file. With neither file nor fields, a terminal is asked: see --interactive.';
  static override examples = [
    'partner jobs create examples/jobs/electrician-austin.json',
    'partner jobs create',
    'partner jobs create examples/jobs/electrician-austin.json --title "Master electrician" --publish',
    'partner jobs create --title "Night nurse" --location "Austin, TX" --bid-cents 1500',
    'cat nurse.json | partner jobs create - --json',
  ];
  static override args = {
    file: optionalArg('A job file; - reads stdin'),
  };
  static override flags = {
    ...jobFieldFlags,
    interactive: Flags.boolean({
      description: 'Ask for each field that is not given, show the listing, and ask what to do with it',
    }),
    resume: Flags.boolean({
      description: 'Continue with the answers that were kept when you left the questions',
    }),
    publish: Flags.boolean({ description: 'Publish at once; where that is refused nothing is created' }),
    ...createOnceFlags,
    ...sendFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsCreate);
    const { interactive, resume, publish, 'idempotency-key': key } = flags;
    const spending = spendRules(flags, this.context.env);
    const listing = await givenListing(args.file, flags, this.streams, 'all');
    if (interactive || resume || (listing === undefined && this.streams.canAsk))
      return this.fromForm(listing, spending, { resume, publish, key });
    if (listing === undefined) throw new PartnerError('INPUT_REQUIRED', NOTHING);
    const isLive = publish || asksToPublish(listing);
    const checking = { as: 'create', draft: !isLive || flags['no-check'], isLive, spending } as const;
    const connection = await this.connect();
    const { input, warnings } = await checkedInput<JobInput>(listing, connection, this.streams, checking);
    await this.note(warnings);
    const sent = { ...input, ...(publish ? { publish: true } : {}) };
    return this.shown(await this.create(sent, key), sent);
  }

  private async fromForm(listing: Listing | undefined, spending: SpendRules, flags: FormFlags) {
    const { streams, context: cli } = this;
    if (!flags.resume && !streams.canAsk)
      throw unasked('What is the job to be?', `${FIELDS} without --interactive`);
    const { createdFromForm } = await import('./form/job-form.ts');
    const context = { streams, cli, spending, connection: await this.connect() };
    const end = await createdFromForm(listing, flags, context, (input, key) => this.create(input, key));
    if ('job' in end) return this.shown(end.job, end.input);
    return { json: null, text: () => end.text, hint: end.hint };
  }

  private shown(job: ServerJob, input: JobInput): Outcome {
    assertLive(job, input);
    return { json: job, text: () => jobCard(job, this.view), hint: nextStep(job) };
  }
}

const FIELDS = 'a job file (`partner jobs create nurse.json`) or fields (`--title "Night nurse"`)';
const NOTHING = { message: 'there is nothing to create a job from', hint: `give ${FIELDS}` };

function nextStep(job: ServerJob): string | undefined {
  if (job.status !== 'DRAFT') return undefined;
  const gaps = draftGaps(job).map(({ path }) => fieldName(path));
  return gaps.length > 0 ? gapHint(job.id, gaps) : `publish it with \`partner jobs publish ${job.id}\``;
}
