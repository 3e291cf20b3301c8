import type { Outcome } from '../../cli/base-command.ts';
import { describeCreate } from '../../cli/confirmation.ts';
import { inGroup, optionalArg, switchFlag } from '../../cli/flags/flag-values.ts';
import { createInputError } from '../../cli/terminal/ask.ts';
import type { ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobInput } from '../../contract/job.ts';
import { fieldName } from '../../contract/problems.ts';
import type { SpendRules } from '../../listings/check/guardrails.ts';
import type { Listing } from '../../listings/read/listing.ts';
import type { FormFlags } from './form/job-form.ts';
import { jobCard } from './job-card.ts';
import { gapHint, listGaps, spendRules } from './job-checks.ts';
import { createOnceFlags, jobFieldFlags, sendFlags } from './job-flags.ts';
import { checkInput, readListingInput } from './listing-input.ts';
import { assertLive, CreateCommand } from './sent-job.ts';

export default class JobsCreate extends CreateCommand {
  static override summary = 'Create a job from a file, flags or a form';
  static override description =
    'Creates a draft with any subset of the fields. --publish also publishes the job. If publishing is refused, nothing is created. Flags override the file. If you specify no file or fields on a terminal, a form opens, as with --interactive.';
  static override examples = [
    'partner jobs create examples/jobs/electrician-austin.json',
    'partner jobs create',
    'partner jobs create examples/jobs/electrician-austin.json --title "Master electrician" --publish',
    'partner jobs create --title "Night nurse" --location "Austin, TX" --bid-cents 1500',
    'cat nurse.json | partner jobs create - --json',
  ];
  static override args = {
    file: optionalArg('Job file with one listing (- reads stdin)'),
  };
  static override flags = {
    ...jobFieldFlags,
    interactive: switchFlag('Prompt for missing fields and show the listing for review'),
    resume: switchFlag('Continue an interrupted form with the saved answers'),
    publish: switchFlag('Publish immediately (nothing is created if publishing fails)'),
    ...inGroup('ADVANCED', createOnceFlags),
    ...sendFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsCreate);
    const { interactive, resume, publish, 'idempotency-key': key } = flags;
    const spending = spendRules(flags, this.context.env);
    const listing = await readListingInput(args.file, flags, this.streams, 'all');
    if (interactive || resume || (listing === undefined && this.streams.canAsk))
      return this.fromForm(listing, spending, { resume, publish, key });
    if (listing === undefined) throw new PartnerError('INPUT_REQUIRED', NOTHING);
    const isLive = publish || (listing.value as JobInput | null)?.publish === true;
    const checking = { as: 'create', draft: !isLive || flags['no-check'], isLive, spending } as const;
    const connection = await this.connect();
    const { input, warnings } = await checkInput<JobInput>(listing, connection, this.streams, checking);
    await this.note(warnings);
    const sent = { ...input, ...(publish ? { publish: true } : {}) };
    const would = describeCreate(sent);
    if (flags['dry-run'])
      return { json: { dryRun: true, would, input: sent }, text: () => `Would ${would}\n` };
    if (isLive) await this.confirmChange(flags.yes, () => would);
    return this.buildOutcome(await this.create(sent, key), sent);
  }

  private async fromForm(listing: Listing | undefined, spending: SpendRules, flags: FormFlags) {
    const { streams, context: cli } = this;
    if (!flags.resume && !streams.canAsk)
      throw createInputError('Job details', `${FIELDS} without --interactive`);
    const { createFromForm } = await import('./form/job-form.ts');
    const context = { streams, cli, spending, connection: await this.connect() };
    const end = await createFromForm(listing, flags, context, (input, key) => this.create(input, key));
    if ('job' in end) return this.buildOutcome(end.job, end.input);
    return { json: null, text: () => end.text, hint: end.hint };
  }

  private buildOutcome(job: ServerJob, input: JobInput): Outcome {
    assertLive(job, input);
    return { json: job, text: () => jobCard(job, this.view), hint: nextStep(job) };
  }
}

const FIELDS = 'a job file (`partner jobs create nurse.json`) or fields (`--title "Night nurse"`)';
const NOTHING = { message: "can't create a job: no file or fields specified", hint: `pass ${FIELDS}` };

function nextStep(job: ServerJob): string | undefined {
  if (job.status !== 'DRAFT') return undefined;
  const gaps = listGaps(job).map(({ path }) => fieldName(path));
  return gaps.length > 0 ? gapHint(job.id, gaps) : `publish it with \`partner jobs publish ${job.id}\``;
}
