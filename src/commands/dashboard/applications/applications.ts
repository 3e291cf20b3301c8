import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import {
  choiceFlag,
  companyFlag,
  idIn,
  jobIdFlag,
  numberFlag,
  requiredArg,
  textFlag,
} from '../../../cli/flags/flag-values.ts';
import { listFlags } from '../../../cli/flags/list-flags.ts';
import { sorted } from '../../../cli/terminal/column.ts';
import { table } from '../../../cli/terminal/table.ts';
import { APPLICATION_STATUSES, LIST_LIMIT_DEFAULT } from '../../../contract/values.ts';
import { saveFiles } from './application-files.ts';
import { APPLICATION_COLUMNS, applicationCard } from './application-view.ts';

export class ApplicationsList extends EngineCommand {
  static override summary = 'List applications and what each has cost, newest first, on the bundled engine';
  static override description =
    "Shows the same applications as the dashboard. --job marks the job's applications as seen: its newApplicantCount becomes 0. --json includes the answers.";
  static override examples = [
    'partner dashboard applications list',
    'partner dashboard applications list --job 12 --status pending',
    "partner dashboard applications list --limit 500 --json | jq -r '.items[].email'",
  ];
  static override flags = {
    job: jobIdFlag({ description: 'Only applications to this job (marks them as seen)' }),
    status: choiceFlag(APPLICATION_STATUSES)({ description: 'Only applications with this status' }),
    limit: numberFlag({ description: 'Maximum number of applications (default 50)' }),
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
      json: { items: sorted(items, flags) },
      text: () => table(APPLICATION_COLUMNS, items, this.view, 'No applications.', flags),
    };
  }
}

export class ApplicationsShow extends EngineCommand {
  static override summary =
    'Show an application with its answers, and save its resume, on the bundled engine';
  static override description =
    "Shows the answers, the qualifications that are met and the cost, as the dashboard does. --save-files saves the resume and uploaded files under generated names (application-41-resume.pdf) and never replaces a file. The job's newApplicantCount doesn't change.";
  static override examples = [
    'partner dashboard applications show 41',
    'partner dashboard applications show 41 --save-files resumes',
    "partner dashboard applications show 41 --json | jq '.answered'",
  ];
  static override args = { id: requiredArg('Application ID') };
  static override flags = {
    'save-files': textFlag('DIR', 'Save the resume and any files in the answers to this directory'),
    ...companyFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(ApplicationsShow);
    const id = idIn(args.id, 'application');
    const { operator, companyId } = await this.engine({ access: 'read' });
    const application = await operator.application(await companyId(flags.company), id);
    const directory = flags['save-files'];
    const files =
      directory === undefined
        ? application.files
        : await saveFiles(application, directory, (fileId) => operator.fileContent(fileId));
    const shown = { ...application, files };
    return { json: shown, text: () => applicationCard(shown, this.view) };
  }
}
