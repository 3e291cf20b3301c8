import { holderText } from '../../bulk/state/lock.ts';
import { SEARCHED_MAX } from '../../bulk/state/state-file.ts';
import { listStates, locateState, type StateSummary } from '../../bulk/state/state-store.ts';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { listFlags, stateFlags, statePathArg } from '../../cli/flags/flag-values.ts';
import { readStateSettings } from '../../cli/settings/target.ts';
import { type Column, sortItems, table } from '../../cli/terminal/table.ts';
import { timeColumn } from '../../cli/terminal/words.ts';
import { formatNumber } from '../../contract/words.ts';

type Count = 'listings' | 'pendingCreates' | 'ignoredJobs' | 'failedListings';

const countColumn = (title: string, count: Count, givesWay?: number) =>
  ({ title, text: (state: StateSummary) => formatNumber(state[count]), align: 'right', givesWay }) as const;

export const STATE_COLUMNS: readonly Column<StateSummary>[] = [
  { title: 'STATE', text: ({ location }) => location, shrinksTo: 16 },
  { title: 'SERVER', text: ({ server }) => server ?? 'none (not created yet)', shrinksTo: 16 },
  countColumn('LISTINGS', 'listings'),
  countColumn('PENDING CREATES', 'pendingCreates', 1),
  countColumn('IGNORED JOBS', 'ignoredJobs', 3),
  countColumn('FAILED LISTINGS', 'failedListings', 2),
  { title: 'UNFINISHED SINCE', text: ({ unfinishedSince }) => unfinishedSince ?? '', givesWay: 4 },
  { title: 'LOCKED BY', text: ({ lock }) => (lock ? holderText(lock.holder) : 'nobody'), shrinksTo: 9 },
  { ...timeColumn('LEASE ENDS', ({ lock }) => lock?.expiresAt), givesWay: 4 },
];

export default class StateList extends PartnerCommand {
  static override summary = 'List the states in a repository';
  static override description =
    'Finds the state files in the repository. If --state or PARTNER_STATE specifies a git branch or a database, its states are listed too.';
  static override examples = ['partner state list', 'partner state list --state git:partner-state --json'];
  static override args = statePathArg;
  static override flags = { ...stateFlags, ...listFlags(STATE_COLUMNS) };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(StateList);
    const where = await locateState(args.path, readStateSettings(flags.state, this.context.env));
    const { states, isComplete } = await listStates(where);
    return {
      json: { items: sortItems(states, flags), complete: isComplete },
      text: () =>
        table(STATE_COLUMNS, states, this.view, 'No states. `partner jobs apply` creates one.', flags),
      hint: isComplete ? undefined : `only the first ${formatNumber(SEARCHED_MAX)} directories were searched`,
    };
  }
}
