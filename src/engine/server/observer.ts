import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface RequestFacts {
  operation?: string;
  companyId?: string;
  keyId?: string;
  /** Cause of a 5xx response. Never sent to the client. */
  fault?: unknown;
}

export interface AnsweredRequest extends Readonly<RequestFacts> {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** 0 if the connection closed before a response. */
  readonly status: number;
  readonly durationMs: number;
  readonly remoteAddress: string;
}

export interface Observer {
  noteRequest?(): void;
  noteAnswer(request: AnsweredRequest): void;
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

export function observeRequest(
  observers: readonly Observer[],
  { method = '', url = '', headers }: IncomingMessage,
  outgoing: ServerResponse,
  remoteAddress: string,
): RequestFacts {
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
    for (const observer of observers) observer.noteAnswer(answered);
  });
  for (const observer of observers) observer.noteRequest?.();
  return facts;
}
