import { PartnerError } from '../contract/errors.ts';
import { maskKey } from '../contract/mask.ts';
import { OPERATIONS, type OperationName, operationPath } from '../contract/operations.ts';
import { textRequest } from '../contract/whole-text.ts';
import { type Answer, readAnswer } from './answer.ts';
import { concluded, unreachable, withPatience } from './conclusion.ts';
import type { Deadline } from './deadline.ts';
import { isJson, refusal } from './decode.ts';
import { networkFailure } from './failure.ts';
import type { Pace, Turn } from './pacing.ts';
import { isAmbiguous, nextAttemptInMs, type RetryReason, repetitionOf, retryAfterMs } from './retry.ts';
import type { Send } from './send.ts';
import { type TraceEvent, traceAttempt } from './trace.ts';
import type { LearnedTraits } from './traits.ts';

/** One operation with everything that is sent for it. */
export interface Call<T> {
  /** What a successful answer says. Throws ANSWER_UNREADABLE. */
  readonly decode: (answer: Answer) => T;
  readonly operation: OperationName;
  readonly id?: number;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** Its pauses are told nobody. */
  readonly isQuiet?: boolean;
}

/** A pause before the next attempt, for whoever shows progress. */
export interface Wait {
  /** Why, in plain words. */
  readonly reason: string;
  readonly waitMs: number;
  /** The attempt that failed; 1 for the first. */
  readonly attempt: number;
}

