import { jobAt } from '../../lifecycle/job-state.ts';
import { foundJob } from '../../lifecycle/refusals.ts';
import { jobIdOf } from '../../routes/transitions.ts';
import { asksOf, openingOf } from '../opening.ts';
import type { CandidateRoute } from './route.ts';

/** One ACTIVE job with what its applications answer, also while a filled window hides it from the list. */
export const getOpening: CandidateRoute = async (visit, { store, clock }) => {
  const id = jobIdOf(visit);
  const row = foundJob(id, await store.read.openings.find(id));
  const { status } = jobAt({ status: row.status, expiresAt: row.expires_at }, clock());
  const opening = foundJob(id, status === 'ACTIVE' ? { ...openingOf(row), ...asksOf(row) } : undefined);
  return { status: 200, json: JSON.stringify(opening) };
};
