import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../contract/values.ts';
import type { QueryReader } from './query.ts';

const BATCH_ROWS = 25;
/** A page with so many characters ends early: a hundred of the largest jobs would be 100 MB. */
const PAGE_CHARACTERS = 1024 * 1024;

export interface PageQuery {
  readonly limit: number;
  /** Only rows with a lower id: where the page before ended. */
  readonly beforeId: number | undefined;
}

export function pageQuery(query: QueryReader): PageQuery {
  return {
    limit: query.wholeNumber('limit', { max: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT }),
    beforeId: query.decoded('cursor', cursorId, 'is not the nextCursor of an earlier page'),
  };
}

/** A page ends early where so many rows were looked at: a cap may hide every job of a large company. */
const PAGE_ROWS = 1_000;

/** One page as JSON, `{ items, nextCursor }`; rows for which `jsonOf` gives undefined are left out. */
export async function pageJson<Row extends { readonly id: number }>(
  { limit, beforeId }: PageQuery,
  read: (batch: PageQuery) => Promise<readonly Row[]>,
  jsonOf: (row: Row) => string | undefined | Promise<string | undefined>,
): Promise<string> {
  const items: string[] = [];
  let characters = 0;
  let lastId: number | undefined;
  const page = (nextCursor: string | null) =>
    `{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`;
  for (let [before, seen] = [beforeId, 0]; ; await nextTurn()) {
    const rows = await read({ beforeId: before, limit: BATCH_ROWS });
    for (const row of rows) {
      const json = await jsonOf(row);
      if (json === undefined) continue;
      // One more item than fits shows that there is a next page.
      if (lastId !== undefined && (items.length === limit || characters > PAGE_CHARACTERS)) {
        return page(cursorAfter(lastId));
      }
      items.push(json);
      characters += json.length;
      lastId = Number(row.id);
    }
    if (rows.length < BATCH_ROWS) return page(null);
    before = Number(rows.at(-1)?.id);
    seen += rows.length;
    if (seen >= PAGE_ROWS) return page(cursorAfter(before));
  }
}

const CURSOR_PREFIX = 'before:';

function cursorAfter(id: number): string {
  return Buffer.from(`${CURSOR_PREFIX}${id}`).toString('base64url');
}

function cursorId(cursor: string): number | undefined {
  const id = Number(Buffer.from(cursor, 'base64url').toString().slice(CURSOR_PREFIX.length));
  return Number.isSafeInteger(id) && cursorAfter(id) === cursor ? id : undefined;
}
