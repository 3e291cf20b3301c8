import type { ApplyContext } from '../../bulk/apply/apply-set.ts';
import type { RunEnd } from '../../bulk/apply/outcome.ts';
import { STATE_GONE } from '../../bulk/apply/run-stop.ts';
import type { Connection } from '../../cli/connection/connect.ts';
import { explained } from '../../cli/failure.ts';
import type { CliContext } from '../../cli/terminal/streams.ts';
import { newIdempotencyKey } from '../../client/retry.ts';
import type { PartnerError } from '../../contract/errors.ts';
import { grouped } from '../../contract/words.ts';

interface Options extends Pick<ApplyContext, 'command' | 'agree' | 'onProgress' | 'onLockWait'> {
  /** Stops the calls of the connection. */
  readonly calls: AbortController;
  /** Called where the first Ctrl-C lets the calls under way end. */
  readonly onFinishing: () => void;
}

/** Calls that end sooner than this need no message. */
const FINISHING_MS = 100;

/** Ctrl-C ends the calls of an apply only where that leaves nothing open. */
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
    finishing: (isNow) => {
      isFinishing = isNow;
      if (!isNow) clearTimeout(message);
    },
    onMade: (jobId) => {
      if (target.kind === 'remote') createdJobs.append(jobId, clock());
    },
  };
}

/** What became of a set, with the next steps that fit the place where the calls went. */
export function explainedSet(applied: RunEnd, connection: Connection): RunEnd {
  const withNextStep = (error: PartnerError | undefined) => error && explained(error, connection);
  const { outcomes, stopped, gate } = applied;
  return {
    ...applied,
    outcomes: outcomes.map((outcome) => ({ ...outcome, error: withNextStep(outcome.error) })),
    stopped: withNextStep(stopped),
    gate: withNextStep(gate),
  };
}

const SETTLED_SHOWN = 20;

/** What to do after an apply, a line each. On a terminal the view has the reason and the command. */
export function nextSteps(
  { plan, outcomes, stopped, gate }: RunEnd,
  { command, isTerminal }: { readonly command: string; readonly isTerminal: boolean },
): string[] {
  const because = stopped ?? gate;
  const isLeft = because !== undefined || outcomes.some(({ result }) => result === 'left');
  const notices = plan.notices.length;
  const open = outcomes.filter(({ result, error }) => result === 'unknown' && error?.hint !== undefined);
  const recorded = stopped && STATE_GONE.includes(stopped.code) ? '' : 'what was done is recorded; ';
  return [
    ...(isTerminal
      ? []
      : open.slice(0, SETTLED_SHOWN).map(({ item, error }) => `${item.key}: ${error?.hint}`)),
    ...(isTerminal || open.length === 0 ? [] : [`add the flag that settles it to: ${command}`]),
    ...(isTerminal || because?.hint === undefined ? [] : [because.hint]),
    ...(isTerminal || !isLeft ? [] : [`${recorded}this does the rest: ${command}`]),
    ...(notices === 0
      ? []
      : [`${grouped(notices)} left as they are: \`partner jobs plan\` shows which, and why`]),
  ];
}
