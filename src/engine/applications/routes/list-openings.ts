import { pageJson, pageQuery } from '../../routes/page.ts';
import { queryReader } from '../../routes/query.ts';
import { openingOf, shortened } from '../opening.ts';
import { isSurfaced } from '../surfaced.ts';
import type { CandidateRoute } from './route.ts';

/** The surfaced jobs: ACTIVE, no window filled (section 8, rule 5). Newest first, a page at a time. */
export const listOpenings: CandidateRoute = async ({ query: given }, { store, clock }) => {
  const query = queryReader(given);
  const asked = pageQuery(query);
  query.check();

  const now = clock();
  const json = await pageJson(
    asked,
    (batch) => store.read.openings.list(batch, now),
    async (row) => ((await isSurfaced(store.read.ledger, row, now)) ? shortened(openingOf(row)) : undefined),
  );
  return { status: 200, json };
};
