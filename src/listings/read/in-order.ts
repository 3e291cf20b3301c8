/** How far ahead work is begun: by its count, and by the size that its items say they have. */
export interface Ahead {
  readonly itemsMax: number;
  readonly sizeMax: number;
}

/**
 * The results of work begun ahead of who asks for them, in the order of the items. What an item rejects with is
 * thrown when its turn comes.
 */
export async function* inOrder<T, U>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<U>,
  sizeOf: (item: T) => number,
  { itemsMax, sizeMax }: Ahead,
): AsyncGenerator<U> {
  const begun: { readonly result: Promise<U>; readonly size: number }[] = [];
  let size = 0;
  const take = async (): Promise<U> => {
    const first = begun.shift() as (typeof begun)[number];
    size -= first.size;
    return first.result;
  };
  for await (const item of items) {
    const result = work(item);
    // It is thrown in its turn; until then nobody may be waiting for it.
    result.catch(() => undefined);
    begun.push({ result, size: sizeOf(item) });
    size += sizeOf(item);
    while (begun.length >= itemsMax || (begun.length > 0 && size > sizeMax)) yield await take();
  }
  while (begun.length > 0) yield await take();
}
