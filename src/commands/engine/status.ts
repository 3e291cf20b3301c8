import type { Outcome } from '../../cli/base-command.ts';
import { EngineCommand } from '../../cli/engine-command.ts';
import { clean, details } from '../../cli/terminal/view.ts';
import { formatNumber, statusCounts } from '../../contract/words.ts';

export default class EngineStatus extends EngineCommand {
  static override summary = "Show the engine's database and its contents";
  static override examples = ['partner engine status', 'partner engine status --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(EngineStatus);
    const { operator } = await this.engine({ access: 'read' });
    const status = await operator.status();
    const rows = [
      ['Database', `${clean(status.databasePath)}${status.schemaVersion === 0 ? ' (not created yet)' : ''}`],
      ['Schema', status.schemaVersion === 0 ? 'none' : String(status.schemaVersion)],
      ['Size', sizeText(status.databaseBytes)],
      ['Companies', formatNumber(status.companies)],
      ['Keys', formatNumber(status.keys)],
      ['Jobs', statusCounts(status.jobs)],
      ['Applications', formatNumber(status.applications)],
      ['Files', `${formatNumber(status.files)} · ${sizeText(status.fileBytes)}`],
    ] as const;
    return { json: status, text: () => details(rows, this.view) };
  }
}

function sizeText(bytes: number): string {
  return `${formatNumber(Math.ceil(bytes / 1024))} KiB`;
}
