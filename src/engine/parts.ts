import type { Operation } from '../contract/operations.ts';
import type { Places } from '../contract/place-names.ts';
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
  /** Sessions last by the machine's time, wherever the engine's clock is moved. */
  readonly machineClock: () => number;
  readonly elapsedMs?: (() => number) | undefined;
  readonly newId: () => string;
  readonly rateLimit?: RateLimit | undefined;
  /** Of each address on the candidates' side; 100 a second by default. */
  readonly candidateRateLimit?: RateLimit | undefined;
  readonly reportBug: ReportBug;
}

/** Takes an error that is a fault of the engine, never of the caller, and the request that met it, if any. */
export type ReportBug = (error: unknown, request?: Request, origin?: RequestOrigin) => void;

export interface RateLimit {
  readonly perSecond: number;
}

/** Where a request came from; empty where it was made in this process. */
export interface RequestOrigin {
  /** Of the socket; undefined behind a proxy, whose address says nothing of who is reached. */
  readonly localAddress?: string | undefined;
  readonly remoteAddress?: string | undefined;
  /** Given where somebody observes the requests, as are the facts, which are filled in on the way. */
  readonly requestId?: string;
  readonly facts?: RequestFacts;
}

/** An application as a value: answers every request, also those it refuses, and never rejects. */
export type App = (request: Request, origin?: RequestOrigin) => Promise<Response>;

export interface Call {
  readonly operation: Operation;
  readonly companyId: string;
  readonly id: string | undefined;
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly idempotent: IdempotentRequest | undefined;
}

export interface IdempotentRequest {
  readonly key: string;
  readonly requestDigest: string;
}

export interface RouteResult {
  readonly status: number;
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation: load facts, decide, commit. Throws a PartnerError for everything the caller is told. */
export type Route = (call: Call, engine: EngineParts) => Promise<RouteResult>;
