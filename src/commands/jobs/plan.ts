import { liveCounts } from '../../bulk/apply/outcome.ts';
import { canApply } from '../../bulk/apply/resolve-pending.ts';
import { planSet } from '../../bulk/plan/plan-set.ts';
import { reclaimEntries, withEntries } from '../../bulk/plan/rebuild.ts';
import { savePlan } from '../../bulk/plan/saved-plan.ts';
import type { Outcome } from '../../cli/base-command.ts';
import { inGroup, switchFlag, textFlag } from '../../cli/flags/flag-values.ts';
import { shellWord } from '../../cli/terminal/view.ts';
import { EXIT } from '../../contract/errors.ts';
import { planJson } from '../../reports/json.ts';
import { countNoted, planSentence } from '../../reports/run.ts';
import { planView } from '../../reports/text.ts';
import { BulkCommand } from './bulk-command.ts';
import { bulkArgs, bulkFlags, formatApplyCommand } from './bulk-flags.ts';

export default class JobsPlan extends BulkCommand {
  static override summary = 'Preview the changes `jobs apply` would make';
  static override description =
    'Compares your files with the last applied version and the server, field by field. Nothing is changed.';
  static override examples = [
    'partner jobs plan examples/jobs --publish',
    'partner jobs plan examples/jobs --publish --out plan.json',
    {
      description: 'Detect drift every night',
      command: 'partner jobs plan examples/jobs --fail-on-drift',
    },
    {
      description: 'Annotate a pull request',
      command: 'partner jobs plan examples/jobs --publish --exit-code --report github',
    },
  ];
  static override args = bulkArgs;
  static override strict = false;
  static override flags = {
    ...bulkFlags,
    out: textFlag('FILE', 'Save the plan for `jobs apply --plan FILE`'),
    ...inGroup('REPORT', {
      'exit-code': switchFlag("Exit 10 if the plan isn't empty"),
      'fail-on-drift': switchFlag("Exit 10 if any job was edited, paused or duplicated, or isn't live"),
    }),
  };
  protected override readonly verb = 'plan';

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(JobsPlan);
    const request = this.buildBulkRequest(argv as string[], flags);
    const { session } = await this.openRun(request, flags, this.context.interrupted, flags.out);
    const reading = await this.loadSet(session);
    const { plan } = await this.trackWork('Reading jobs from the server', async () => {
      const { state, pending } = session.remembered;
      const found = await reclaimEntries(session, reading, session.remembered);
      return planSet(session, reading, { state: withEntries(state, found), pending });
    });
    const { clock } = this.context;
    if (flags.out !== undefined) savePlan(flags.out, plan, request, session.server.baseUrl, clock());
    await this.report({ plan });
    const places = [...session.places.values()];
    const summary = planSentence(plan);
    const edited = flags['fail-on-drift'] ? countNoted(plan, 'EDITED_ON_SERVER', 'BOTH_CHANGED') : 0;
    const { notLive, paused } = liveCounts(plan);
    const duplicates = countNoted(plan, 'POSSIBLE_DUPLICATE');
    const isDrift = flags['fail-on-drift'] && edited + notLive + paused + duplicates > 0;
    const isToDo = flags['exit-code'] && plan.items.length + duplicates > 0;
    const { out } = flags;
    const command =
      out === undefined ? formatApplyCommand(this.argv) : `partner jobs apply --plan ${shellWord(out)}`;
    const next = canApply(plan, session) ? `apply it with \`${command}\`` : undefined;
    const hint = `${edited === 1 ? '1 job was' : `${edited} jobs were`} edited on the server`;
    const outcome: Outcome = {
      json: planJson(plan, places, session),
      text: () => planView(plan, { summary, next, places }, this.view),
      exit: isToDo || isDrift ? EXIT.somethingToDo : undefined,
      hint: edited === 0 ? undefined : hint,
    };
    return this.withSummary(outcome, summary);
  }
}
