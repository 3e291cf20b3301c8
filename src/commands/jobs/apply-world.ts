import { hostname } from 'node:os';
import type { ApplyWorld } from '../../bulk/apply/apply-set.ts';
import type { Connection } from '../../cli/connection/connection.ts';
import type { CliContext } from '../../cli/context.ts';
import { newIdempotencyKey } from '../../client/idempotency-key.ts';

export interface ApplyWorldOptions extends Pick<ApplyWorld, 'command' | 'agree' | 'onProgress'> {
  /** Stops the calls of the connection. */
  readonly calls: AbortController;
  /** Is told that the first Ctrl-C lets the calls under way end. */
  readonly onFinishing: () => void;
}

/** Calls under way that end sooner need no word. */
const PATIENCE_MS = 100;

/** What an apply is given of the world: Ctrl-C ends its calls only where that leaves nothing open. */
export function applyWorld(
  { createdJobs, target }: Connection,
  { clock, monotonicNow, interrupted }: CliContext,
  { calls, onFinishing, ...rest }: ApplyWorldOptions,
): ApplyWorld {
  let isFinishing = false;
  let saying: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    // Where nothing is under way it has ended by then.
    if (isFinishing) saying = setTimeout(onFinishing, PATIENCE_MS);
    else calls.abort();
  };
  interrupted.addEventListener('abort', interrupt, { once: true });
  return {
    ...rest,
    clock,
    monotonicNow,
    newId: () => newIdempotencyKey(clock()),
    host: hostname(),
    pid: process.pid,
    interrupted,
    finishing: (isNow) => {
      isFinishing = isNow;
      if (!isNow) clearTimeout(saying);
    },
    onMade: (jobId) => {
      if (target.kind === 'remote') createdJobs.append(jobId, clock());
    },
  };
}
