import { locateState, openStateStore, summarizeState } from '../../bulk/state/state-store.ts';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { stateFlags, statePathArg } from '../../cli/flags/flag-values.ts';
import { readStateSettings } from '../../cli/settings/target.ts';
import { clean, details } from '../../cli/terminal/view.ts';
import { STATE_COLUMNS } from './list.ts';

export default class StateShow extends PartnerCommand {
  static override summary = 'Show a state and its lock';
  static override examples = ['partner state show jobs', 'partner state show --state git:partner-state'];
  static override args = statePathArg;
  static override flags = stateFlags;

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(StateShow);
    const where = await locateState(args.path, readStateSettings(flags.state, this.context.env));
    const state = await summarizeState(openStateStore(where));
    const rows = STATE_COLUMNS.map(({ title, text }) => {
      const name = title.charAt(0) + title.slice(1).toLowerCase();
      return [name, clean(text(state, this.view.now))] as const;
    });
    const hint = state.exists
      ? undefined
      : '`partner jobs apply` creates the state. `partner state list` shows other states';
    return { json: state, text: () => details(rows, this.view), hint };
  }
}
