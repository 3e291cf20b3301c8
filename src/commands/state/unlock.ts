import { holderText, stateLocked } from '../../bulk/state/lock.ts';
import { locateState, openStateStore } from '../../bulk/state/state-store.ts';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { stateFlags, statePathArg, yesFlag } from '../../cli/flags/flag-values.ts';
import { readStateSettings } from '../../cli/settings/target.ts';
import { successText } from '../../cli/terminal/view.ts';

export default class StateUnlock extends PartnerCommand {
  static override summary = 'Remove the lock of a killed run';
  static override description =
    'Removes the lock of a state in a git branch or a database. Fails if a run has renewed the lock since the prompt. The operating system releases the lock of a state file when its process ends.';
  static override examples = ['partner state unlock --state git:partner-state --yes'];
  static override args = statePathArg;
  static override flags = {
    ...stateFlags,
    ...yesFlag,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(StateUnlock);
    const where = await locateState(args.path, readStateSettings(flags.state, this.context.env));
    const store = openStateStore(where);
    const location = store.name;
    const lock = (await store.findLock()) ?? null;
    if (lock === null)
      return { json: { location, unlocked: false, lock }, text: () => `Not locked: ${location}\n` };
    const { holder } = lock;
    const question = `${location} is locked by ${holderText(holder)}. If that run is still active, it will stop. Remove its lock?`;
    if (store.isShared && !flags.yes) await this.mustConfirm(question, '--yes');
    if (!(await store.unlock()))
      throw stateLocked(holder, store.isShared ? ": it renewed the lock, so it's still running" : undefined);
    return {
      json: { location, unlocked: true, lock },
      text: () => successText(`Removed the lock of ${holderText(holder)}`, this.view),
    };
  }
}
