import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { yesFlag } from '../../cli/flags/flag-values.ts';
import { formatCount } from '../../contract/words.ts';

export default class EngineReset extends EngineCommand {
  static override summary = 'Delete all data of the bundled engine';
  static override description =
    "Deletes companies, keys, jobs, applications, files, charges and terms, and resets the engine's time.";
  static override examples = ['partner engine reset --yes'];
  static override flags = yesFlag;

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(EngineReset);
    const { operator } = await this.engine();
    const { databasePath, jobs } = await operator.status();
    const count = Object.values(jobs).reduce((sum, ofOneState) => sum + ofOneState, 0);
    const question = `Delete every company, key, application and charge, and ${formatCount(count, 'job')}, in ${databasePath}?`;
    if (!flags.yes) await this.mustConfirm(question, '--yes');
    await operator.reset();
    return { json: { reset: true, databasePath }, text: () => `Deleted all data in ${databasePath}\n` };
  }
}
