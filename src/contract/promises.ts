/** A failure is not kept: the next call tries again. */
export function openOnce<T>(work: () => Promise<T>) {
  let opened: Promise<T> | undefined;
  return {
    open(): Promise<T> {
      opened ??= work().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    opened: (): Promise<T> | undefined => opened,
  };
}

/** Takes no more items once `isStopped` says so. Throws the first error when all that was begun has ended. */
export async function inPool<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const source = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (failures.length === 0 && !isStopped()) {
      const { done, value } = source.next();
      if (done) return;
      await work(value);
    }
  };
  const guarded = (): Promise<void> => worker().catch((error: unknown) => void failures.push(error));
  await Promise.all(Array.from({ length: concurrency }, guarded));
  if (failures.length > 0) throw failures[0];
}
