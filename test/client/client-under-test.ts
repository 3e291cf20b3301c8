import { type ClientOptions, PartnerClient, type TraceEvent, type Wait } from '../../src/client/client.ts';
import { type ErrorCode, PartnerError } from '../../src/contract/errors.ts';
import type { TextRequest } from '../../src/contract/http-messages.ts';

export const KEY = 'sk_ext_test_4c1d9f3c2ab7';
export const BASE_URL = 'https://api.example.com/v1';
const NOW_MS = Date.parse('2026-03-02T10:00:00Z');

/** The clocks move only during waits, and the jitter is always one half. */
export function clientOn(send: ClientOptions['send'], overrides: Partial<ClientOptions> = {}) {
  const waitsMs: number[] = [];
  const waits: Wait[] = [];
  const events: TraceEvent[] = [];
  let nowMs = NOW_MS;
  let keys = 0;
  const client = new PartnerClient({
    baseUrl: BASE_URL,
    key: KEY,
    send,
    timeoutMs: 30_000,
    clock: () => nowMs,
    monotonicNow: () => nowMs,
    sleep: async (waitMs) => {
      waitsMs.push(waitMs);
      nowMs += waitMs;
    },
    random: () => 0.5,
    newIdempotencyKey: () => `key-${++keys}`,
    userAgent: 'partner/test',
    trace: (event) => events.push(event),
    onWait: (wait) => waits.push(wait),
    ...overrides,
  });
  return { client, waitsMs, waits, events };
}

export type Step = Response | Error | ((request: TextRequest) => Response | Promise<Response>);

/** Plays the steps in order and repeats the last one forever. */
export function scripted(...steps: readonly Step[]) {
  const requests: SentRequest[] = [];
  const send = async (request: TextRequest): Promise<Response> => {
    const step = steps[Math.min(requests.length, steps.length - 1)];
    requests.push({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: request.body ?? '',
    });
    if (step instanceof Error) throw step;
    if (typeof step === 'function') return step(request);
    if (step === undefined) throw new Error('no step is scripted');
    return step.clone();
  };
  return { send, requests };
}

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: TextRequest['headers'];
  readonly body: string;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** The contract's error body (2.7). */
export function envelope(status: number, code: string, message = 'said so', more: object = {}, headers = {}) {
  return json(status, { error: { code, message, ...more } }, headers);
}

/** The error that fetch throws if the network fails. */
export function networkError(code: string, more: object = {}): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, ...more }) });
}

/** Fails if the call succeeds or fails with another code. */
export async function failureOf(call: Promise<unknown>, code: ErrorCode): Promise<PartnerError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in outcome) throw new Error(`gave ${JSON.stringify(outcome.value)} instead of ${code}`);
  if (!(outcome.error instanceof PartnerError)) throw outcome.error;
  if (outcome.error.code !== code)
    throw new Error(`${outcome.error.code} instead of ${code}: ${outcome.error.message}`);
  return outcome.error;
}
