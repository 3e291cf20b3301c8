import { PartnerError } from '../contract/errors.ts';
import { maskKey } from '../contract/mask.ts';
import { textRequest } from '../contract/whole-text.ts';
import { type Answer, readAnswer } from './answer.ts';
import type { ClientOptions } from './client.ts';
import { unreachable } from './conclusion.ts';
import { startDeadline } from './deadline.ts';
import { networkFailure } from './failure.ts';
import { traceAttempt } from './trace.ts';

export interface ProbeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the base URL, query included. */
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly timeoutMs: number;
}

/**
 * Sends one request once, and gives the answer whatever it says, the key masked. Throws UNREACHABLE, TIMED_OUT,
 * INTERRUPTED and ANSWER_UNREADABLE.
 */
export type Probe = (request: ProbeRequest) => Promise<Answer>;

/** For finding out what a server does: an operation of the client would repeat, judge and remember. */
export function createProbe(
  options: Pick<ClientOptions, 'baseUrl' | 'send' | 'monotonicNow' | 'signal' | 'trace' | 'userAgent'> & {
    readonly key: string;
  },
): Probe {
  const { baseUrl, key, send, userAgent } = options;
  return async ({ method, path, body, idempotencyKey, timeoutMs }) => {
    const request = textRequest(`${baseUrl}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${key}`,
        'user-agent': userAgent,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const trace = traceAttempt({ ...options, trace: options.trace }, request, 1);
    trace.request(body === undefined ? '' : JSON.stringify(body));
    const deadline = startDeadline({ ...options, timeoutMs });
    try {
      deadline.signal.throwIfAborted();
      const response = await deadline.within(send(request, deadline.signal));
      const answer = await readAnswer(request, response, deadline);
      trace.answer(answer);
      return { ...answer, text: maskKey(answer.text, key) };
    } catch (error) {
      const failure = networkFailure(error);
      trace.failure(failure?.words ?? String(error));
      if (deadline.signal.aborted) throw deadline.signal.reason;
      if (error instanceof PartnerError || failure === undefined) throw error;
      throw unreachable(request.url, failure, error);
    } finally {
      deadline.end();
    }
  };
}
