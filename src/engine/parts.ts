import type { PlainRequest, PlainResponse } from '../contract/http-messages.ts';
import type { Operation } from '../contract/operations.ts';
import type { Places } from '../places/place-names.ts';
import type { FileStore } from './applications/files.ts';
import type { KeyUses } from './companies/keys.ts';
import type { Body } from './http/body.ts';
import type { RequestFacts } from './server/observer.ts';
import type { Store } from './store/store.ts';

export interface EngineParts {
  readonly store: Store;
  readonly keyUses: Pick<KeyUses, 'record'>;
  readonly files: FileStore;
  readonly places: Places;
  readonly clock: () => number;
  /** Time for session lifetimes, which don't follow the engine's adjustable clock. */
  readonly machineClock: () => number;
  readonly elapsedMs?: (() => number) | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** Rate limit per client address of the candidate API. The default is 100 requests per second. */
  readonly candidateRateLimit?: RateLimit | undefined;
  readonly reportBug: ReportBug;
}

export type ReportBug = (error: unknown, request?: PlainRequest, origin?: RequestOrigin) => void;

export interface RateLimit {
  readonly perSecond: number;
}

export interface RequestOrigin {
  /** Undefined behind a proxy, because the socket then belongs to the proxy. */
  readonly localAddress?: string | undefined;
  readonly remoteAddress?: string | undefined;
  /** Set if observers exist. Handlers add details to `facts`. */
  readonly facts?: RequestFacts;
}

/** Responds to every request, even invalid ones, and never rejects. */
export type App = (request: PlainRequest, origin?: RequestOrigin) => Promise<PlainResponse>;

export interface Call {
  readonly operation: Operation;
  readonly companyId: string;
  readonly id: string | undefined;
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly idempotent: { readonly key: string; readonly requestDigest: string } | undefined;
}

export interface RouteResult {
  readonly status: number;
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Route = (call: Call, engine: EngineParts) => Promise<RouteResult>;
