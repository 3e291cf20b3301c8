import { type Check, configCheck, nodeCheck, serverChecks } from '../actions/checks.ts';
import { type Outcome, PartnerCommand } from '../base-command.ts';
import { checkLines } from '../ui/views/checks.ts';

export default class Doctor extends PartnerCommand {
  static override summary = 'Check Node, the configuration, the key, the server and the clock';
  static override description = 'Says what to do about each; exits with the code of the first that failed.';
  static override examples = ['partner doctor', 'partner doctor --profile acme --json'];

  protected override async perform(): Promise<Outcome> {
    await this.parse(Doctor);
    const { env, clock } = this.surroundings;
    const checks: Check[] = [
      nodeCheck(process.versions.node),
      ...configCheck(env),
      ...(await serverChecks(
        () => this.target(),
        (target, onTrace) => this.connectTo(target, onTrace),
        clock,
      )),
    ];
    const items = checks.map(({ exit: _exit, ...item }) => item);
    return {
      json: { items },
      text: () => checkLines(items, this.view),
      exit: checks.find(({ exit }) => exit !== undefined)?.exit,
    };
  }
}
