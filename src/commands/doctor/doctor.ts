import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { directories } from '../../cli/settings/directories.ts';
import { type Check, failed, fileChecks, nodeCheck, serverChecks } from './checks.ts';
import { checkLines } from './checks-view.ts';

export default class Doctor extends PartnerCommand {
  static override summary = 'Check Node, the configuration, the files, the key, the server and the clock';
  static override description =
    'Says what to do about each; exits with the code of the first that failed. --remote finds out what a server does where the specification is silent, within two minutes at most, and keeps it in the profile: what is not offered is not asked for again.';
  static override examples = [
    'partner doctor',
    { description: 'Also take the rights of others away', command: 'partner doctor --fix' },
    'partner doctor --profile acme --json',
    'partner doctor --remote --profile acme',
    {
      description: 'Also what only a draft can tell; it stays, as drafts cannot be removed',
      command: 'partner doctor --remote --write --profile acme',
    },
  ];
  static override flags = {
    fix: Flags.boolean({
      description: 'Take away the rights that other users have to the configuration, key, database and files',
    }),
    remote: Flags.boolean({ description: 'Find out what the server does, by reads alone' }),
    write: Flags.boolean({
      dependsOn: ['remote'],
      description: 'And by a draft that is made for it, which cannot be removed and is to be ignored',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(Doctor);
    const { env } = this.context;
    const checks: Check[] = [nodeCheck(process.versions.node), ...fileChecks(env, flags.fix)];
    if (flags.remote) return this.remote(checks, flags.write);
    checks.push(
      ...(await serverChecks(
        () => this.target(),
        (target, onTrace) => this.connectTo(target, onTrace),
        this.context,
      )),
    );
    return this.shown(checks);
  }

  private async remote(checks: Check[], isWriting: boolean): Promise<Outcome> {
    const { assertServer, examinedServer, keptWhere } = await import('./examined-server.ts');
    const { draftNotice, leftDraft } = await import('./write-checks.ts');
    try {
      assertServer(await this.target());
      const connection = await this.connect();
      const { baseUrl } = connection;
      if (isWriting) await this.note(draftNotice(baseUrl));
      const { timeoutMs } = this.callFlags();
      const clocks = this.context;
      const configDirectory = directories(clocks.env).config;
      const examined = await examinedServer(connection, { isWriting, timeoutMs, clocks, configDirectory });
      const { learned, keptIn, drafts, isReached } = examined;
      const notes = [...drafts.map(leftDraft), keptWhere(keptIn)];
      const facts = { baseUrl, learned, keptIn: keptIn ?? null, drafts };
      return {
        ...this.shown([...checks, ...examined.checks], facts),
        hint: isReached ? notes : undefined,
      };
    } catch (error) {
      // What says where calls go, and with which key, is a check like the others; a misused flag is not.
      const line = failed('Server', error);
      if (line.exit === 2 || line.exit === 130) throw error;
      return this.shown([...checks, line]);
    }
  }

  private shown(checks: readonly Check[], more: object = {}): Outcome {
    const items = checks.map(({ exit: _exit, ...item }) => item);
    return {
      json: { items, ...more },
      text: () => checkLines(items, this.view),
      exit: checks.find(({ exit }) => exit !== undefined)?.exit,
    };
  }
}
