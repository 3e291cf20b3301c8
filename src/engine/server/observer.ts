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
  readonly status: number;
  readonly durationMs: number;
  readonly remoteAddress: string;
}

/** Is told of every request, such as a log or the metrics. Must not throw. */
export interface Observer {
  begun?(): void;
  answered(request: AnsweredRequest): void;
}
