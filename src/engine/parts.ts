import type { Places } from '../contract/places.ts';
import type { FileStore } from './applications/files.ts';
import type { Store } from './store/store.ts';

/** Everything that the engine's application is put together from. */
export interface EngineParts {
  readonly store: Store;
  /** What candidates have sent. */
  readonly files: FileStore;
  readonly places: Places;
  /** Now, in epoch ms. */
  readonly clock: () => number;
  /** A new id for a qualification or a question. */
  readonly newId: () => string;
  readonly rateLimit?: RateLimit | undefined;
  /** Is told of every error that is a fault of the engine, never of the caller. */
  readonly reportBug: (error: unknown) => void;
}

/** Decision 14: how many requests a key may send in each second. */
export interface RateLimit {
  readonly perSecond: number;
}
