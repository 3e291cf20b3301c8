import { applySet } from '../../bulk/apply/apply-set.ts';
import { applyExit } from '../../bulk/apply/outcome.ts';
import type { Plan } from '../../bulk/plan/plan-item.ts';
import { assertSameServer, planToApply } from '../../bulk/plan/saved-plan.ts';
import { applySentence, planQuestion, planSentence } from '../../bulk/report/sentence.ts';
import { applyJson } from '../../bulk/report/values.ts';
import type { Session } from '../../bulk/session.ts';
import { applyView } from '../../bulk/view/apply.ts';
import { planView } from '../../bulk/view/plan.ts';
import type { Outcome } from '../../cli/base-command.ts';
import { shellWord, viewOfErr } from '../../cli/terminal/view.ts';
import { withoutPassword } from '../../contract/outside-text.ts';
import { applyContext, explainedSet, nextSteps } from './apply-context.ts';
import { BulkCommand } from './bulk-command.ts';
import { adoptions, applyFlags, bulkArgs, bulkFlags, flagsOfPlan, withoutSettling } from './bulk-flags.ts';

export default class JobsApply extends BulkCommand {
  static override summary = 'Create, update, publish and close jobs so that they are as the files say';
  static override description =
    'What became of which listing is kept in a state file, so that running it again does only what is left. It can be stopped at any moment and started again: nothing is lost and, where the server honours idempotency keys, nothing is made twice.';
  static override examples = [
    'partner jobs apply examples/jobs --publish',
    'partner jobs apply examples/jobs --publish --concurrency 4 --rate 10/s --report junit=report.xml',
    { description: 'Only what was read before', command: 'partner jobs apply --plan plan.json' },
    { description: 'Close what is gone', command: 'partner jobs apply examples/jobs --prune --yes' },
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
    const given = this.requested(saved?.request.paths ?? paths, flags);
    const calls = new AbortController();
    const { session, connection } = await this.opened({ ...given, ...saved?.request }, flags, calls.signal);
    assertSameServer(saved, session.server.baseUrl);
    const reading = await this.checked(session);
    const { adopt, ignore = [], resend = [], 'no-lock': noLock } = flags;
    const settling = { adopt: adoptions(adopt), ignore, resend };
    const request = { ...settling, saved: saved?.plan, isLocking: !noLock };
    const progress = this.showApplyProgress();
    const words = withoutSettling(this.argv).map(shellWord);
    const command = withoutPassword(['partner jobs apply', ...words].join(' '));
    const context = applyContext(connection, this.context, {
      calls,
      command,
      agree: async (plan) => (flags.yes || saved ? undefined : this.agreed(plan, session)),
      onProgress: progress.update,
      onLockWait: (waitMs) =>
        void this.note(`locked, maybe by a killed run: checking for ${waitMs / 1000} s`),
      onFinishing: () => progress.say('finishing the calls under way; Ctrl-C again stops at once'),
    });
    const done = applySet(session, reading, request, context).finally(() => progress.stop());
    const applied = explainedSet(await done, connection);
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

  /** On a terminal shows the plan and asks before jobs go live; before jobs are closed it asks everywhere. */
  private async agreed(plan: Plan, { places }: Session): Promise<void> {
    this.learn({ plan });
    const closing = plan.items.filter(({ action }) => action === 'close');
    const { canAsk } = this.streams;
    if (closing.length === 0 && !(canAsk && plan.items.some(({ publish }) => publish))) return;
    if (!this.globals.quiet) {
      const shown = canAsk ? plan : { items: closing, notices: [] };
      const words = { summary: planSentence(plan), places: [...places.values()] };
      const view = viewOfErr(this.streams, this.context.clock());
      await this.streams.writeErr(planView(shown, words, view));
    }
    await this.mustConfirm(planQuestion(plan), '--yes');
    this.measureFromNow();
  }
}
