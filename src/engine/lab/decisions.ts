import { type Draw, drawsOf, oneOfDrawn } from './draws.ts';

/** What a lab does to the requests that come to it. */
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

const FAILURES = [
  'internal-error',
  'bad-gateway',
  'unavailable',
  'too-many',
  'truncated-body',
  'html-body',
] as const;
type Failure = (typeof FAILURES)[number];

/** Where a connection ends that is dropped: nothing, half the headers or half the body are sent. */
const CUTS = ['before-headers', 'in-headers', 'in-body'] as const;
export type CutAt = (typeof CUTS)[number];

/** Whether the engine has done the request's work when its answer is lost. */
export type FaultPhase = 'before' | 'after';

export type Fault =
  | {
      readonly kind: 'fail';
      readonly at: FaultPhase;
      readonly failure: Failure;
      readonly status: 200 | 429 | 500 | 502 | 503;
      readonly retryAfterSeconds: number | undefined;
    }
  | { readonly kind: 'drop'; readonly at: FaultPhase; readonly cutAt: CutAt };

/** What becomes of one request. */
export interface FaultPlan {
  readonly latencyMs: number;
  readonly harm: Fault | undefined;
}

const RETRY_AFTER_SECONDS = 1;

/**
 * A 429 says that the request was turned away, and clients rely on it: one that comes after the work would
 * be a lie, not a failure. So it is always before, and of the others fewer: (1/2 - 1/6) / (5/6) are before,
 * which makes half of all.
 */
const BEFORE_SHARE = 0.4;

/** Gives the fate of the n-th request, counted from 0 in the order of arrival. */
export function labDecisions(
  seed: number,
  options: Pick<LabOptions, 'latencyMs' | 'failRate' | 'dropRate'>,
): (n: number) => FaultPlan {
  const { latencyMs, failRate, dropRate } = options;
  return (n) => {
    const draw = drawsOf(seed, n);
    const lot = draw();
    const waitMs = Math.round(latencyMs.min + draw() * (latencyMs.max - latencyMs.min));
    if (lot < failRate) return { latencyMs: waitMs, harm: failureOf(draw) };
    if (lot < failRate + dropRate) return { latencyMs: waitMs, harm: dropOf(draw) };
    return { latencyMs: waitMs, harm: undefined };
  };
}

function failureOf(draw: Draw): Fault {
  const failure = oneOfDrawn(draw, FAILURES);
  const at = failure === 'too-many' || draw() < BEFORE_SHARE ? 'before' : 'after';
  const isEven = draw() < 0.5;
  const retryAfterSeconds =
    failure === 'too-many' || (failure === 'unavailable' && isEven) ? RETRY_AFTER_SECONDS : undefined;
  return { kind: 'fail', at, failure, status: statusOf(failure, isEven), retryAfterSeconds };
}

function statusOf(failure: Failure, isEven: boolean) {
  if (failure === 'html-body') return isEven ? 200 : 502;
  return STATUSES[failure];
}

/** What is truncated is the answer to the request, under that answer's own status: this one stands for it. */
const STATUSES = {
  'internal-error': 500,
  'bad-gateway': 502,
  unavailable: 503,
  'too-many': 429,
  'truncated-body': 200,
} as const satisfies Record<Exclude<Failure, 'html-body'>, number>;

function dropOf(draw: Draw): Fault {
  const at = draw() < 0.5 ? 'before' : 'after';
  return { kind: 'drop', at, cutAt: at === 'before' ? 'before-headers' : oneOfDrawn(draw, CUTS) };
}
