import { PartnerError } from '../contract/errors.ts';
import {
  createHeaders,
  type MessageHeaders,
  type PlainResponse,
  type TextRequest,
} from '../contract/http-messages.ts';
import { maskKey } from '../text/outside-text.ts';
import { networkFailure, unreachable } from './failure.ts';
import { LONGEST_TIMER_MS, type RetryReason } from './retry.ts';

/** A signal inside the Request would cost more than the rest of the exchange. */
export type Send = (request: TextRequest, signal: AbortSignal) => Promise<PlainResponse>;

export interface Answer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: MessageHeaders;
  readonly text: string;
}

interface TracedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

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

export interface Failure {
  readonly error: PartnerError;
  /** Undefined if a retry would get the same response. */
  readonly reason?: RetryReason | undefined;
}

export async function exchange(
  options: ExchangeOptions,
  parts: RequestParts,
  deadline: Deadline,
  { attempt = 1, onHeaders }: { attempt?: number; onHeaders?: (headers: MessageHeaders) => void } = {},
): Promise<{ readonly answer: Answer; readonly error?: never } | Failure> {
  const request = buildRequest(options, parts);
  const trace = traceAttempt(options, request, attempt);
  trace.request();
  try {
    const response = await deadline.within(options.send(request, deadline.signal));
    const { status, body } = response;
    const headers = 'plainHeaders' in response ? createHeaders(response.plainHeaders) : response.headers;
    onHeaders?.(headers);
    const { method, url } = request;
    const text = typeof body === 'string' ? body : await readText(body, url, deadline);
    const answer = { method, url, status, headers, text };
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

/** Sends a request once and returns any response, with the key masked. Throws UNREACHABLE, TIMED_OUT, … */
export type Probe = (request: ProbeRequest) => Promise<Answer>;

/** Detects what a server supports. A probe doesn't retry, reject error responses or store traits. */
export function createProbe(
  options: ExchangeOptions & { readonly baseUrl: string; readonly signal?: AbortSignal | undefined },
): Probe {
  return ({ path, timeoutMs, ...parts }) =>
    withDeadline({ ...options, timeoutMs }, async (deadline) => {
      const result = await exchange(options, { ...parts, url: `${options.baseUrl}${path}` }, deadline);
      if (result.error !== undefined) throw result.error;
      return { ...result.answer, text: maskKey(result.answer.text, options.key) };
    });
}

function buildRequest(
  { key, userAgent }: ExchangeOptions,
  { method, url, body, idempotencyKey }: RequestParts,
): TextRequest {
  const headers = createHeaders({
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    'user-agent': userAgent,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  });
  const text = body === undefined ? null : JSON.stringify(body);
  return { method, url: new URL(url).href, headers, body: text };
}

function traceAttempt({ trace, key, monotonicNow }: ExchangeOptions, request: TextRequest, attempt: number) {
  const startedAtMs = monotonicNow();
  const maskText = (text: string): string => maskKey(text, key);
  const maskMessage = (headers: MessageHeaders, body: string): TracedMessage => ({
    headers: Object.fromEntries([...headers.entries()].map(([name, value]) => [name, maskText(value)])),
    body: maskText(body),
  });
  const common = () => ({ method: request.method, url: maskText(request.url), attempt });
  const durationMs = (): number => monotonicNow() - startedAtMs;

  return {
    request: () =>
      trace?.({ kind: 'request', ...common(), ...maskMessage(request.headers, request.body ?? '') }),
    answer: ({ status, headers, text }: Answer) =>
      trace?.({
        kind: 'answer',
        ...common(),
        status,
        ...maskMessage(headers, text),
        durationMs: durationMs(),
      }),
    failure: (message: string) =>
      trace?.({ kind: 'failure', ...common(), message: maskText(message), durationMs: durationMs() }),
  };
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

async function readText(body: Response['body'], url: string, deadline: Deadline): Promise<string> {
  const bytes = await readBytes(body, deadline, MAX_ANSWER_BYTES, () => {
    const message = `the response of ${url} is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
    return new PartnerError('ANSWER_UNREADABLE', { mayHaveCreated: true, message });
  });
  return new TextDecoder().decode(bytes);
}

/** Reads a whole body. Cancels it at the deadline, and if it's too large. */
export async function readBytes(
  body: Response['body'],
  deadline: Deadline,
  maxBytes: number,
  createSizeError: () => PartnerError,
): Promise<Buffer> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const chunk = reader && (await deadline.within(reader.read()));
      if (chunk?.value === undefined) return Buffer.concat(chunks);
      size += chunk.value.byteLength;
      if (size > maxBytes) throw createSizeError();
      chunks.push(chunk.value);
    }
  } catch (error) {
    reader?.cancel().catch(() => {});
    throw error;
  }
}

/** Throws TIMED_OUT or INTERRUPTED at the deadline, and the errors of `work`. `own` is the signal of this call only. */
export async function withDeadline<T>(
  options: DeadlineOptions,
  work: (deadline: Deadline) => Promise<T>,
  own?: AbortSignal,
): Promise<T> {
  const deadline = startDeadline(options, own);
  try {
    deadline.signal.throwIfAborted();
    return await work(deadline);
  } finally {
    deadline.end();
  }
}

export type Deadline = ReturnType<typeof startDeadline>;

interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly monotonicNow: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** The abort reason is TIMED_OUT or INTERRUPTED. */
function startDeadline({ timeoutMs, monotonicNow, signal }: DeadlineOptions, own?: AbortSignal) {
  const controller = new AbortController();
  // A listener per promise would cost more than an in-process request.
  const waiting = new Set<(reason: PartnerError) => void>();
  const abort = (reason: PartnerError): void => {
    if (controller.signal.aborted) return;
    controller.abort(reason);
    for (const reject of waiting) reject(reason);
  };
  /** Rejects at the deadline, even if `work` ignores the signal. */
  const within = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (controller.signal.aborted) reject(controller.signal.reason);
      waiting.add(reject);
      work.then(resolve, reject).finally(() => waiting.delete(reject));
    });
  const interrupt = () => abort(new PartnerError('INTERRUPTED'));
  let atMs = monotonicNow() + timeoutMs;
  const startTimer = (leftMs: number) =>
    setTimeout(() => abort(createTimeoutError(timeoutMs)), Math.min(leftMs, LONGEST_TIMER_MS));
  let timer = startTimer(timeoutMs);
  for (const stop of [signal, own]) {
    stop?.addEventListener('abort', interrupt, { once: true });
    if (stop?.aborted) interrupt();
  }

  return {
    get atMs(): number {
      return atMs;
    },
    signal: controller.signal,
    within,
    /** Pauses the deadline while `work` runs, because time in a queue doesn't count toward the timeout. */
    async outside<T>(work: () => Promise<T>): Promise<T> {
      clearTimeout(timer);
      const leftMs = atMs - monotonicNow();
      try {
        return await within(work());
      } finally {
        atMs = monotonicNow() + leftMs;
        timer = startTimer(leftMs);
      }
    },
    end(): void {
      clearTimeout(timer);
      for (const stop of [signal, own]) stop?.removeEventListener('abort', interrupt);
    },
  };
}

function createTimeoutError(timeoutMs: number): PartnerError {
  return new PartnerError('TIMED_OUT', {
    message: `the request timed out after ${timeoutMs < 1000 ? `${timeoutMs} ms` : `${timeoutMs / 1000} s`}`,
  });
}
