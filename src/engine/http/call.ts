import type { Operation } from '../../contract/operations.ts';
import type { EngineParts } from '../parts.ts';
import type { Body } from './body.ts';

/** A request as a route sees it: whose it is, and what it asks. */
export interface Call {
  readonly operation: Operation;
  readonly companyId: string;
  /** The `{id}` of the path as it was sent. */
  readonly id: string | undefined;
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly once: Once | undefined;
}

/** Decision 27: a request that is to have its effect once. */
export interface Once {
  readonly key: string;
  readonly requestDigest: string;
}

export interface Answer {
  readonly status: number;
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation: load facts, decide, commit. Throws a PartnerError for everything the caller is told. */
export type Route = (call: Call, engine: EngineParts) => Promise<Answer>;
