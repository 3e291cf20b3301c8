import { pageJson, pageQuery } from '../../routes/page.ts';
import { queryReader } from '../../routes/query.ts';
import { openingOf, shortened } from '../opening.ts';
import { surfacing } from '../surfaced.ts';
import type { CandidateRoute } from './route.ts';

/** The surfaced jobs: ACTIVE, no window filled (section 8, rule 5). Newest first, a page at a time. */
export const listOpenings: CandidateRoute = async ({ query: given }, { store, clock }) => {
  const query = queryReader(given);
  const asked = pageQuery(query);
  query.check();

  const now = clock();
  const { openings, ledger } = store.read;
  const isSurfaced = surfacing(ledger, now);
  const json = await pageJson(
    asked,
    (batch) => openings.list(batch, now),
    async (row) => {
      const opening = (await isSurfaced(row)) ? await openings.find(Number(row.id)) : undefined;
      return opening && shortened(openingOf(opening));
    },
  );
  return { status: 200, json };
};
