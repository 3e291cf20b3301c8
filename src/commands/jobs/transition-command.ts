import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { batchExit } from '../../cli/batch.ts';
import type { Connection } from '../../cli/connection/connection.ts';
import { errorJson } from '../../cli/error-view.ts';
import { explained } from '../../cli/failure.ts';
import { jobIds } from '../../cli/flags/job-id.ts';
import type { PartnerClient, ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { Transition } from '../../contract/operations.ts';
import type { JobStatus } from '../../contract/values.ts';
import { withNext } from './refused-move.ts';
import { type TransitionItem, transitionLines } from './transitions-view.ts';

/** A job after its transition, or in the state that it had already. */
export interface Moved {
  readonly job: ServerJob;
  readonly wasThere?: true;
}

export interface MoveFlags {
  readonly ensure: boolean;
  readonly 'no-check'?: boolean;
}

/** One transition each for one id or several: publish, pause, resume and close differ in these few words. */
export abstract class TransitionCommand extends PartnerCommand {
  static override strict = false;
  static override args = {
    id: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'The job, or several of them: 12 13 14',
    }),
  };
  static override flags = {
    ensure: Flags.boolean({ description: 'Take "already there" as success' }),
  };

  protected abstract readonly transition: Transition;
  /** The state that `--ensure` takes as done. */
  protected abstract readonly reaches: JobStatus;

  /** Asks where the transition cannot be undone. */
  protected async confirm(
    _ids: readonly number[],
    _flags: Readonly<Record<string, unknown>>,
  ): Promise<void> {}

  protected override async perform(): Promise<Outcome> {
    const { argv, flags } = await this.parse(this.takes());
    const ids = jobIds(argv as string[]);
    await this.confirm(ids, flags);
    const connection = await this.connect();
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) {
      const moved = await this.moved(connection.client, only, flags);
      const item = { id: only, ...moved };
      return { json: moved.job, text: () => transitionLines(this.transition, [item], this.view) };
    }
    const items = await this.movedAll(connection, ids, flags);
    return {
      json: {
        items: items.map((item) => ({
          id: item.id,
          ...('error' in item ? errorJson(item.error) : { job: item.job }),
        })),
      },
      text: () => transitionLines(this.transition, items, this.view),
      exit: batchExit(items.map((item) => ('error' in item ? item.error : undefined))),
    };
  }

  /** oclif reads a class's own statics only, and these are inherited. */
  private takes() {
    const { args, flags, baseFlags } = this.ctor as unknown as typeof TransitionCommand;
    return { args, flags, baseFlags, strict: false };
  }

  private async movedAll(
    connection: Connection,
    ids: readonly number[],
    flags: MoveFlags,
  ): Promise<TransitionItem[]> {
    const items: TransitionItem[] = [];
    for (const id of ids) {
      try {
        items.push({ id, ...(await this.moved(connection.client, id, flags)) });
      } catch (error) {
        if (!(error instanceof PartnerError)) throw error;
        items.push({ id, error: explained(error, connection) });
      }
    }
    return items;
  }

  /** Makes the transition of one job; under `ensure`, one that is there already is left as it is. */
  protected async moved(client: PartnerClient, id: number, { ensure }: MoveFlags): Promise<Moved> {
    try {
      return { job: await client.transition(this.transition, id) };
    } catch (error) {
      if (!(error instanceof PartnerError) || error.code !== 'INVALID_TRANSITION') throw error;
      const job = await client.getJob(id).catch(() => undefined);
      if (ensure && job?.status === this.reaches) return { job, wasThere: true };
      throw withNext(error, job, id, this.reaches);
    }
  }
}
