import QuickLRU from 'quick-lru';
import type { Store } from './store.ts';

/** Maximum age of a value that another process changed on PostgreSQL. On SQLite, changes are visible at once. */
const REMEMBERED_MS = 1_000;

export class Remembered<Value> {
  readonly #known: QuickLRU<
    string,
    { readonly value: Value; readonly version: number; readonly readAt: number }
  >;

  constructor(
    private readonly store: Pick<Store, 'version'>,
    maxSize: number,
    private readonly elapsedMs: () => number = () => performance.now(),
  ) {
    this.#known = new QuickLRU({ maxSize });
  }

  get(name: string): Value | undefined {
    const known = this.#known.get(name);
    const isCurrent =
      known !== undefined &&
      this.elapsedMs() - known.readAt < REMEMBERED_MS &&
      this.store.version() === known.version;
    return isCurrent ? known.value : undefined;
  }

  async read<Found extends Value | undefined>(name: string, read: () => Promise<Found>): Promise<Found> {
    const [version, readAt] = [this.store.version(), this.elapsedMs()];
    const value = await read();
    if (value !== undefined && this.store.version() === version) {
      this.#known.set(name, { value, version, readAt });
    }
    return value;
  }
}
