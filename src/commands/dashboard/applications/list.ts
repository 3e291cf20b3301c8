import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { choiceFlag, companyFlag, jobIdFlag, listFlags, numberFlag } from '../../../cli/flags/flag-values.ts';
import { sortItems, table } from '../../../cli/terminal/table.ts';
import { APPLICATION_STATUSES, LIST_LIMIT_DEFAULT } from '../../../contract/values.ts';
import { APPLICATION_COLUMNS } from './application-view.ts';

export default class ApplicationsList extends EngineCommand {
  static override summary = 'List applications on the bundled engine, newest first';
  static override description =
    "Shows each application with its cost, like the dashboard. --job marks the job's applications as seen, so its newApplicantCount becomes 0. --json includes the answers.";
  static override examples = [
    'partner dashboard applications list',
    'partner dashboard applications list --job 12 --status pending',
    "partner dashboard applications list --limit 500 --json | jq -r '.items[].email'",
  ];
  static override flags = {
    job: jobIdFlag({ description: 'Filter by job (marks its applications as seen)' }),
    status: choiceFlag(APPLICATION_STATUSES)({ description: 'Filter by status' }),
    limit: numberFlag({
      shown: { default: String(LIST_LIMIT_DEFAULT) },
      description: 'Maximum number of applications',
    }),
    ...companyFlag,
    ...listFlags(APPLICATION_COLUMNS),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(ApplicationsList);
    const { operator, companyId } = await this.engine({ access: 'read' });
    const items = await operator.dashboard.applications({
      companyId: await companyId(flags.company),
      jobId: flags.job,
      status: flags.status,
      limit: flags.limit ?? LIST_LIMIT_DEFAULT,
    });
    return {
      json: { items: sortItems(items, flags) },
      text: () => table(APPLICATION_COLUMNS, items, this.view, 'No applications.', flags),
    };
  }
}
