import * as Flags from '@oclif/core/flags';
import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { clean, details } from '../../cli/terminal/view.ts';
import { counted, grouped, statusCounts } from '../../contract/words.ts';

export class EngineStatus extends EngineCommand {
  static override summary = 'Show where the bundled engine keeps its database and what is in it';
  static override examples = ['partner engine status', 'partner engine status --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(EngineStatus);
    const { operator } = await this.engine({ access: 'read' });
    const status = await operator.status();
    const rows = [
      ['Database', `${clean(status.databasePath)}${status.schemaVersion === 0 ? ' (not created yet)' : ''}`],
      ['Schema', status.schemaVersion === 0 ? 'none' : String(status.schemaVersion)],
      ['Size', sizeText(status.databaseBytes)],
      ['Companies', grouped(status.companies)],
      ['Keys', grouped(status.keys)],
      ['Jobs', statusCounts(status.jobs)],
      ['Applications', grouped(status.applications)],
      ['Files', `${grouped(status.files)} · ${sizeText(status.fileBytes)}`],
    ] as const;
    return { json: status, text: () => details(rows, this.view) };
  }
}

function sizeText(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1024))} KiB`;
}

export class EngineReset extends EngineCommand {
  static override summary = 'Empty the bundled engine: every company, key and job';
  static override description =
    "Their applications and files, charges and terms go with them, and the engine's time is this machine's again.";
  static override examples = ['partner engine reset --yes'];
  static override flags = { yes: Flags.boolean({ char: 'y', description: 'Empty it without asking' }) };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(EngineReset);
    const { operator } = await this.engine();
    const { databasePath, jobs } = await operator.status();
    const count = Object.values(jobs).reduce((sum, ofOneState) => sum + ofOneState, 0);
    if (!flags.yes)
      await this.mustConfirm(
        `Delete every company, key, application and charge, and ${counted(count, 'job')}, in ${databasePath}?`,
        '--yes',
      );
    await operator.reset();
    return { json: { reset: true, databasePath }, text: () => `Emptied ${databasePath}\n` };
  }
}
