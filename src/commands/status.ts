import { type Outcome, PartnerCommand } from '../cli/base-command.ts';
import { UNLISTED } from './jobs/listed-jobs.ts';
import { loadMorning, renderMorning } from './jobs/morning.ts';

export default class Status extends PartnerCommand {
  static override summary = "Show today's jobs, applicants, spending and tasks";
  static override description =
    "Shows drafts, jobs that aren't live (with the reason), jobs that expire within five days, and new applicants. Each entry includes the next command. Expired jobs are shown for five days. New applicants are those received since the job was last opened in the dashboard. Spending, the employer terms and the payment card are only available with the bundled engine.";
  static override examples = ['partner status', "partner status --json | jq '.notLive[].next'"];

  protected override async perform(): Promise<Outcome> {
    await this.parse(Status);
    const morning = await loadMorning(await this.connect({ access: 'read' }));
    if (!morning.complete) await this.note(UNLISTED);
    return { json: morning, text: () => renderMorning(morning, this.view) };
  }
}
