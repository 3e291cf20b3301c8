import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../../contract/limits.ts';
import type { EngineParts } from '../../parts.ts';
import { CURSOR_FAULT, cursorAfter, cursorId } from '../../routes/cursor.ts';
import { queryReader } from '../../routes/query.ts';
import { type Opening, openingOf, shortened } from '../opening.ts';
import { isSurfaced } from '../surfaced.ts';
import type { CandidateRoute } from './route.ts';

/** Rows that are read at once; other requests run between two batches. */
const BATCH_ROWS = 100;

/** The surfaced jobs: ACTIVE, no window filled (section 8, rule 5). Newest first, a page at a time. */
export const listOpenings: CandidateRoute = async ({ query: given }, engine) => {
  const query = queryReader(given);
  const limit = query.wholeNumber('limit', { max: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT });
  const beforeId = query.decoded('cursor', cursorId, CURSOR_FAULT);
  query.check();

  // One more than asked shows whether there is a next page.
  const openings = await surfaced(engine, beforeId, limit + 1);
  const items = openings.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = openings.length > limit && last !== undefined ? cursorAfter(last.id) : null;
  return { status: 200, json: JSON.stringify({ items: items.map(shortened), nextCursor }) };
};

/** The newest `count` surfaced jobs with an id below `beforeId`. */
async function surfaced(
  { store, clock }: EngineParts,
  beforeId: number | undefined,
  count: number,
): Promise<Opening[]> {
  const now = clock();
  const found: Opening[] = [];
  for (let before = beforeId; ; await nextTurn()) {
    const rows = await store.read.openings.list({ beforeId: before, limit: BATCH_ROWS }, now);
    for (const row of rows) {
      if (await isSurfaced(store.read.ledger, row, now)) found.push(openingOf(row));
      if (found.length === count) return found;
    }
    if (rows.length < BATCH_ROWS) return found;
    before = Number(rows.at(-1)?.id);
  }
}
