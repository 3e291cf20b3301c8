import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as Flags from '@oclif/core/flags';
import { hintOf, type Outcome } from '../../base-command.ts';
import { type AppliedSet, type ApplyWorld, applySet } from '../../bulk/apply/apply-set.ts';
import { applyExit } from '../../bulk/apply/exit.ts';
import type { Plan } from '../../bulk/plan/plan-item.ts';
import { applySentence, closingLines, grouped, planSentence } from '../../bulk/report/sentence.ts';
import { applyJson } from '../../bulk/report/values.ts';
import { assertSameServer, planToApply } from '../../bulk/saved-plan.ts';
import { BulkCommand } from '../../bulk-command.ts';
import { adoptions, bulkArgs, bulkFlags, withoutSettling } from '../../command-line/bulk-flags.ts';
import type { Connection } from '../../connection.ts';
import type { PartnerError } from '../../contract/errors.ts';
import { explained } from '../../failure.ts';
import { showApplyProgress } from '../../ui/apply-progress.ts';
import { applyView } from '../../ui/views/apply.ts';
import { shellWord } from '../../ui/views/shell-word.ts';

export default class JobsApply extends BulkCommand {
  static override summary = 'Create, update, publish and close jobs so that they are as the files say';
  static override description =
    'What became of which listing is kept in a state file, so that running it again does only what is left. It can be stopped at any moment and started again: nothing is lost and, where the server honours idempotency keys, nothing is made twice.';
  static override examples = [
    'partner jobs apply examples/jobs --publish',
    'partner jobs apply examples/jobs --publish --concurrency 4 --rate 10/s --report junit=report.xml',
    { description: 'Only what was read before', command: 'partner jobs apply --plan plan.json' },
    {
      description: 'Close what is no longer there',
      command: 'partner jobs apply examples/jobs --prune --yes',
    },
  ];
  static override args = bulkArgs;
  static override strict = false;
  static override flags = {
    ...bulkFlags,
    plan: Flags.string({ helpValue: 'FILE', description: 'Do a saved plan, if it is still true' }),
    yes: Flags.boolean({ char: 'y', description: 'Do not ask before jobs are closed' }),
    adopt: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'KEY=ID',
      description: 'Take this job for the listing KEY; repeatable',
    }),
    resend: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'KEY',
      description: 'Create the listing KEY again, whose outcome is unknown; repeatable',
    }),
  };
  protected override readonly verb = 'apply';

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(JobsApply);
    const saved = flags.plan === undefined ? undefined : planToApply(flags.plan, argv as string[]);
    const given = this.requested(saved?.request.paths ?? (argv as string[]), flags);
    const calls = new AbortController();
    const { session, connection } = await this.opened({ ...given, ...saved?.request }, flags, calls.signal);
    assertSameServer(saved, session.server.baseUrl);
    const reading = await this.checked(session);
    const request = {
      adopt: adoptions(flags.adopt ?? []),
      resend: flags.resend ?? [],
      saved: saved?.plan,
    };
    const progress = showApplyProgress(this.streams, {
      clock: this.surroundings.clock,
      isQuiet: this.globals.quiet,
    });
    const onProgress: ApplyWorld['onProgress'] = (counts) =>
      progress.update({ ...counts, pausedUntil: this.pausedUntil });
    const world = this.world(connection, calls, onProgress, flags.yes || saved !== undefined);
    const applied = await applySet(session, reading, request, world).finally(() => progress.stop());
    const run = this.runOf(session, reading);
    const told = explainedSet(applied, connection);
    await this.report({ ...run, plan: told.plan, outcomes: told.outcomes });
    return this.told(told, { invalid: reading.invalid, durationMs: run.durationMs });
  }

  private told(
    { plan, outcomes, stopped, gate }: AppliedSet,
    { invalid, durationMs }: { invalid: number; durationMs: number },
  ): Outcome {
    const summary = applySentence(outcomes, plan.unchanged, durationMs);
    const command = this.typed;
    const because = stopped ?? gate;
    const isLeft = because !== undefined || outcomes.some(({ result }) => result === 'left');
    const rest = isLeft ? [`what was done is recorded; this does the rest: ${command}`] : [];
    // A terminal has been shown both, below what was not attempted.
    const next = this.view.isTerminal
      ? []
      : [...(because?.hint === undefined ? [] : [because.hint]), ...rest];
    const known = plan.notices.length;
    if (known > 0)
      next.push(`${grouped(known)} left as they are: \`partner jobs plan\` shows which, and why`);
    const outcome: Outcome = {
      json: applyJson(outcomes, plan, durationMs),
      text: () => applyView(outcomes, { summary, command }, this.view),
      exit: applyExit({ outcomes, invalid, stopped, gate }),
      hint: hintOf(next),
    };
    return this.shown(outcome, summary);
  }

  private world(
    { ledger, target }: Connection,
    calls: AbortController,
    onProgress: ApplyWorld['onProgress'],
    isAgreed: boolean,
  ): ApplyWorld {
    const { clock, interrupted } = this.surroundings;
    let isFinishing = false;
    const interrupt = (): void => {
      if (isFinishing) void this.note('finishing the calls under way; Ctrl-C again stops at once');
      else calls.abort();
    };
    interrupted.addEventListener('abort', interrupt, { once: true });
    return {
      clock,
      newId: randomUUID,
      host: hostname(),
      pid: process.pid,
      command: this.typed,
      interrupted,
      finishing: (isNow) => {
        isFinishing = isNow;
      },
      agree: (plan) => this.agreed(plan, isAgreed),
      onProgress,
      onMade: (jobId) => {
        if (target.kind === 'remote') ledger.append(jobId, clock());
      },
    };
  }

  private async agreed(plan: Plan, isAgreed: boolean): Promise<void> {
    const closing = plan.items.filter(({ action }) => action === 'close');
    if (closing.length === 0 || isAgreed) return;
    await this.note(`${closingLines(plan)}\n${planSentence(plan)}`);
    await this.mustConfirm(
      `Close ${closing.length === 1 ? '1 job' : `${closing.length} jobs`} for good?`,
      '--yes',
    );
  }

  private get typed(): string {
    return ['partner jobs apply', ...withoutSettling(this.argv).map(shellWord)].join(' ');
  }
}

/** With the next steps that fit the place where the calls went. */
function explainedSet(applied: AppliedSet, connection: Connection): AppliedSet {
  const told = (error: PartnerError | undefined) => error && explained(error, connection);
  const { outcomes, stopped, gate } = applied;
  return {
    ...applied,
    outcomes: outcomes.map((outcome) => ({ ...outcome, error: told(outcome.error) })),
    stopped: told(stopped),
    gate: told(gate),
  };
}
