import { type Outcome, PartnerCommand } from '../cli/base-command.ts';
import { VERSION } from '../package.ts';

export default class Version extends PartnerCommand {
  static override summary = 'Show the versions of partner, Node.js and the system';
  static override description =
    'Licenses of bundled software are in THIRD-PARTY-LICENSES in the installation directory.';
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
