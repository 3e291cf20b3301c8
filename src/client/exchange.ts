import { PartnerError } from '../contract/errors.ts';
import { maskKey } from '../contract/outside-text.ts';
import { textRequest, wholeText } from '../contract/whole-text.ts';
import { networkFailure, unreachable } from './failure.ts';
import type { RetryReason } from './retry.ts';

/** The signal is not the request's own: that would cost more than the rest of a call. */
export type Send = (request: Request, signal: AbortSignal) => Promise<Response>;

export interface Answer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface TracedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** For `--debug`, with the key masked. */
export type TraceEvent = { readonly method: string; readonly url: string; readonly attempt: number } & (
  | ({ readonly kind: 'request' } & TracedMessage)
  | ({ readonly kind: 'answer'; readonly status: number; readonly durationMs: number } & TracedMessage)
  | { readonly kind: 'failure'; readonly message: string; readonly durationMs: number }
);

export interface ExchangeOptions {
  readonly key: string;
  readonly send: Send;
  readonly userAgent: string;
  readonly monotonicNow: () => number;
  readonly trace?: ((event: TraceEvent) => void) | undefined;
}

export interface RequestParts {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly body?: object | undefined;
  readonly idempotencyKey?: string | undefined;
}

export type Exchange =
  | { readonly answer: Answer; readonly error?: never }
  | {
      readonly error: PartnerError;
      /** Undefined for a redirect that is not followed: it is an answer, and would be the same again. */
      readonly reason?: RetryReason;
    };

export async function exchange(
  options: ExchangeOptions,
  parts: RequestParts,
  deadline: Deadline,
  { attempt = 1, onHeaders }: { attempt?: number; onHeaders?: (headers: Headers) => void } = {},
): Promise<Exchange> {
  const body = parts.body === undefined ? undefined : JSON.stringify(parts.body);
  const request = requestOf(options, parts, body);
  const trace = traceAttempt(options, request, attempt);
  trace.request(body ?? '');
  try {
    const response = await deadline.within(options.send(request, deadline.signal));
    onHeaders?.(response.headers);
    const answer = await readAnswer(request, response, deadline);
    trace.answer(answer);
    return { answer };
  } catch (error) {
    const failure = networkFailure(error);
    trace.failure(failure?.words ?? (error instanceof Error ? error.message : String(error)));
    if (error instanceof PartnerError && error.mayHaveCreated) return { error, reason: 'bad-redirect' };
    if (error instanceof PartnerError && error.status !== undefined) return { error };
    if (deadline.signal.aborted) return { error: deadline.signal.reason, reason: 'stopped' };
    if (failure === undefined) throw error;
    return { error: unreachable(request.url, failure, error), reason: failure.reason };
  }
}

export type ProbeRequest = Omit<RequestParts, 'url'> & {
  readonly path: string;
  readonly timeoutMs: number;
};

/** Sends one request once and gives the answer, whatever it says, the key masked. Throws UNREACHABLE, TIMED_OUT, … */
export type Probe = (request: ProbeRequest) => Promise<Answer>;

/** For finding out what a server does: an operation of the client would repeat, judge and remember. */
export function createProbe(
  options: ExchangeOptions & { readonly baseUrl: string; readonly signal?: AbortSignal | undefined },
): Probe {
  return async ({ path, timeoutMs, ...parts }) => {
    const deadline = startDeadline({ ...options, timeoutMs });
    try {
      deadline.signal.throwIfAborted();
      const result = await exchange(options, { ...parts, url: `${options.baseUrl}${path}` }, deadline);
      if (result.error !== undefined) throw result.error;
      return { ...result.answer, text: maskKey(result.answer.text, options.key) };
    } finally {
      deadline.end();
    }
  };
}

