import { createDraw, type Draw, drawOne } from './draws.ts';

export interface LabOptions {
  /** Whole number below 2^32. With the same seed, the n-th request gets the same latency and fault. */
  readonly seed: number;
  readonly latencyMs: { readonly min: number; readonly max: number };
  /** Shares of requests that fail, and whose connection is dropped. Their sum is at most 1. */
  readonly failRate: number;
  readonly dropRate: number;
  /** False for a server that doesn't support `Idempotency-Key` (decision 27). */
  readonly knowsIdempotency: boolean;
  /** False for a server that can't list jobs (decision 5). */
  readonly listsJobs: boolean;
}

/** Each failure with two equally likely statuses. A truncated body keeps the status of the real response. */
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

type FaultPhase = 'before' | 'after';

export interface Failure {
  readonly kind: 'fail';
  readonly at: FaultPhase;
  readonly failure: FailureRow[0];
  readonly status: FailureRow[1][0 | 1];
  readonly retryAfterSeconds: number | undefined;
}

export type Fault = Failure | { readonly kind: 'drop'; readonly at: FaultPhase; readonly cutAt: CutAt };

const RETRY_AFTER_SECONDS = 1;

/** Half of all failures, including every 429, happen before the engine runs. Of the others, 40% do. */
const BEFORE_SHARE = 0.4;

/** Returns a function that decides the latency and fault of the n-th request, counted from 0. */
export function createLabDecisions(
  seed: number,
  { latencyMs, failRate, dropRate }: Pick<LabOptions, 'latencyMs' | 'failRate' | 'dropRate'>,
) {
  return (n: number) => {
    const draw = createDraw(seed, n);
    const lot = draw();
    const waitMs = Math.round(latencyMs.min + draw() * (latencyMs.max - latencyMs.min));
    if (lot < failRate) return { latencyMs: waitMs, fault: drawFailure(draw) };
    if (lot >= failRate + dropRate) return { latencyMs: waitMs, fault: undefined };
    const at = draw() < 0.5 ? 'before' : 'after';
    const cutAt: CutAt = at === 'before' ? 'before-headers' : drawOne(draw, CUTS);
    return { latencyMs: waitMs, fault: { kind: 'drop', at, cutAt } as const };
  };
}

function drawFailure(draw: Draw): Fault {
  const [failure, statuses] = drawOne<FailureRow>(draw, FAILURES);
  const at = failure === 'too-many' || draw() < BEFORE_SHARE ? 'before' : 'after';
  const isEven = draw() < 0.5;
  const retryAfterSeconds =
    failure === 'too-many' || (failure === 'unavailable' && isEven) ? RETRY_AFTER_SECONDS : undefined;
  return { kind: 'fail', at, failure, status: statuses[isEven ? 0 : 1], retryAfterSeconds };
}
