import type { Outcome } from '../../../cli/base-command.ts';
import { EngineCommand } from '../../../cli/engine-command.ts';
import { companyFlag, createRequiredArg, parseId, textFlag } from '../../../cli/flags/flag-values.ts';
import { saveFiles } from './application-files.ts';
import { applicationCard } from './application-view.ts';

export default class ApplicationsShow extends EngineCommand {
  static override summary = 'Show an application on the bundled engine';
  static override description =
    "Shows the answers, the met qualifications and the cost, like the dashboard. --save-files saves the resume and uploaded files under generated names (application-41-resume.pdf) and never replaces a file. The job's newApplicantCount doesn't change.";
  static override examples = [
    'partner dashboard applications show 41',
    'partner dashboard applications show 41 --save-files resumes',
    "partner dashboard applications show 41 --json | jq '.answered'",
  ];
  static override args = { id: createRequiredArg('Application ID') };
  static override flags = {
    'save-files': textFlag('DIR', 'Directory to save the resume and uploaded files to'),
    ...companyFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(ApplicationsShow);
    const id = parseId(args.id, 'application');
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
