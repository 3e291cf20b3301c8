import { maskKey } from '../contract/mask.ts';
import type { Answer } from './answer.ts';

/** One step of a call as `--debug` shows it: the key is masked by its value in every part of it. */
export type TraceEvent = {
  readonly method: string;
  readonly url: string;
  /** 1 for the first. */
  readonly attempt: number;
} & (
  | {
      readonly kind: 'request';
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly durationMs: number;
    }
  | { readonly kind: 'failure'; readonly message: string; readonly durationMs: number }
);

/** Reports the steps of one attempt; each is a function, so that nothing is masked when nobody listens. */
export interface AttemptTrace {
  request(body: string): void;
  answer(answer: Answer): void;
  failure(message: string): void;
}

export interface TraceOptions {
  readonly trace: ((event: TraceEvent) => void) | undefined;
  readonly key: string;
  readonly monotonicNow: () => number;
}

/** Begins the trace of one attempt at a request. */
export function traceAttempt(
  { trace, key, monotonicNow }: TraceOptions,
  request: Request,
  attempt: number,
): AttemptTrace {
  const startedAtMs = monotonicNow();
  const masked = (text: string): string => maskKey(text, key);
  const maskedHeaders = (headers: Headers): Record<string, string> =>
    Object.fromEntries([...headers].map(([name, value]) => [name, masked(value)]));
  const common = () => ({ method: request.method, url: masked(request.url), attempt });
  const durationMs = (): number => monotonicNow() - startedAtMs;

  return {
    request: (body) =>
      trace?.({ kind: 'request', ...common(), headers: maskedHeaders(request.headers), body: masked(body) }),
    answer: ({ status, headers, text }) =>
      trace?.({
        kind: 'answer',
        ...common(),
        status,
        headers: maskedHeaders(headers),
        body: masked(text),
        durationMs: durationMs(),
      }),
    failure: (message) =>
      trace?.({ kind: 'failure', ...common(), message: masked(message), durationMs: durationMs() }),
  };
}
