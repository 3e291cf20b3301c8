import { CONTENT_REFUSALS, PartnerError } from '../contract/errors.ts';
import type { MessageHeaders } from '../contract/http-messages.ts';
import { OPERATIONS, type OperationName, operationPath } from '../contract/operations.ts';
import { maskKey } from '../text/outside-text.ts';
import { isJson, readRefusal } from './decode.ts';
import { type Answer, type Deadline, type ExchangeOptions, exchange, type Failure } from './exchange.ts';
import type { Pace } from './pacing.ts';
import {
  decideRetrySafety,
  isAmbiguous,
  NOT_IMPLEMENTED,
  nextAttemptInMs,
  type RetryReason,
  retryAfterMs,
} from './retry.ts';
import type { LearnedTraits, ServerTraits } from './traits.ts';

export interface Wait {
  readonly reason: string;
  readonly waitMs: number;
  readonly attempt: number;
}

export interface ClientOptions extends ExchangeOptions {
  readonly baseUrl: string;
  /** Limits all attempts of a call, the waits in between, and reading the responses. */
  readonly timeoutMs: number;
  /** Epoch ms. Used only for a `Retry-After` date in a response without `Date`. */
  readonly clock: () => number;
  readonly sleep: (waitMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly newIdempotencyKey: () => string;
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Rate limiter for every attempt. Waiting for it doesn't count toward the timeout. */
  readonly pace?: Pace | undefined;
  /** Ends waits between attempts with INTERRUPTED. A running attempt can finish. */
  readonly interrupted?: AbortSignal | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The server's name for the search parameter (decision 4). Defaults to `q`. */
  readonly locationQueryParameter?: string | undefined;
  readonly traits?: ServerTraits | undefined;
}

export interface ClientContext extends ClientOptions {
  readonly learned: LearnedTraits;
}

export interface Call<T> {
  readonly decode: (answer: Answer) => T;
  readonly operation: OperationName;
  readonly id?: number;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
  readonly isQuiet?: boolean;
  readonly onReplay?: (() => void) | undefined;
}

export type Outcome<T> =
  | { readonly value: T; readonly error?: never }
  | { readonly error: PartnerError; readonly mayHaveRun: boolean };

type Attempt<T> = ({ readonly value: T; readonly error?: never; readonly reason?: never } | Failure) & {
  readonly answer?: Answer;
};

export async function perform<T>(context: ClientContext, call: Call<T>, deadline: Deadline) {
  const { learned } = context;
  let mayHaveRun = false;
  const buildFailure = (error: PartnerError, reason?: RetryReason): Outcome<T> => {
    const known = { mayHaveRun, isKeyHonoured: learned.honoursIdempotencyKeys };
    return { error: finalError(call.operation, error, reason, known), mayHaveRun };
  };
  for (let attempt = 1; ; attempt++) {
    const turn = await awaitTurn(context, deadline);
    if (turn instanceof PartnerError) return buildFailure(turn, 'stopped');
    const made: Attempt<T> = await attemptOnce(context, call, deadline, attempt);
    const askedMs = made.answer && readRetryAfterMs(made.answer, context.clock);
    turn?.end(made.reason, askedMs);
    if (made.error === undefined) {
      const isCreate = OPERATIONS[call.operation].repeatable === 'with-key';
      // If a server stops honoring keys, the next create must not be retried.
      if (isCreate && !isKeyHonoured(made.answer?.headers) && !learned.known.honoursKeysUnannounced)
        learned.learn({ honoursIdempotencyKeys: false });
      if (!mayHaveRun && made.answer?.headers.get('idempotency-status') === 'replayed') call.onReplay?.();
      learned.isProven = true;
      return { value: made.value };
    }
    const { error, reason } = made;
    if (reason === undefined) return buildFailure(error);
    mayHaveRun ||= isAmbiguous(reason);

    const waitMs = nextAttemptInMs({
      reason,
      retrySafety: decideRetrySafety(call.operation, learned),
      attempt,
      retryAfterMs: askedMs,
      isPaced: turn !== undefined,
      leftMs: deadline.atMs - context.monotonicNow(),
      random: context.random(),
    });
    if (waitMs === undefined) return buildFailure(withRetryAfterHint(error, askedMs), reason);
    if (!call.isQuiet) context.onWait?.({ reason: maskKey(error.message, context.key), waitMs, attempt });
    const stop = await pause(context, waitMs, deadline);
    if (stop !== undefined) return buildFailure(stop, 'stopped');
  }
}

async function attemptOnce<T>(context: ClientContext, call: Call<T>, deadline: Deadline, attempt: number) {
  const { operation, id, body, idempotencyKey } = call;
  const given = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given as [string, string][]).toString();
  const url = `${context.baseUrl}${operationPath(operation, id)}${query === '' ? '' : `?${query}`}`;
  const request = { method: OPERATIONS[operation].method, url, body, idempotencyKey };
  const onHeaders = (headers: MessageHeaders): void => {
    if (isKeyHonoured(headers)) context.learned.learn({ honoursIdempotencyKeys: true });
  };
  const result = await exchange(context, request, deadline, { attempt, onHeaders });
  return result.error === undefined ? judge(result.answer, call, context.learned) : result;
}

