import { CONTENT_REFUSALS, PartnerError } from '../contract/errors.ts';
import { OPERATIONS, type OperationName, operationPath } from '../contract/operations.ts';
import { maskKey } from '../contract/outside-text.ts';
import { isJson, refusal } from './decode.ts';
import { type Answer, type Deadline, type ExchangeOptions, exchange } from './exchange.ts';
import type { Pace, Turn } from './pacing.ts';
import { isAmbiguous, nextAttemptInMs, type RetryReason, retryAfterMs, retrySafetyOf } from './retry.ts';
import type { LearnedTraits, ServerTraits } from './traits.ts';

export interface Wait {
  readonly reason: string;
  readonly waitMs: number;
  readonly attempt: number;
}

export interface ClientOptions extends Omit<ExchangeOptions, 'key'> {
  readonly baseUrl: string;
  readonly key: string | undefined;
  /** For a whole call: every attempt, the waits between them, and the bodies. */
  readonly timeoutMs: number;
  /** Milliseconds since 1970; only a `Retry-After` date of an answer without `Date` is compared with it. */
  readonly clock: () => number;
  readonly sleep: (waitMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly newIdempotencyKey: () => string;
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** The gate that every attempt passes; a call's time does not run while it waits there. */
  readonly pace?: Pace | undefined;
  /** Ends each wait between attempts at once, INTERRUPTED; an attempt under way still gets its answer. */
  readonly interrupted?: AbortSignal | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What this server calls the search text (decision 4); `q` where it is not given. */
  readonly locationQueryParameter?: string | undefined;
  readonly traits?: ServerTraits | undefined;
  readonly onLearn?: ((traits: ServerTraits) => void) | undefined;
}

export type ClientContext = Omit<ClientOptions, 'key'> & {
  readonly key: string;
  readonly learned: LearnedTraits;
};

export interface Call<T> {
  /** Throws ANSWER_UNREADABLE. */
  readonly decode: (answer: Answer) => T;
  readonly operation: OperationName;
  readonly id?: number;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly isQuiet?: boolean;
  /** Called if the response is a replay of a request that another call sent with the same key. */
  readonly onReplay?: (() => void) | undefined;
}

export type Outcome<T> =
  | { readonly value: T; readonly error?: never }
  | {
      readonly error: PartnerError;
      /** An earlier attempt broke off, and the server may have done its work. */
      readonly mayHaveRun: boolean;
    };

type Attempt<T> = (
  | { readonly value: T; readonly error?: never; readonly reason?: never }
  | {
      readonly error: PartnerError;
      readonly reason?: RetryReason | undefined;
    }
) & { readonly answer?: Answer };

export async function perform<T>(
  context: ClientContext,
  call: Call<T>,
  deadline: Deadline,
): Promise<Outcome<T>> {
  const { learned } = context;
  let mayHaveRun = false;
  const failed = (error: PartnerError, reason?: RetryReason): Outcome<T> => {
    const known = { mayHaveRun, isKeyHonoured: learned.honoursIdempotencyKeys };
    return { error: finalError(call.operation, error, reason, known), mayHaveRun };
  };
  for (let attempt = 1; ; attempt++) {
    const turn = await turnOf(context, deadline);
    if (turn instanceof PartnerError) return failed(turn, 'stopped');
    const made = await attemptOnce(context, call, deadline, attempt);
    const askedMs = made.answer && askedToWaitMs(made.answer, context.clock);
    turn?.ended(made.reason, askedMs);
    if (made.error === undefined) {
      const isCreate = OPERATIONS[call.operation].repeatable === 'with-key';
      // A server that no longer honours keys must not be sent the next create twice.
      if (isCreate && !isKeyHonoured(made.answer?.headers) && !learned.known.honoursKeysUnannounced)
        learned.learn({ honoursIdempotencyKeys: false });
      if (!mayHaveRun && made.answer?.headers.get('idempotency-status') === 'replayed') call.onReplay?.();
      learned.prove();
      return { value: made.value };
    }
    const { error, reason } = made;
    if (reason === undefined) return failed(error);
    mayHaveRun ||= isAmbiguous(reason);

    const waitMs = nextAttemptInMs({
      reason,
      retrySafety: retrySafetyOf(call.operation, learned),
      attempt,
      retryAfterMs: askedMs,
      isPaced: turn !== undefined,
      leftMs: deadline.atMs - context.monotonicNow(),
      random: context.random(),
    });
    if (waitMs === undefined) return failed(withRetryAfterHint(error, askedMs), reason);
    if (!call.isQuiet) context.onWait?.({ reason: maskKey(error.message, context.key), waitMs, attempt });
    const stop = await pause(context, waitMs, deadline);
    if (stop !== undefined) return failed(stop, 'stopped');
  }
}

async function attemptOnce<T>(
  context: ClientContext,
  call: Call<T>,
  deadline: Deadline,
  attempt: number,
): Promise<Attempt<T>> {
  const { operation, id, body, idempotencyKey } = call;
  const query = new URLSearchParams(call.query).toString();
  const url = `${context.baseUrl}${operationPath(operation, id)}${query === '' ? '' : `?${query}`}`;
  const request = { method: OPERATIONS[operation].method, url, body, idempotencyKey };
  // Where the body breaks off, this header decides whether the call may be repeated.
  const onHeaders = (headers: Headers): void => {
    if (isKeyHonoured(headers)) context.learned.learn({ honoursIdempotencyKeys: true });
  };
  const result = await exchange(context, request, deadline, { attempt, onHeaders });
  return result.error === undefined ? judge(result.answer, call, context.learned) : result;
}

/** `Retry-After` in milliseconds: a date counts from the answer's own `Date`, whatever this machine's clock says. */
function askedToWaitMs({ headers }: Answer, clock: () => number): number | undefined {
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  const sentAt = Date.parse(headers.get('date') ?? '');
  return retryAfterMs(header, Number.isNaN(sentAt) ? clock() : sentAt);
}

function isKeyHonoured(headers: Headers | undefined): boolean {
  return headers?.has('idempotency-status') === true;
}

function judge<T>(answer: Answer, { operation, decode }: Call<T>, learned: LearnedTraits): Attempt<T> {
  const error = refusal(answer, operation);
  if (error !== undefined) return { answer, error, reason: reasonOf(error, answer.status) };
  try {
    return { answer, value: decode(answer) };
  } catch (failure) {
    if (!(failure instanceof PartnerError) || failure.code !== 'ANSWER_UNREADABLE') throw failure;
    // It is another route, and answers so each time.
    const isOtherRoute = !learned.isOffered(operation) && isJson(answer);
    return { answer, error: failure, reason: isOtherRoute ? undefined : 'unreadable' };
  }
}

/** The rest of the request may have come all the same. */
const REQUEST_TIMEOUT = 408;
const NOT_IMPLEMENTED = 501;

/** Decision 7: the code decides first, so that a 503 with a code of the contract is that code's error. */
function reasonOf({ code }: PartnerError, status: number): RetryReason | undefined {
  if (code === 'RATE_LIMITED') return 'rate-limited';
  if (code === 'REQUEST_TIMEOUT') return 'unreadable';
  if (code === 'ANSWER_UNREADABLE') {
    return status < 400 || status === REQUEST_TIMEOUT ? 'unreadable' : undefined;
  }
  if (code !== 'SERVER_FAILED' && code !== 'INTERNAL' && code !== 'UNAVAILABLE') return undefined;
  if (status === NOT_IMPLEMENTED) return undefined;
  return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'failed';
}

async function turnOf(context: ClientContext, deadline: Deadline): Promise<Turn | PartnerError | undefined> {
  const { pace } = context;
  if (pace === undefined) return undefined;
  const turn = deadline.signal.aborted ? undefined : pace.turnNow();
  return turn ?? idle(context, deadline, (signal) => deadline.outside(() => pace.turn(signal)));
}

export function pause(
  context: ClientContext,
  waitMs: number,
  deadline: Deadline,
): Promise<PartnerError | undefined> {
  return idle(context, deadline, async (signal) => {
    await deadline.within(context.sleep(waitMs, signal));
    return undefined;
  });
}

/** A wait in which nothing of the call is under way: the deadline ends it, and Ctrl-C at once. */
async function idle<T>(
  { interrupted }: ClientContext,
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

function withRetryAfterHint(error: PartnerError, retryAfterMs: number | undefined): PartnerError {
  if (retryAfterMs === undefined || retryAfterMs === 0) return error;
  const seconds = Math.ceil(retryAfterMs / 1000);
  const hint = `the server asks to wait ${seconds} s: try again then, or give it longer with --timeout`;
  return error.with({ hint });
}

/** A create that the server may have carried out is OUTCOME_UNKNOWN, never failed. No `reason` means a refusal. */
function finalError(
  operation: OperationName,
  error: PartnerError,
  reason: RetryReason | undefined,
  { mayHaveRun, isKeyHonoured }: { readonly mayHaveRun: boolean; readonly isKeyHonoured: boolean },
): PartnerError {
  const isCreate = OPERATIONS[operation].repeatable !== 'always';
  if (!isCreate || !mayHaveRun) return error.with({ mayHaveCreated: false });
  if (reason === undefined && isKeyHonoured && CONTENT_REFUSALS.includes(error.code)) return error;
  if (reason === 'failed' || error.code === 'INTERRUPTED') {
    return error.with({ hint: undefined, mayHaveCreated: true });
  }
  return new PartnerError('OUTCOME_UNKNOWN', {
    message: `${error.message}; the job may or may not exist now`,
    status: error.status,
    mayHaveCreated: true,
    cause: error.cause,
  });
}

export function withoutKey(error: PartnerError, key: string): PartnerError {
  const { message, fields, hint, serverCode } = error;
  const masked = (text: string): string => maskKey(text, key);
  return error.with({
    message: masked(message),
    fields: fields && Object.fromEntries(Object.entries(fields).map((entry) => entry.map(masked))),
    hint: hint && masked(hint),
    serverCode: serverCode && masked(serverCode),
  });
}

export function assertUsableKey(key: string | undefined): void {
  if (key === undefined || key === '') throw new PartnerError('KEY_MISSING');
  if (/[^\x21-\x7e]/.test(key)) {
    throw new PartnerError('INVALID_SERVICE_KEY', {
      message: 'the partner key holds a space, a line break or a letter that no key has',
    });
  }
}
