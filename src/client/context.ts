import type { ExchangeOptions } from './exchange.ts';
import type { Pace } from './pacing.ts';
import type { LearnedTraits, ServerTraits } from './traits.ts';

export interface Wait {
  readonly reason: string;
  readonly waitMs: number;
  readonly attempt: number;
}

export interface ClientOptions extends Omit<ExchangeOptions, 'key'> {
  readonly baseUrl: string;
  readonly key: string | undefined;
  /** For a whole call: every attempt, the waits between them, and the bodies. */
  readonly timeoutMs: number;
  /** Milliseconds since 1970; only a `Retry-After` date of an answer without `Date` is compared with it. */
  readonly clock: () => number;
  readonly sleep: (waitMs: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly newIdempotencyKey: () => string;
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** The gate that every attempt passes; a call's time does not run while it waits there. */
  readonly pace?: Pace | undefined;
  /** Ends each wait between attempts at once, INTERRUPTED; an attempt under way still gets its answer. */
  readonly interrupted?: AbortSignal | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What this server calls the search text (decision 4); `q` where it is not given. */
  readonly locationQueryParameter?: string | undefined;
  readonly traits?: ServerTraits | undefined;
  readonly onLearn?: ((traits: ServerTraits) => void) | undefined;
}

export type ClientContext = Omit<ClientOptions, 'key'> & {
  readonly key: string;
  readonly learned: LearnedTraits;
};
