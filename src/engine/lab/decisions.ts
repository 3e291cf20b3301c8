import { type Draw, drawsOf, oneOfDrawn } from './draws.ts';

export interface LabOptions {
  /** A whole number below 2^32: the same one decides the same for the n-th request. */
  readonly seed: number;
  /** What each answer waits, drawn evenly between the two. */
  readonly latencyMs: { readonly min: number; readonly max: number };
  /** The shares of requests, 0 to 1 each and together, that fail and whose connection is dropped. */
  readonly failRate: number;
  readonly dropRate: number;
  /** False for a server that knows no `Idempotency-Key` (decision 27). */
  readonly knowsIdempotency: boolean;
  /** False for a server that lists no jobs (decision 5). */
  readonly listsJobs: boolean;
}

/** Each failure with its two statuses, drawn evenly. A truncated body comes under the status of the answer itself. */
const FAILURES = [
  ['internal-error', [500, 500]],
  ['bad-gateway', [502, 502]],
  ['unavailable', [503, 503]],
  ['too-many', [429, 429]],
  ['truncated-body', [200, 200]],
  ['html-body', [200, 502]],
] as const;
type FailureRow = (typeof FAILURES)[number];

const CUTS = ['before-headers', 'in-headers', 'in-body'] as const;
export type CutAt = (typeof CUTS)[number];

/** Whether the engine has done the request's work when its answer is lost. */
type FaultPhase = 'before' | 'after';

export type Fault =
  | {
      readonly kind: 'fail';
      readonly at: FaultPhase;
      readonly failure: FailureRow[0];
      readonly status: FailureRow[1][0 | 1];
      readonly retryAfterSeconds: number | undefined;
    }
  | { readonly kind: 'drop'; readonly at: FaultPhase; readonly cutAt: CutAt };

const RETRY_AFTER_SECONDS = 1;

/**
 * Half of all failures come before the work. A 429 always does, as clients rely on it, so that of the others
 * (1/2 - 1/6) / (5/6) do.
 */
const BEFORE_SHARE = 0.4;

/** Gives the plan of the n-th request, counted from 0 in the order of arrival. */
export function labDecisions(
  seed: number,
  { latencyMs, failRate, dropRate }: Pick<LabOptions, 'latencyMs' | 'failRate' | 'dropRate'>,
) {
  return (n: number) => {
    const draw = drawsOf(seed, n);
    const lot = draw();
    const waitMs = Math.round(latencyMs.min + draw() * (latencyMs.max - latencyMs.min));
    if (lot < failRate) return { latencyMs: waitMs, fault: failureOf(draw) };
    if (lot < failRate + dropRate) return { latencyMs: waitMs, fault: dropOf(draw) };
    return { latencyMs: waitMs, fault: undefined };
  };
}

function failureOf(draw: Draw): Fault {
  const [failure, statuses] = oneOfDrawn<FailureRow>(draw, FAILURES);
  const at = failure === 'too-many' || draw() < BEFORE_SHARE ? 'before' : 'after';
  const isEven = draw() < 0.5;
  const retryAfterSeconds =
    failure === 'too-many' || (failure === 'unavailable' && isEven) ? RETRY_AFTER_SECONDS : undefined;
  return { kind: 'fail', at, failure, status: statuses[isEven ? 0 : 1], retryAfterSeconds };
}

function dropOf(draw: Draw): Fault {
  const at = draw() < 0.5 ? 'before' : 'after';
  return { kind: 'drop', at, cutAt: at === 'before' ? 'before-headers' : oneOfDrawn(draw, CUTS) };
}
