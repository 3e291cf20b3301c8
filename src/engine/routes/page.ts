import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../contract/limits.ts';
import { CURSOR_FAULT, cursorAfter, cursorId } from './cursor.ts';
import type { QueryReader } from './query.ts';

/** Rows that are read at once; other requests run between two batches. */
const BATCH_ROWS = 25;
/** A page with so many characters ends early: a hundred of the largest jobs would be 100 MB. */
const PAGE_CHARACTERS = 1024 * 1024;

/** Which part of a list is asked for. */
export interface PageQuery {
  readonly limit: number;
  /** Only what has a lower id: where the page before ended. */
  readonly beforeId: number | undefined;
}

/** The `limit` and `cursor` of a query. */
export function pageQuery(query: QueryReader): PageQuery {
  return {
    limit: query.wholeNumber('limit', { max: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT }),
    beforeId: query.decoded('cursor', cursorId, CURSOR_FAULT),
  };
}

/**
 * One page as JSON, `{ items, nextCursor }`: of the rows that `read` gives, in its order, what `itemOf` makes of them;
 * those of which it makes nothing are not shown.
 */
export async function pageJson<Row extends { readonly id: number }>(
  { limit, beforeId }: PageQuery,
  read: (batch: PageQuery) => Promise<readonly Row[]>,
  itemOf: (row: Row) => object | undefined | Promise<object | undefined>,
): Promise<string> {
  const items: string[] = [];
  let characters = 0;
  let shown: number | undefined;
  const page = (nextCursor: string | null) =>
    `{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`;
  for (let before = beforeId; ; await nextTurn()) {
    const rows = await read({ beforeId: before, limit: BATCH_ROWS });
    for (const row of rows) {
      const item = await itemOf(row);
      if (item === undefined) continue;
      // One more than is shown says that there is a next page.
      if (shown !== undefined && (items.length === limit || characters > PAGE_CHARACTERS)) {
        return page(cursorAfter(shown));
      }
      const json = JSON.stringify(item);
      items.push(json);
      characters += json.length;
      shown = Number(row.id);
    }
    if (rows.length < BATCH_ROWS) return page(null);
    before = Number(rows.at(-1)?.id);
  }
}
