import { hostname } from 'node:os';
import type { ApplyWorld } from '../bulk/apply/apply-set.ts';
import { newIdempotencyKey } from '../client/idempotency-key.ts';
import type { Connection } from '../connection.ts';
import type { Surroundings } from '../surroundings.ts';

export interface ApplyWorldOptions extends Pick<ApplyWorld, 'command' | 'agree' | 'onProgress'> {
  /** Stops the calls of the connection. */
  readonly calls: AbortController;
  /** Is told that the first Ctrl-C lets the calls under way end. */
  readonly onFinishing: () => void;
}

/** What an apply is given of the world: Ctrl-C ends its calls only where that leaves nothing open. */
export function applyWorld(
  { ledger, target }: Connection,
  { clock, monotonicNow, interrupted }: Surroundings,
  { calls, onFinishing, ...rest }: ApplyWorldOptions,
): ApplyWorld {
  let isFinishing = false;
  const interrupt = (): void => {
    if (isFinishing) onFinishing();
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
    },
    onMade: (jobId) => {
      if (target.kind === 'remote') ledger.append(jobId, clock());
    },
  };
}
