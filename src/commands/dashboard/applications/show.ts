import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { companyFlag, idIn, requiredArg, textFlag } from '../../../cli/flags/flag-values.ts';
import { saveFiles } from './application-files.ts';
import { applicationCard } from './application-view.ts';

export default class ApplicationsShow extends EngineCommand {
  static override summary =
    'Show an application with its answers, and save its resume, on the bundled engine';
  static override description =
    "What people see in the dashboard: the answers, which qualifications are met, what it has cost. --save-files puts the resume and the files among the answers into a directory, under names of our own (application-41-resume.pdf); a file that is there already is never replaced. The job's newApplicantCount stays as it is.";
  static override examples = [
    'partner dashboard applications show 41',
    'partner dashboard applications show 41 --save-files resumes',
    "partner dashboard applications show 41 --json | jq '.answered'",
  ];
  static override args = {
    id: requiredArg('Application ID'),
  };
  static override flags = {
    'save-files': textFlag('DIR', 'Save the resume and any files in the answers to this directory'),
    ...companyFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(ApplicationsShow);
    const id = idIn(args.id, 'application');
    const { operator, companyId } = await this.engine();
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
