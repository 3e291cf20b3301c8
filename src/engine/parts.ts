import type { Operation } from '../contract/operations.ts';
import type { Places } from '../contract/place-names.ts';
import type { FileStore } from './applications/files.ts';
import type { Body } from './http/body.ts';
import type { Store } from './store/store.ts';

export interface EngineParts {
  readonly store: Store;
  readonly files: FileStore;
  readonly places: Places;
  readonly clock: () => number;
  /** Sessions last by the machine's time, wherever the engine's clock is moved. */
  readonly machineClock: () => number;
  readonly newId: () => string;
  readonly rateLimit?: RateLimit | undefined;
  /** Of each address on the candidates' side; 100 a second by default. */
  readonly candidateRateLimit?: RateLimit | undefined;
  readonly reportBug: ReportBug;
}

/** Takes an error that is a fault of the engine, never of the caller, and the request that met it, if any. */
export type ReportBug = (error: unknown, request?: Request) => void;

export interface RateLimit {
  readonly perSecond: number;
}

/** The addresses of the socket that a request came through; empty where it was made in this process. */
export interface RequestOrigin {
  readonly localAddress?: string | undefined;
  readonly remoteAddress?: string | undefined;
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
