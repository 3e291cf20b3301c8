import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { batchOutcome } from '../../cli/batch.ts';
import { explained } from '../../cli/failure.ts';
import { idsIn, requiredArg } from '../../cli/flags/flag-values.ts';
import type { PartnerClient } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import { MOVES } from '../../contract/lifecycle.ts';
import type { Transition } from '../../contract/operations.ts';
import { type Moved, transitionLine, withNext } from './job-moves.ts';

export interface MoveFlags {
  readonly ensure: boolean;
  readonly 'no-check'?: boolean;
}

/** One transition each for one id or several: publish, pause, resume and close differ in these few words. */
export abstract class TransitionCommand extends PartnerCommand {
  static override strict = false;
  static override args = { id: requiredArg('The job, or several of them: 12 13 14') };
  static override flags = { ensure: Flags.boolean({ description: 'Take "already there" as success' }) };

  protected abstract readonly transition: Transition;

  protected async confirm(
    _ids: readonly number[],
    _flags: Readonly<Record<string, unknown>>,
  ): Promise<void> {}

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(this.ctor as unknown as typeof TransitionCommand);
    const ids = idsIn(argv as string[], 'job');
    await this.confirm(ids, flags);
    const connection = await this.connect();
    const { view } = this;
    return batchOutcome(ids, {
      run: (id) => this.moved(connection.client, id, flags),
      json: ({ job }) => job,
      name: 'job',
      line: (moved) => transitionLine(this.transition, moved, view),
      view,
      explain: (error) => explained(error, connection),
    });
  }

  /** Makes the transition of one job; under `ensure`, one that is there already is left as it is. */
  protected async moved(client: PartnerClient, id: number, { ensure }: MoveFlags): Promise<Moved> {
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
