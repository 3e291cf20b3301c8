import { hostname } from 'node:os';
import { join } from 'node:path';
import { lockWaitText } from '../../bulk/state/lock.ts';
import { moveState } from '../../bulk/state/move-state.ts';
import { locateState, openStateStore } from '../../bulk/state/state-store.ts';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { createRequiredArg, stateFlags, statePathArg } from '../../cli/flags/flag-values.ts';
import { readStateSettings } from '../../cli/settings/target.ts';
import { shellWord, successText } from '../../cli/terminal/view.ts';
import { formatCount } from '../../contract/words.ts';
import { withoutPassword } from '../../text/outside-text.ts';

export default class StateMove extends PartnerCommand {
  static override summary = 'Move a state to a file, a git branch or PostgreSQL';
  static override description =
    "Locks both locations and converts the paths of the listings. The old state is removed after the new one is verified. Fails if the new location has another state, or if the last apply didn't finish.";
  static override examples = [
    'partner state move git:partner-state jobs',
    'partner state move states/production.json jobs',
  ];
  static override args = {
    to: createRequiredArg('New location: a file, git:BRANCH or postgres://… URL'),
    ...statePathArg,
  };
  static override flags = stateFlags;

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(StateMove);
    const { clock, interrupted, env } = this.context;
    const given = readStateSettings(flags.state, env);
    const from = openStateStore(await locateState(args.path, given));
    const place = await locateState(args.path, { ...given, stateFlag: args.to });
    const open = () => openStateStore(place);
    const to = open();
    const command = withoutPassword(['partner state move', ...this.argv.map(shellWord)].join(' '));
    const self = { pid: process.pid, host: hostname(), since: new Date(clock()).toISOString(), command };
    const onLockWait = (waitMs: number) => void this.note(lockWaitText(waitMs));
    const moved = await moveState(from, open, self, { interrupted, onLockWait });
    const said = `Moved ${formatCount(moved.listings, 'listing')} from ${moved.from} to ${moved.to}`;
    const next =
      to.name === join(to.base, '.partner', 'state.json')
        ? 'unset PARTNER_STATE. `partner jobs apply` finds this file by default'
        : `set PARTNER_STATE=${shellWord(withoutPassword(args.to))} where you run \`partner jobs apply\``;
    const committed = `if ${moved.from} was committed, commit its removal`;
    return {
      json: moved,
      text: () => successText(said, this.view),
      hint: from.isShared ? next : [next, committed],
    };
  }
}
