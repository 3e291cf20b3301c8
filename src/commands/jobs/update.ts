import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { capWarnings } from '../../cli/caps.ts';
import { jobIdArg, optionalArg } from '../../cli/flags/flag-values.ts';
import { unasked } from '../../cli/terminal/ask.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { SpendRules } from '../../contract/guardrails.ts';
import type { JobUpdate } from '../../contract/job.ts';
import type { Listing } from '../../listings/read/listing.ts';
import { jobCard } from './job-card.ts';
import { updatedJob } from './job-edit.ts';
import { jobUpdateFlags, sendFlags } from './job-flags.ts';
import { checkedInput, givenListing } from './listing-input.ts';
import { assertAllowed, spendRules } from './spending.ts';

export default class JobsUpdate extends PartnerCommand {
  static override summary = 'Change fields of a job';
  static override description =
    'Only what is given is sent. Locations, qualifications, questions and budgets are replaced as a whole. A live job must stay complete.';
  static override examples = [
    'partner jobs update 12 --title "Senior nurse" --bid-cents 2000',
    'partner jobs update 12 changes.json --clear atsJobUrl',
    'partner jobs update 12 --interactive',
  ];
  static override args = {
    id: jobIdArg,
    file: optionalArg('A file with the fields to change; - reads stdin'),
  };
  static override flags = {
    ...jobUpdateFlags,
    interactive: Flags.boolean({
      description: 'Choose the fields to change, and be asked for each with its current value filled in',
    }),
    ...sendFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsUpdate);
    const spending = spendRules(flags, this.context.env);
    const { id } = args;
    const listing = await givenListing(args.file, flags, this.streams, 'places');
    if (listing === undefined && !flags.interactive) throw new PartnerError('INPUT_REQUIRED', nothing(id));
    const given = async (): Promise<JobUpdate> =>
      listing === undefined ? {} : this.checked(listing, spending);
    const input = flags.interactive ? await this.asked(id, given, spending) : await given();
    if (input === undefined || (flags.interactive && Object.keys(input).length === 0))
      return { json: null, text: () => '', hint: 'nothing was changed, and nothing was sent' };
    assertAllowed(input, spending);
    const { client } = await this.connect();
    // The form has read the job and sends nothing that leaves gaps.
    const isChecked = !flags['no-check'] && !flags.interactive;
    const job = await updatedJob(id, input, client, isChecked);
    await this.warnUnlessAsSent(input, job);
    const touchesCaps = input.budgets !== undefined || input.bidPerQualifiedApplicantCents !== undefined;
    return {
      json: job,
      text: () => jobCard(job, this.view),
      hint: touchesCaps ? capWarnings(job) : undefined,
    };
  }

  private async checked(listing: Listing, spending: SpendRules): Promise<JobUpdate> {
    const checking = { as: 'update', draft: true, spending } as const;
    const { input, warnings } = await checkedInput<JobUpdate>(
      listing,
      await this.connect(),
      this.streams,
      checking,
    );
    await this.note(warnings);
    return input;
  }

  private async asked(id: number, given: () => Promise<JobUpdate>, spending: SpendRules) {
    const { streams, context: cli } = this;
    const fields = `fields (\`partner jobs update ${id} --title "Night nurse"\`) or a file without --interactive`;
    if (!streams.canAsk) throw unasked('What shall change?', fields);
    const { changesAsked } = await import('./form/change-form.ts');
    return changesAsked(id, given, { streams, cli, spending, connection: await this.connect() });
  }
}

const nothing = (id: number) => ({
  message: 'there is nothing to change',
  hint: `give fields (\`partner jobs update ${id} --title "Night nurse"\`), a file, or --clear FIELD`,
});
