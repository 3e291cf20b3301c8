/** What is opened at its first use. */
export interface OpenedOnce<T> {
  /** Opens it, or gives what was opened. A failure is not kept: the next call tries again. */
  open(): Promise<T>;
  /** What is open or being opened, if anything: to close it. */
  opened(): Promise<T> | undefined;
}

/** Opens by `work`, once, unless that fails. */
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
