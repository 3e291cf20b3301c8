import { applySet } from '../../bulk/apply/apply-set.ts';
import { applyExit } from '../../bulk/apply/outcome.ts';
import type { Plan } from '../../bulk/plan/plan-item.ts';
import { assertSameServer, planToApply } from '../../bulk/plan/saved-plan.ts';
import type { Session } from '../../bulk/session.ts';
import { lockWaitText } from '../../bulk/state/lock.ts';
import type { Outcome } from '../../cli/base-command.ts';
import { viewOfErr } from '../../cli/terminal/view.ts';
import { applyJson } from '../../reports/json.ts';
import { applySentence, describeSpending, planSentence } from '../../reports/run.ts';
import { applyView, nextSteps, planView } from '../../reports/text.ts';
import { applyContext, explainRun } from './apply-context.ts';
import { BulkCommand } from './bulk-command.ts';
import { adoptions, applyFlags, bulkArgs, bulkFlags, flagsOfPlan, formatApplyCommand } from './bulk-flags.ts';

export default class JobsApply extends BulkCommand {
  static override summary = 'Make your jobs match your files';
  static override description =
    'Creates, updates, publishes and closes jobs. A state file maps each listing to its job, so another run does only the remaining work. You can stop the command and run it again at any time without losing data. If the server honors idempotency keys, no job is created twice.';
  static override examples = [
    'partner jobs apply examples/jobs --publish',
    'partner jobs apply examples/jobs --publish --concurrency 4 --rate 10/s --report junit=report.xml',
    { description: 'Apply a saved plan', command: 'partner jobs apply --plan plan.json' },
    {
      description: 'Close jobs whose listings were removed',
      command: 'partner jobs apply examples/jobs --prune --yes',
    },
  ];
  static override args = bulkArgs;
  static override strict = false;
  static override flags = { ...bulkFlags, ...applyFlags };
  protected override readonly verb = 'apply';

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(JobsApply);
    const paths = argv as string[];
    const saved =
      flags.plan === undefined ? undefined : planToApply(flags.plan, [...paths, ...flagsOfPlan(flags)]);
    const given = this.buildBulkRequest(saved?.request.paths ?? paths, flags);
    const calls = new AbortController();
    const { session, connection } = await this.openRun({ ...given, ...saved?.request }, flags, calls.signal);
    assertSameServer(saved, session.server.baseUrl);
    const reading = await this.loadSet(session);
    const { adopt, ignore = [], resend = [], 'no-lock': noLock } = flags;
    const settling = { adopt: adoptions(adopt), ignore, resend };
    const request = { ...settling, saved: saved?.plan, isLocking: !noLock };
    const progress = this.showApplyProgress();
    const command = formatApplyCommand(this.argv);
    const context = applyContext(connection, this.context, {
      calls,
      command,
      agree: async (plan) => (flags.yes || saved ? undefined : this.confirmPlan(plan, session)),
      onProgress: progress.update,
      onLockWait: (waitMs) => void this.note(lockWaitText(waitMs)),
      onFinishing: () => progress.say('Finishing requests in flight. Press Ctrl-C again to stop immediately'),
    });
    const done = applySet(session, reading, request, context).finally(() => progress.stop());
    const applied = explainRun(await done, connection);
    const { plan, outcomes, stopped, gate } = applied;
    const durationMs = await this.report({ plan, outcomes, error: stopped ?? gate });
    const summary = applySentence(outcomes, plan, durationMs);
    const outcome: Outcome = {
      json: applyJson(outcomes, plan, durationMs, session),
      text: () => applyView(outcomes, { summary, command }, this.view),
      exit: applyExit(applied),
      hint: nextSteps(applied, { command, isTerminal: this.view.isTerminal }),
    };
    return this.withSummary(outcome, summary);
  }

  /** Prompts on a terminal before jobs go live. Closing jobs always requires a prompt or `--yes`. */
  private async confirmPlan(plan: Plan, { places }: Session): Promise<void> {
    this.learn({ plan });
    const closing = plan.items.filter(({ action }) => action === 'close');
    const act = describeSpending(plan);
    const words = { summary: planSentence(plan), places: [...places.values()] };
    const showPlan = async (shown: Pick<Plan, 'items' | 'notices'>): Promise<string> => {
      const view = viewOfErr(this.streams, this.context.clock());
      if (act !== '' && !this.globals.quiet) await this.streams.writeErr(planView(shown, words, view));
      return act;
    };
    const isDefault =
      closing.length > 0 || (this.streams.canAsk && plan.items.some(({ publish }) => publish));
    const fromArguments = isDefault ? () => showPlan({ items: closing, notices: [] }) : undefined;
    await this.confirmChange(false, () => showPlan(plan), fromArguments);
  }
}
