import { type Outcome, PartnerCommand } from '../cli/base-command.ts';
import { VERSION } from '../package.ts';

export default class Version extends PartnerCommand {
  static override summary = 'Show the version of partner, of Node and of the system';
  static override description =
    'The licences of all that is bundled stand in THIRD-PARTY-LICENSES, in the folder that partner is installed in.';
  static override examples = ['partner version', 'partner version --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(Version);
    const system = {
      version: VERSION,
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
    };
    return {
      json: system,
      text: () => `partner ${system.version} · Node ${system.node} · ${system.platform}\n`,
    };
  }
}
