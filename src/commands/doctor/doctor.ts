import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { engineDatabase } from '../../cli/connection/engine-database.ts';
import { directories } from '../../cli/settings/directories.ts';
import { stoppedOffering } from '../../cli/settings/profiles.ts';
import { type Check, checkLines, failedCheck, nodeCheck, serverChecks } from './checks.ts';
import { fileChecks } from './permissions.ts';

export default class Doctor extends PartnerCommand {
  static override summary = 'Check Node, the configuration, the files, the key, the server and the clock';
  static override description =
    'Says what to do about each; exits with the code of the first that failed. --remote finds out what a server does where the specification is silent, within two minutes at most, and keeps it in the profile: what is not offered is not asked for again.';
  static override examples = [
    'partner doctor',
    { description: 'Also take away the access of other users', command: 'partner doctor --fix' },
    'partner doctor --profile acme --json',
    'partner doctor --remote --profile acme',
    {
      description: 'Also make a draft to find out more; it stays',
      command: 'partner doctor --remote --write --profile acme',
    },
  ];
  static override flags = {
    fix: Flags.boolean({
      description: 'Take away the access of other users to the configuration, key, database and files',
    }),
    remote: Flags.boolean({ description: 'Find out what the server does, with reads only' }),
    write: Flags.boolean({
      dependsOn: ['remote'],
      description: 'Also make a draft to find out more; it cannot be removed, ignore it',
    }),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(Doctor);
    const { env } = this.context;
    const checks: Check[] = [nodeCheck(process.versions.node), ...(await fileChecks(env, flags.fix))];
    if (flags.remote) return this.remote(checks, flags.write);
    checks.push(
      ...(await serverChecks(
        () => this.target(),
        async () => (await engineDatabase(this.context, undefined)).schemaFound(),
        (target, onTrace) => this.connectTo(target, onTrace),
        this.context,
      )),
    );
    return this.shown(checks);
  }

  private async remote(checks: Check[], isWriting: boolean): Promise<Outcome> {
    const { assertServer, Examination, keptInNote } = await import('./examination.ts');
    const { readChecks } = await import('./read-checks.ts');
    const { draftNotice, leftDraftNote, writeChecks } = await import('./write-checks.ts');
    try {
      const target = assertServer(await this.target());
      const { probe, baseUrl } = await this.connect();
      if (isWriting) await this.note(draftNotice(baseUrl));
      const on = new Examination(target, this.context, probe, this.callFlags().timeoutMs, isWriting);
      const isReached = await readChecks(on);
      const drafts = isReached && isWriting ? await writeChecks(on) : [];
      if (isReached) await on.look('Latency', () => on.latency());
      const keptIn = isReached ? await on.keep(directories(this.context.env).config) : undefined;
      const { learned } = on;
      if (keptIn !== undefined) await this.note(stoppedOffering(target.traits, on.traits));
      return {
        ...this.shown([...checks, ...on.checks], { baseUrl, learned, keptIn: keptIn ?? null, drafts }),
        hint: isReached ? [...drafts.map(leftDraftNote), keptInNote(keptIn)] : undefined,
      };
    } catch (error) {
      // What says where calls go, and with which key, is a check like the others; a misused flag is not.
      const line = failedCheck('Server', error);
      if (line.exit === 2 || line.exit === 130) throw error;
      return this.shown([...checks, line]);
    }
  }

  private shown(checks: readonly Check[], more: object = {}): Outcome {
    const items = checks.map(({ name, exit, ...look }) => ({ name, ok: exit === undefined, ...look }));
    return {
      json: { items, ...more },
      text: () => checkLines(checks, this.view),
      exit: checks.find(({ exit }) => exit !== undefined)?.exit,
    };
  }
}
