import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { switchFlag } from '../../cli/flags/flag-values.ts';
import { directories } from '../../cli/settings/directories.ts';
import { describeLostTraits } from '../../cli/settings/profiles.ts';
import { type Check, checkLines, fileChecks, nodeCheck, serverChecks, toFailedCheck } from './checks.ts';

export default class Doctor extends PartnerCommand {
  static override summary = 'Check the configuration, key, server and clock';
  static override description =
    "Prints how to fix each problem, and exits with the code of the first failed check. --remote detects the server's capabilities and stores them in the profile. Detection takes up to two minutes. Later commands skip operations that the server doesn't support.";
  static override examples = [
    'partner doctor',
    { description: "Also remove other users' access", command: 'partner doctor --fix' },
    'partner doctor --profile acme --json',
    'partner doctor --remote --profile acme',
    {
      description: 'Also create a test draft',
      command: 'partner doctor --remote --write --profile acme',
    },
  ];
  static override flags = {
    fix: switchFlag("Remove other users' access to the configuration, key, database and uploads"),
    remote: switchFlag('Detect what the server supports (only reads)'),
    write: switchFlag("Also create a test draft (it can't be deleted)", { dependsOn: ['remote'] }),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(Doctor);
    const { env } = this.context;
    const checks: Check[] = [nodeCheck(process.versions.node), ...(await fileChecks(env, flags.fix))];
    if (flags.remote) return this.remote(checks, flags.write);
    const openTarget: typeof this.openConnection = (target, onTrace) => this.openConnection(target, onTrace);
    const server = await serverChecks(this.context, () => this.target(), openTarget);
    return this.buildOutcome([...checks, ...server]);
  }

  private async remote(checks: Check[], isWriting: boolean): Promise<Outcome> {
    const { assertServer, Examination } = await import('./examination.ts');
    const { describeLeftDraft, draftNotice, readChecks, writeChecks } = await import('./remote-checks.ts');
    try {
      const target = assertServer(await this.target());
      const { probe, baseUrl } = await this.connect();
      if (isWriting) await this.note(draftNotice(baseUrl));
      const on = new Examination(target, this.context, probe, this.callFlags().timeoutMs, isWriting);
      const isReached = await readChecks(on);
      const drafts = isReached && isWriting ? await writeChecks(on) : [];
      if (isReached) await on.look('Latency', () => on.latency());
      const { keptIn, notes } = isReached
        ? await on.keep(directories(this.context.env).config)
        : { notes: [] };
      const { learned } = on;
      if (keptIn !== undefined) await this.note(describeLostTraits(target.traits, on.traits));
      return {
        ...this.buildOutcome([...checks, ...on.checks], { baseUrl, learned, keptIn: keptIn ?? null, drafts }),
        hint: [...drafts.map(describeLeftDraft), ...notes],
      };
    } catch (error) {
      // Reports a wrong target or key as a failed check. Usage errors and Ctrl-C end the command.
      const line = toFailedCheck('Server', error);
      if (line.exit === 2 || line.exit === 130) throw error;
      return this.buildOutcome([...checks, line]);
    }
  }

  private buildOutcome(checks: readonly Check[], more: object = {}): Outcome {
    const items = checks.map(({ name, exit, ...look }) => ({ name, ok: exit === undefined, ...look }));
    return {
      json: { items, ...more },
      text: () => checkLines(checks, this.view),
      exit: checks.find(({ exit }) => exit !== undefined)?.exit,
    };
  }
}
