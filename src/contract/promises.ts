/** Runs `work` once. After a failure, the next call runs it again. */
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

/** Stops taking items when `isStopped` returns true. Throws the first error after all running items have ended. */
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
  const runWorker = (): Promise<void> => worker().catch((error: unknown) => void failures.push(error));
  await Promise.all(Array.from({ length: concurrency }, runWorker));
  if (failures.length > 0) throw failures[0];
}
