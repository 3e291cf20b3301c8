import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../../contract/limits.ts';
import { JOB_LEVELS, JOB_TYPES, REMOTE_OPTIONS } from '../../../contract/values.ts';
import type { EngineParts } from '../../parts.ts';
import { CURSOR_FAULT, cursorAfter, cursorId } from '../../routes/cursor.ts';
import { queryReader } from '../../routes/query.ts';
import type { OpeningFilter } from '../../store/openings.ts';
import { type Opening, openingOf, shortened } from '../opening.ts';
import { placeSearch } from '../place-search.ts';
import { isSurfaced } from '../surfaced.ts';
import { wordSearch } from '../word-search.ts';
import type { CandidateRoute } from './route.ts';

/** Rows that are read at once; in between others have their turn. */
const BATCH_ROWS = 200;

/** The surfaced jobs: ACTIVE, no window filled (section 8, rule 5). Newest first, a page at a time. */
export const listOpenings: CandidateRoute = async ({ query: given }, engine) => {
  const query = queryReader(given);
  const q = query.text('q') ?? '';
  const location = query.text('location')?.trim() ?? '';
  const remoteOption = query.oneOf('remote', REMOTE_OPTIONS);
  const jobType = query.oneOf('type', JOB_TYPES);
  const jobLevel = query.oneOf('level', JOB_LEVELS);
  const limit = query.wholeNumber('limit', { max: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT });
  const beforeId = query.decoded('cursor', cursorId, CURSOR_FAULT);
  query.check();

  const hasWords = wordSearch(q);
  const isThere = location === '' ? () => true : placeSearch(location, engine.places);
  const isWanted = (opening: Opening): boolean =>
    isThere(opening) && hasWords(opening.title, opening.description);
  const filter = { remoteOption, jobType, jobLevel, beforeId, limit: BATCH_ROWS };
  // One more than asked tells whether there is a next page.
  const openings = await surfaced(engine, filter, isWanted, limit + 1);
  const items = openings.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = openings.length > limit && last !== undefined ? cursorAfter(last.id) : null;
  return { status: 200, json: JSON.stringify({ items: items.map(shortened), nextCursor }) };
};

/** So many of the surfaced jobs that are wanted, from the newest on. */
async function surfaced(
  { store, clock }: EngineParts,
  filter: OpeningFilter,
  isWanted: (opening: Opening) => boolean,
  count: number,
): Promise<Opening[]> {
  const now = clock();
  const found: Opening[] = [];
  let { beforeId } = filter;
  for (;;) {
    const rows = await store.read.openings.list({ ...filter, beforeId }, now);
    for (const row of rows) {
      const opening = openingOf(row);
      beforeId = opening.id;
      if (isWanted(opening) && (await isSurfaced(store.read.ledger, row, now))) found.push(opening);
      if (found.length === count) return found;
    }
    if (rows.length < filter.limit) return found;
    await nextTurn();
  }
}
