import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../contract/values.ts';
import type { QueryReader } from './query.ts';

const BATCH_ROWS = 25;
/** A page ends early above this size, because a hundred of the largest jobs would be 100 MB. */
const PAGE_CHARACTERS = 1024 * 1024;

type PageQuery = ReturnType<typeof readPageQuery>;

export function readPageQuery(query: QueryReader) {
  return {
    limit: query.wholeNumber('limit', { max: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT }),
    beforeId: query.readDecoded('cursor', decodeCursor, "isn't the nextCursor of an earlier page"),
  };
}

/** A page ends early after this many rows, because a cap can hide all jobs of a large company. */
const PAGE_ROWS = 1_000;

/** Returns one page as JSON, `{ items, nextCursor }`. Omits rows for which `toJson` returns undefined. */
export async function formatPage<Row extends { readonly id: number }>(
  { limit, beforeId }: PageQuery,
  read: (batch: PageQuery) => Promise<readonly Row[]>,
  toJson: (row: Row) => string | undefined | Promise<string | undefined>,
): Promise<string> {
  const items: string[] = [];
  let characters = 0;
  let lastId: number | undefined;
  const page = (nextCursor: string | null) =>
    `{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`;
  for (let [before, seen] = [beforeId, 0]; ; await nextTurn()) {
    const rows = await read({ beforeId: before, limit: BATCH_ROWS });
    for (const row of rows) {
      const json = await toJson(row);
      if (json === undefined) continue;
      // An item that doesn't fit proves that there's a next page.
      if (lastId !== undefined && (items.length === limit || characters > PAGE_CHARACTERS)) {
        return page(encodeCursor(lastId));
      }
      items.push(json);
      characters += json.length;
      lastId = row.id;
    }
    if (rows.length < BATCH_ROWS) return page(null);
    before = rows.at(-1)?.id ?? 0;
    seen += rows.length;
    if (seen >= PAGE_ROWS) return page(encodeCursor(before));
  }
}

const CURSOR_PREFIX = 'before:';

function encodeCursor(id: number): string {
  return Buffer.from(`${CURSOR_PREFIX}${id}`).toString('base64url');
}

function decodeCursor(cursor: string): number | undefined {
  const id = Number(Buffer.from(cursor, 'base64url').toString().slice(CURSOR_PREFIX.length));
  return Number.isSafeInteger(id) && encodeCursor(id) === cursor ? id : undefined;
}
