const CURSOR_PREFIX = 'before:';

/** What is wrong with a cursor that `cursorId` cannot read. */
export const CURSOR_FAULT = 'is not the nextCursor of an earlier page';

/** The cursor behind a page, newest first, whose last item has this id. */
export function cursorAfter(id: number): string {
  return Buffer.from(`${CURSOR_PREFIX}${id}`).toString('base64url');
}

/** The id in a cursor; undefined where the cursor is none of ours. */
export function cursorId(cursor: string): number | undefined {
  const id = Number(Buffer.from(cursor, 'base64url').toString().slice(CURSOR_PREFIX.length));
  return Number.isSafeInteger(id) && cursorAfter(id) === cursor ? id : undefined;
}