/** Returns `Retry-After` in ms. A date is relative to the response's `Date`, because the local clock may be wrong. */
function readRetryAfterMs({ headers }: Answer, clock: () => number): number | undefined {
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  const sentAt = Date.parse(headers.get('date') ?? '');
  return retryAfterMs(header, Number.isNaN(sentAt) ? clock() : sentAt);
}

function isKeyHonoured(headers: MessageHeaders | undefined): boolean {
  return headers?.has('idempotency-status') === true;
}

function judge<T>(answer: Answer, { operation, decode }: Call<T>, learned: LearnedTraits): Attempt<T> {
  const error = readRefusal(answer, operation);
  if (error !== undefined) return { answer, error, reason: findRetryReason(error, answer.status) };
  try {
    return { answer, value: decode(answer) };
  } catch (failure) {
    if (!(failure instanceof PartnerError) || failure.code !== 'ANSWER_UNREADABLE') throw failure;
    // JSON from a route that may not exist isn't a temporary failure, so a retry would return the same.
    const isOtherRoute = !learned.isOffered(operation) && isJson(answer);
    return { answer, error: failure, reason: isOtherRoute ? undefined : 'unreadable' };
  }
}

/** HTTP 408, which a server can send even after it has received the whole request. */
const REQUEST_TIMEOUT = 408;

/** The error code takes precedence over the status (decision 7). */
function findRetryReason({ code }: PartnerError, status: number): RetryReason | undefined {
  if (code === 'RATE_LIMITED') return 'rate-limited';
  if (code === 'REQUEST_TIMEOUT') return 'unreadable';
  if (code === 'ANSWER_UNREADABLE') {
    return status < 400 || status === REQUEST_TIMEOUT ? 'unreadable' : undefined;
  }
  if (code !== 'SERVER_FAILED' && code !== 'INTERNAL' && code !== 'UNAVAILABLE') return undefined;
  if (status === NOT_IMPLEMENTED) return undefined;
  return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'failed';
}

async function awaitTurn(context: ClientContext, deadline: Deadline) {
  const { pace } = context;
  if (pace === undefined) return undefined;
  const turn = deadline.signal.aborted ? undefined : pace.turnNow();
  return turn ?? idle(context, deadline, (signal) => deadline.outside(() => pace.turn(signal)));
}

export function pause(context: ClientContext, waitMs: number, deadline: Deadline) {
  return idle(context, deadline, async (signal) => {
    await deadline.within(context.sleep(waitMs, signal));
    return undefined;
  });
}

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
  const hint = `the server requires a wait of ${seconds} s. Try again after that, or pass a longer --timeout`;
  return error.with({ hint });
}

/** A create that may have succeeded is OUTCOME_UNKNOWN, not a failure. Without a `reason`, the server refused it. */
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
    message: `${error.message}. The job may or may not exist`,
    status: error.status,
    mayHaveCreated: true,
    cause: error.cause,
  });
}

export function withoutKey(error: PartnerError, key: string): PartnerError {
  const { message, fields, hint, serverCode } = error;
  const maskText = (text: string): string => maskKey(text, key);
  return error.with({
    message: maskText(message),
    fields: fields && Object.fromEntries(Object.entries(fields).map((entry) => entry.map(maskText))),
    hint: hint && maskText(hint),
    serverCode: serverCode && maskText(serverCode),
  });
}

export function assertUsableKey(key: string): void {
  if (key === '') throw new PartnerError('KEY_MISSING');
  if (/[^\x21-\x7e]/.test(key)) {
    throw new PartnerError('INVALID_SERVICE_KEY', {
      message: 'the partner key contains a space, a line break or another invalid character',
    });
  }
}
