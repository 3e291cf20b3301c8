import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the engine found out about a request while it answered it; a part of the request's origin. */
export interface RequestFacts {
  /** A name of the operations table, or `dashboard`, `candidate`, `healthz` and the like. */
  operation?: string;
  companyId?: string;
  /** The id of the partner key, never the key. */
  keyId?: string;
  /** What went wrong in the engine, where the answer is a 5xx. Not for the caller. */
  fault?: unknown;
}

export interface AnsweredRequest extends Readonly<RequestFacts> {
  /** Also in the answer's `X-Request-Id`. */
  readonly requestId: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** 0 where the connection was closed before there was an answer. */
  readonly status: number;
  readonly durationMs: number;
  readonly remoteAddress: string;
}

/** Is told of every request, such as a log or the metrics. Must not throw. */
export interface Observer {
  begun?(): void;
  answered(request: AnsweredRequest): void;
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Tells of a request once its answer is sent or its connection closed. Gives its part of the request's origin. */
export function observed(
  observers: readonly Observer[],
  { method = '', url = '', headers }: IncomingMessage,
  outgoing: ServerResponse,
  remoteAddress: string,
): { readonly requestId: string; readonly facts: RequestFacts } {
  const startedAt = performance.now();
  const given = headers['x-request-id'];
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  const facts: RequestFacts = {};
  outgoing.setHeader('X-Request-Id', requestId);
  outgoing.once('close', () => {
    const status = outgoing.headersSent ? outgoing.statusCode : 0;
    const [path = ''] = url.split('?', 1);
    const durationMs = performance.now() - startedAt;
    const answered = { ...facts, requestId, method, path, status, durationMs, remoteAddress };
    for (const observer of observers) observer.answered(answered);
  });
  for (const observer of observers) observer.begun?.();
  return { requestId, facts };
}
