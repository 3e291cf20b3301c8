export interface OpenedOnce<T> {
  /** Opens it, or gives what was opened. A failure is not kept: the next call tries again. */
  open(): Promise<T>;
  opened(): Promise<T> | undefined;
}

export function openOnce<T>(work: () => Promise<T>): OpenedOnce<T> {
  let opened: Promise<T> | undefined;
  return {
    open() {
      opened ??= work().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    opened: () => opened,
  };
}

/** Takes no more items once `isStopped` says so. Throws the first error when all that was begun has ended. */
export async function inPool<T>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const source = iteratorOf(items);
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (failures.length === 0 && !isStopped()) {
      const { done, value } = await source.next();
      if (done || failures.length > 0 || isStopped()) return;
      await work(value);
    }
  };
  const guarded = (): Promise<void> => worker().catch((error: unknown) => void failures.push(error));
  await Promise.all(Array.from({ length: concurrency }, guarded));
  await source.return?.();
  if (failures.length > 0) throw failures[0];
}

function iteratorOf<T>(items: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
