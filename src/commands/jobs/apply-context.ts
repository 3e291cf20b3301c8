import type { ApplyContext } from '../../bulk/apply/apply-set.ts';
import type { RunEnd } from '../../bulk/apply/outcome.ts';
import type { Connection } from '../../cli/connection/connect.ts';
import { withTargetHint } from '../../cli/failure.ts';
import type { CliContext } from '../../cli/terminal/streams.ts';
import { newIdempotencyKey } from '../../client/retry.ts';
import type { PartnerError } from '../../contract/errors.ts';
import { differenceNotes } from '../../reports/changes.ts';

interface Options extends Pick<ApplyContext, 'command' | 'agree' | 'onProgress' | 'onLockWait'> {
  readonly calls: AbortController;
  /** Called if requests in flight delay the exit after the first Ctrl-C. */
  readonly onFinishing: () => void;
}

/** Delay of the message after Ctrl-C. If the requests in flight end sooner, no message is shown. */
const FINISHING_MS = 100;

/** The first Ctrl-C aborts requests in flight. While changes are being made, it lets them finish. */
export function applyContext(
  { createdJobs, target }: Connection,
  { clock, monotonicNow, interrupted }: CliContext,
  { calls, onFinishing, ...rest }: Options,
): ApplyContext {
  let isFinishing = false;
  let message: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    if (isFinishing) message = setTimeout(onFinishing, FINISHING_MS);
    else calls.abort();
  };
  interrupted.addEventListener('abort', interrupt, { once: true });
  return {
    ...rest,
    clock,
    monotonicNow,
    newId: () => newIdempotencyKey(clock()),
    interrupted,
    markFinishing: (isNow) => {
      isFinishing = isNow;
      if (!isNow) clearTimeout(message);
    },
    onMade: (jobId) => {
      if (target.kind === 'remote') createdJobs.append(jobId, clock());
    },
  };
}

/** Adds hints to errors, and a note for each value that the server changed when it stored the job. */
export function explainRun(applied: RunEnd, connection: Connection): RunEnd {
  const withNextStep = (error: PartnerError | undefined) => error && withTargetHint(error, connection);
  const outcomes = applied.outcomes.map((outcome) => {
    const { item, jobId, differences = [], error } = outcome;
    const stored = jobId === undefined ? [] : differenceNotes(differences, jobId);
    return { ...outcome, item: { ...item, notes: [...item.notes, ...stored] }, error: withNextStep(error) };
  });
  return { ...applied, outcomes, stopped: withNextStep(applied.stopped), gate: withNextStep(applied.gate) };
}
