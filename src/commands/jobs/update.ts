import type { Outcome } from '../../cli/base-command.ts';
import { describeRaisedJob } from '../../cli/confirmation.ts';
import { jobIdArg, optionalArg, repeatableFlag, switchFlag } from '../../cli/flags/flag-values.ts';
import { createInputError } from '../../cli/terminal/ask.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobUpdate } from '../../contract/job.ts';
import type { SpendRules } from '../../listings/check/guardrails.ts';
import type { Listing } from '../../listings/read/listing.ts';
import { assertAllowed, spendRules } from './job-checks.ts';
import { jobFieldFlags, sendFlags } from './job-flags.ts';
import { checkInput, readListingInput } from './listing-input.ts';
import { previewUpdate, UpdateCommand } from './sent-job.ts';

export default class JobsUpdate extends UpdateCommand {
  static override summary = 'Update a job';
  static override description =
    'Sends only the fields you specify. Locations, qualifications, questions and budgets are replaced, not merged. A live job must stay complete.';
  static override examples = [
    'partner jobs update 12 --title "Senior nurse" --bid 20',
    'partner jobs update 12 changes.json --clear atsJobUrl',
    'partner jobs update 12 --interactive',
  ];
  static override args = {
    id: jobIdArg,
    file: optionalArg('File with the fields to change (- reads stdin)'),
  };
  static override flags = {
    ...jobFieldFlags,
    clear: repeatableFlag('FIELD', 'Field to set to null or an empty list'),
    interactive: switchFlag('Choose fields and edit their current values'),
    ...sendFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsUpdate);
    const spending = spendRules(flags, this.context.env);
    const { id } = args;
    const listing = await readListingInput(args.file, flags, this.streams, 'places');
    if (listing === undefined && !flags.interactive) throw new PartnerError('INPUT_REQUIRED', nothing(id));
    const readChanges = async (): Promise<JobUpdate> =>
      listing === undefined ? {} : this.checkUpdate(listing, spending);
    const input = flags.interactive ? await this.askChanges(id, readChanges, spending) : await readChanges();
    if (input === undefined || (flags.interactive && Object.keys(input).length === 0))
      return { json: null, text: () => '', hint: 'nothing was changed or sent' };
    assertAllowed(input, spending);
    const { client } = await this.connect();
    if (flags['dry-run']) return previewUpdate(await client.getJob(id), input);
    await this.confirmChange(flags.yes, async () => describeRaisedJob(await client.getJob(id), input));
    // The form already prevents updates that would leave a live job incomplete.
    const isChecked = !flags['no-check'] && !flags.interactive;
    return this.update(id, input, isChecked);
  }

  private async checkUpdate(listing: Listing, spending: SpendRules): Promise<JobUpdate> {
    const checking = { as: 'update', draft: true, spending } as const;
    const connection = await this.connect();
    const { input, warnings } = await checkInput<JobUpdate>(listing, connection, this.streams, checking);
    await this.note(warnings);
    return input;
  }

  private async askChanges(id: number, given: () => Promise<JobUpdate>, spending: SpendRules) {
    const { streams, context: cli } = this;
    const fields = `fields (\`partner jobs update ${id} --title "Night nurse"\`) or a file without --interactive`;
    if (!streams.canAsk) throw createInputError('What do you want to change?', fields);
    const { changesAsked } = await import('./form/change-form.ts');
    return changesAsked(id, given, { streams, cli, spending, connection: await this.connect() });
  }
}

const nothing = (id: number) => ({
  message: 'nothing to change',
  hint: `pass fields (\`partner jobs update ${id} --title "Night nurse"\`), a file, or --clear FIELD`,
});
