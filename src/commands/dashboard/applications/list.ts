import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { choiceFlag, companyFlag, jobIdFlag, numberFlag } from '../../../cli/flags/flag-values.ts';
import { listFlags } from '../../../cli/flags/list-flags.ts';
import { sorted } from '../../../cli/terminal/column.ts';
import { table } from '../../../cli/terminal/table.ts';
import { APPLICATION_STATUSES, LIST_LIMIT_DEFAULT } from '../../../contract/values.ts';
import { APPLICATION_COLUMNS } from './application-view.ts';

export default class ApplicationsList extends EngineCommand {
  static override summary = 'List applications and what each has cost, newest first, on the bundled engine';
  static override description =
    'This is what people see in the dashboard. --job opens the job as its page does: its newApplicantCount is 0 from then on. --json has the answers too.';
  static override examples = [
    'partner dashboard applications list',
    'partner dashboard applications list --job 12 --status pending',
    "partner dashboard applications list --limit 500 --json | jq -r '.items[].email'",
  ];
  static override flags = {
    job: jobIdFlag({ description: 'Only those of this job, which is opened by that' }),
    status: choiceFlag(APPLICATION_STATUSES)({ description: 'Only those that stand so' }),
    limit: numberFlag({ description: 'At most this many (default 50)' }),
    ...companyFlag,
    ...listFlags(APPLICATION_COLUMNS),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(ApplicationsList);
    const { operator, companyId } = await this.engine();
    const items = await operator.dashboard.applications({
      companyId: await companyId(flags.company),
      jobId: flags.job,
      status: flags.status,
      limit: flags.limit ?? LIST_LIMIT_DEFAULT,
    });
    return {
      json: { items: sorted(items, flags) },
      text: () => table(APPLICATION_COLUMNS, items, this.view, 'No applications.', flags),
    };
  }
}