/** What stays the same over all calls of a client. */
export interface Line {
  readonly baseUrl: string;
  readonly key: string;
  readonly userAgent: string;
  readonly send: Send;
  readonly clock: () => number;
  readonly monotonicNow: () => number;
  readonly sleep: (waitMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly trace: ((event: TraceEvent) => void) | undefined;
  readonly onWait: ((wait: Wait) => void) | undefined;
  readonly pace: Pace | undefined;
  /** As `ClientOptions` has it. */
  readonly interrupted: AbortSignal | undefined;
  /** What was seen of the server so far; the calls add to it. */
  readonly learned: LearnedTraits;
}

export type Outcome<T> =
  | { readonly value: T; readonly error?: never }
  | {
      readonly error: PartnerError;
      readonly answer: Answer | undefined;
      /** An earlier attempt broke off, and the server may have done its work. */
      readonly mayHaveRun: boolean;
    };

type Attempt<T> =
  | { readonly value: T; readonly answer: Answer; readonly error?: never; readonly reason?: never }
  | {
      readonly error: PartnerError;
      readonly answer?: Answer;
      /** Undefined for a refusal that asking again does not change. */
      readonly reason?: RetryReason;
    };

/** Makes a call, again where that is safe and worth it, until it has an answer, an end, or no time. */
export async function perform<T>(line: Line, call: Call<T>, deadline: Deadline): Promise<Outcome<T>> {
  let mayHaveRun = false;
  const failedBy = (because: PartnerError, why: RetryReason | undefined): PartnerError =>
    concluded(call.operation, because, why, {
      mayHaveRun,
      isKeyHonoured: line.learned.honoursIdempotencyKeys,
    });
  for (let attempt = 1; ; attempt++) {
    const turn = await turnOf(line, deadline);
    if (turn instanceof PartnerError) {
      return { error: failedBy(turn, 'stopped'), answer: undefined, mayHaveRun };
    }
    const made = await attemptOnce(line, call, deadline, attempt);
    const askedMs = made.answer && askedToWaitMs(made.answer, line.clock);
    turn?.ended(made.reason, askedMs);
    if (made.error === undefined) {
      const isCreate = OPERATIONS[call.operation].repeatable === 'with-key';
      // A server that has stopped to honour keys must not be sent the next create twice.
      if (isCreate && !isKeyHonoured(made.answer) && !line.learned.known.honoursKeysUnannounced)
        line.learned.learn({ honoursIdempotencyKeys: false });
      line.learned.prove();
      return { value: made.value };
    }
    const { answer, error, reason } = made;
    if (reason !== undefined) mayHaveRun ||= isAmbiguous(reason);
    const ended = (because: PartnerError, why: RetryReason | undefined): Outcome<T> => ({
      error: failedBy(because, why),
      answer,
      mayHaveRun,
    });
    if (reason === undefined) return ended(error, undefined);

    const waitMs = nextAttemptInMs({
      reason,
      repetition: repetitionOf(call.operation, line.learned),
      attempt,
      retryAfterMs: askedMs,
      isPaced: turn !== undefined,
      leftMs: deadline.atMs - line.monotonicNow(),
      random: line.random(),
    });
    if (waitMs === undefined) return ended(withPatience(error, askedMs), reason);
    if (!call.isQuiet) line.onWait?.({ reason: maskKey(error.message, line.key), waitMs, attempt });
    const stop = await pause(line, waitMs, deadline);
    if (stop !== undefined) return ended(stop, 'stopped');
  }
}

async function attemptOnce<T>(
  line: Line,
  call: Call<T>,
  deadline: Deadline,
  attempt: number,
): Promise<Attempt<T>> {
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const request = requestOf(line, call, body);
  const trace = traceAttempt(line, request, attempt);
  trace.request(body ?? '');
  try {
    const response = await deadline.within(line.send(request, deadline.signal));
    // Before the body is read: where that breaks off, this header decides whether the call may be repeated.
    if (isKeyHonoured(response)) line.learned.learn({ honoursIdempotencyKeys: true });
    const answer = await readAnswer(request, response, deadline);
    trace.answer(answer);
    return judged(answer, call, line.learned);
  } catch (error) {
    if (error instanceof PartnerError && error.mayHaveCreated) return { error, reason: 'astray' };
    // A redirect that is not followed is an answer too.
    if (error instanceof PartnerError && error.status !== undefined) return { error };
    const failure = networkFailure(error);
    trace.failure(failure?.words ?? (error instanceof Error ? error.message : String(error)));
    if (deadline.signal.aborted) return { error: deadline.signal.reason, reason: 'stopped' };
    if (failure === undefined) throw error;
    return { error: unreachable(request.url, failure, error), reason: failure.reason };
  }
}

/** `Retry-After` in milliseconds: a date counts from the answer's own `Date`, whatever this machine's clock says. */
function askedToWaitMs({ headers }: Answer, clock: () => number): number | undefined {
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  const sentAt = Date.parse(headers.get('date') ?? '');
  return retryAfterMs(header, Number.isNaN(sentAt) ? clock() : sentAt);
}

function isKeyHonoured({ headers }: Pick<Response, 'headers'>): boolean {
  return headers.has('idempotency-status');
}

function requestOf(line: Line, call: Call<unknown>, body: string | undefined): Request {
  const { method } = OPERATIONS[call.operation];
  const query = new URLSearchParams(call.query).toString();
  const url = `${line.baseUrl}${operationPath(call.operation, call.id)}${query === '' ? '' : `?${query}`}`;
  return textRequest(url, {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${line.key}`,
      'user-agent': line.userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
    },
    body,
  });
}

function judged<T>(answer: Answer, { operation, decode }: Call<T>, learned: LearnedTraits): Attempt<T> {
  const error = refusal(answer, operation);
  if (error !== undefined) {
    const reason = reasonOf(error, answer.status);
    return { answer, error, ...(reason === undefined ? {} : { reason }) };
  }
  try {
    return { answer, value: decode(answer) };
  } catch (failure) {
    if (!(failure instanceof PartnerError) || failure.code !== 'ANSWER_UNREADABLE') throw failure;
    // JSON of another form on a route that need not be there: it is another route, and answers so each time.
    if (!learned.isOffered(operation) && isJson(answer)) return { answer, error: failure };
    return { answer, error: failure, reason: 'unreadable' };
  }
}

/** Says that a server gave up waiting for the rest of a request, which may have come all the same. */
const REQUEST_TIMEOUT = 408;

/** Decision 7: the code decides first, so that a 503 with a code of the contract is that code's error. */
function reasonOf({ code }: PartnerError, status: number): RetryReason | undefined {
  if (code === 'RATE_LIMITED') return 'rate-limited';
  if (code === 'REQUEST_TIMEOUT') return 'unreadable';
  if (code === 'ANSWER_UNREADABLE') {
    return status < 400 || status === REQUEST_TIMEOUT ? 'unreadable' : undefined;
  }
  if (code !== 'SERVER_FAILED' && code !== 'INTERNAL' && code !== 'UNAVAILABLE') return undefined;
  return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'failed';
}

/** The turn to send, under a pace; gives the error that ended the wait for it. */
async function turnOf(line: Line, deadline: Deadline): Promise<Turn | PartnerError | undefined> {
  const { pace } = line;
  if (pace === undefined) return undefined;
  const turn = deadline.signal.aborted ? undefined : pace.turnNow();
  return turn ?? idle(line, deadline, (signal) => deadline.outside(() => pace.turn(signal)));
}

/** Waits; gives the error that ended the wait. */
async function pause(line: Line, waitMs: number, deadline: Deadline): Promise<PartnerError | undefined> {
  return idle(line, deadline, async (signal) =>
    deadline.within(line.sleep(waitMs, signal).then(() => undefined)),
  );
}

/** A wait in which nothing of the call is under way: the deadline ends it, and Ctrl-C at once. */
async function idle<T>(
  { interrupted }: Line,
  deadline: Deadline,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T | PartnerError> {
  const signals = interrupted === undefined ? [deadline.signal] : [deadline.signal, interrupted];
  const signal = AbortSignal.any(signals);
  try {
    signal.throwIfAborted();
    return await wait(signal);
  } catch (error) {
    if (error instanceof PartnerError) return error;
    if (!signal.aborted) throw error;
    return deadline.signal.aborted ? deadline.signal.reason : new PartnerError('INTERRUPTED');
  }
}
