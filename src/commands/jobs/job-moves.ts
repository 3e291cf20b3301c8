import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { batchOutcome } from '../../cli/batch.ts';
import { describeMove } from '../../cli/confirmation.ts';
import { withTargetHint } from '../../cli/failure.ts';
import { createRequiredArg, dryRunFlag, parseIds, switchFlag } from '../../cli/flags/flag-values.ts';
import { successText, type View } from '../../cli/terminal/view.ts';
import { moment, oneLine } from '../../cli/terminal/words.ts';
import type { PartnerClient } from '../../client/client.ts';
import type { ServerJob } from '../../client/server-job.ts';
import { PartnerError } from '../../contract/errors.ts';
import { hasEnded, MOVES } from '../../contract/lifecycle.ts';
import type { Transition } from '../../contract/operations.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import { statusStyle } from '../../reports/changes.ts';
import words from './moves.json' with { type: 'json' };

export interface Moved {
  readonly id: number;
  readonly job: ServerJob;
  readonly wasThere?: true;
}

/** Returns `✓ Published 12 Registered Nurse · live until 2026-01-31 09:00 UTC`. */
export function transitionLine(transition: Transition, { job, wasThere }: Moved, view: View): string {
  const { id, title, status, expiresAt } = job;
  const done = wasThere ? 'No change needed:' : words.done[transition];
  const end = status === 'ACTIVE' ? moment(expiresAt) : undefined;
  const state = view.paint(statusStyle(status), oneLine(status) ?? 'in an unknown status');
  const name = [id, oneLine(title)].filter(Boolean).join(' ');
  const standing = end ? `live until ${end}` : `now ${state}`;
  return successText(`${done} ${name} · ${standing}`, view);
}

/** Hints for moves that a status doesn't allow. A draft can't be closed (section 3). */
const NEXT: Readonly<Record<string, string>> = words.next;

type Move = Transition | 'update';

/** For a job that has ended, suggests a copy only if the move would make or keep it live. */
function findNext(move: Move, status: string): string | undefined {
  if (!hasEnded(status)) return NEXT[`${move} ${status}`];
  if (move === 'pause' || move === 'close') return 'nothing to do: candidates no longer see it';
  return 'copy it to a new draft with `partner jobs repost ID`';
}

export function withNext(error: PartnerError, job: ServerJob | undefined, id: number, move: Move) {
  const status = String(job?.status);
  if (move !== 'update' && status === MOVES[move].to)
    return error.with({ hint: 'nothing to do. Pass `--ensure` to succeed in this case' });
  const next = findNext(move, status)?.replace('ID', String(id));
  return error.with({ hint: next ?? `check the job with \`partner jobs get ${id}\`` });
}

export interface MoveFlags {
  readonly ensure: boolean;
  readonly yes?: boolean;
  readonly 'dry-run'?: boolean;
  readonly 'no-check'?: boolean;
}

export abstract class TransitionCommand extends PartnerCommand {
  static override strict = false;
  static override args = { id: createRequiredArg('One or more job IDs (12 13 14)') };
  static override flags = {
    ensure: switchFlag('Succeed if the job is already in that state'),
    ...dryRunFlag,
  };

  protected abstract readonly transition: Transition;

  /** Throws VALIDATION_FAILED if the job isn't complete enough for the transition. */
  protected assertReady?(job: ServerJob, flags: MoveFlags): void;

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(this.ctor as unknown as typeof TransitionCommand);
    const ids = parseIds(argv as string[], 'job');
    const { view, transition } = this;
    const { yes, 'dry-run': isDryRun } = flags as MoveFlags;
    const describeClose = () => `close ${ids.map((id) => `job ${id}`).join(', ')} permanently`;
    const fromArguments = transition === 'close' ? describeClose : undefined;
    if (!isDryRun && transition !== 'pause')
      await this.confirmChange(yes === true, () => this.describeMoves(ids), fromArguments);
    const connection = await this.connect();
    const batch = { name: 'job', view, explain: (error: PartnerError) => withTargetHint(error, connection) };
    if (isDryRun)
      return batchOutcome(ids, {
        ...batch,
        run: (id) => this.previewMove(connection.client, id, flags),
        json: ({ job, would }) => ({ dryRun: true, would, job }),
        line: ({ would }) => `Would ${would}\n`,
      });
    return batchOutcome(ids, {
      ...batch,
      run: (id) => this.moveJob(connection.client, id, flags),
      json: ({ job }) => job,
      line: (moved) => transitionLine(transition, moved, view),
    });
  }

  /** Skips drafts when closing, because the server can't close a draft. */
  private async describeMoves(ids: readonly number[]): Promise<string> {
    const { client } = await this.connect();
    const jobs: ServerJob[] = [];
    for (const id of ids) jobs.push(await client.getJob(id));
    const moved = jobs.filter(({ status }) => this.transition !== 'close' || status !== 'DRAFT');
    return moved.length === 0 ? '' : describeMove(this.transition, moved);
  }

  private async previewMove(client: PartnerClient, id: number, flags: MoveFlags) {
    const { transition } = this;
    const job = await client.getJob(id);
    const { from, to } = MOVES[transition];
    if (flags.ensure && job.status === to)
      return { id, job, would: `not change job ${id}: it is ${to} already` };
    if (JOB_STATUSES.some((known) => known === job.status) && !from.some((status) => status === job.status)) {
      const message = `can't ${transition} job ${id}: its status is ${job.status}`;
      throw withNext(new PartnerError('INVALID_TRANSITION', { message }), job, id, transition);
    }
    this.assertReady?.(job, flags);
    return { id, job, would: describeMove(transition, [job]) };
  }

  protected async moveJob(client: PartnerClient, id: number, { ensure }: MoveFlags): Promise<Moved> {
    try {
      return { id, job: await client.transition(this.transition, id) };
    } catch (error) {
      if (!(error instanceof PartnerError) || error.code !== 'INVALID_TRANSITION') throw error;
      const job = await client.getJob(id).catch(() => undefined);
      if (ensure && job?.status === MOVES[this.transition].to) return { id, job, wasThere: true };
      throw withNext(error, job, id, this.transition);
    }
  }
}
