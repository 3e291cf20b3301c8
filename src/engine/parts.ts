import type { Places } from '../contract/places.ts';
import type { FileStore } from './applications/files.ts';
import type { Store } from './store/store.ts';

/** Everything that the engine's application is put together from. */
export interface EngineParts {
  readonly store: Store;
  /** What candidates have sent. */
  readonly files: FileStore;
  readonly places: Places;
  /** The engine's time, in epoch ms. */
  readonly clock: () => number;
  /** The machine's time, in epoch ms: sessions last by it, wherever the engine's clock is moved. */
  readonly machineClock: () => number;
  /** A new id for a qualification or a question. */
  readonly newId: () => string;
  readonly rateLimit?: RateLimit | undefined;
  /** Of each address on the candidates' side; 100 a second where nothing is said. */
  readonly candidateRateLimit?: RateLimit | undefined;
  readonly reportBug: ReportBug;
}

/** Takes an error that is a fault of the engine, never of the caller, and the request that met it, where one did. */
export type ReportBug = (error: unknown, request?: Request) => void;

/** Decision 14: how many requests a key, or a candidate's address, may send in each second. */
export interface RateLimit {
  readonly perSecond: number;
}

/** How a request came to this machine; nothing where it was made in this process. */
export interface Arrival {
  /** The address it came to, as the socket names it. */
  readonly localAddress?: string | undefined;
  /** The address it came from. */
  readonly remoteAddress?: string | undefined;
}

/** An application as a value: answers every request, also those it refuses, and never rejects. */
export type App = (request: Request, arrival?: Arrival) => Promise<Response>;