function requestOf(
  { key, userAgent }: ExchangeOptions,
  { method, url, idempotencyKey }: RequestParts,
  body: string | undefined,
): Request {
  return textRequest(url, {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${key}`,
      'user-agent': userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body,
  });
}

function traceAttempt({ trace, key, monotonicNow }: ExchangeOptions, request: Request, attempt: number) {
  const startedAtMs = monotonicNow();
  const masked = (text: string): string => maskKey(text, key);
  const maskedHeaders = (headers: Headers): Record<string, string> =>
    Object.fromEntries([...headers].map(([name, value]) => [name, masked(value)]));
  const common = () => ({ method: request.method, url: masked(request.url), attempt });
  const durationMs = (): number => monotonicNow() - startedAtMs;

  return {
    request: (body: string) =>
      trace?.({ kind: 'request', ...common(), headers: maskedHeaders(request.headers), body: masked(body) }),
    answer: ({ status, headers, text }: Answer) =>
      trace?.({
        kind: 'answer',
        ...common(),
        status,
        headers: maskedHeaders(headers),
        body: masked(text),
        durationMs: durationMs(),
      }),
    failure: (message: string) =>
      trace?.({ kind: 'failure', ...common(), message: masked(message), durationMs: durationMs() }),
  };
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

async function readAnswer(request: Request, response: Response, deadline: Deadline): Promise<Answer> {
  const { method, url } = request;
  const { status, headers } = response;
  const text = wholeText(response) ?? (await readText(response.body, url, deadline));
  return { method, url, status, headers, text };
}

async function readText(body: ReadableStream<Uint8Array> | null, url: string, deadline: Deadline) {
  if (body === null) return '';
  const reader = body.getReader();
  try {
    return await deadline.within(textOf(reader, url));
  } catch (error) {
    // A body that nobody reads on would hold its connection.
    reader.cancel().catch(() => {});
    throw error;
  }
}

async function textOf(reader: ReadableStreamDefaultReader<Uint8Array>, url: string): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.join('') + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      throw new PartnerError('ANSWER_UNREADABLE', {
        mayHaveCreated: true,
        message: `${url} answered with more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`,
      });
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type Deadline = ReturnType<typeof startDeadline>;

export interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly monotonicNow: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** The reason is TIMED_OUT or INTERRUPTED; `own` is the call's own signal. */
export function startDeadline({ timeoutMs, monotonicNow, signal }: DeadlineOptions, own?: AbortSignal) {
  const controller = new AbortController();
  // By hand: a listener on the signal for each of them would cost more than a call in this process.
  const waiting = new Set<(reason: PartnerError) => void>();
  const abort = (reason: PartnerError): void => {
    if (controller.signal.aborted) return;
    controller.abort(reason);
    for (const reject of waiting) reject(reason);
  };
  /** Never waits past the deadline, whether or not `work` heeds the signal. */
  const within = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (controller.signal.aborted) reject(controller.signal.reason);
      waiting.add(reject);
      work.then(resolve, reject).finally(() => waiting.delete(reject));
    });
  const interrupt = () => abort(new PartnerError('INTERRUPTED'));
  let atMs = monotonicNow() + timeoutMs;
  const timerFor = (leftMs: number) =>
    setTimeout(() => abort(timedOut(timeoutMs)), Math.min(leftMs, LONGEST_TIMER_MS));
  let timer = timerFor(timeoutMs);
  for (const stop of [signal, own]) {
    stop?.addEventListener('abort', interrupt, { once: true });
    if (stop?.aborted) interrupt();
  }

  return {
    /** On the clock of `monotonicNow`. */
    get atMs(): number {
      return atMs;
    },
    /** Its reason is a PartnerError. */
    signal: controller.signal,
    within,
    /** The clock stands still meanwhile: a turn in a queue is not the call's own time. */
    async outside<T>(work: () => Promise<T>): Promise<T> {
      clearTimeout(timer);
      const leftMs = atMs - monotonicNow();
      try {
        return await within(work());
      } finally {
        atMs = monotonicNow() + leftMs;
        timer = timerFor(leftMs);
      }
    },
    /** Frees the timer, which would keep the process alive. */
    end(): void {
      clearTimeout(timer);
      for (const stop of [signal, own]) stop?.removeEventListener('abort', interrupt);
    },
  };
}

function timedOut(timeoutMs: number): PartnerError {
  return new PartnerError('TIMED_OUT', {
    message: `the call did not end within ${timeoutMs < 1000 ? `${timeoutMs} ms` : `${timeoutMs / 1000} s`}`,
  });
}
