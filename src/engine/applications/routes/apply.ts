import { readBody } from '../../http/body.ts';
import { foundJob } from '../../lifecycle/refusals.ts';
import { jobIdOf } from '../../routes/transitions.ts';
import { checkedApplication } from '../checked.ts';
import { asksOf } from '../opening.ts';
import { receiveApplication } from '../receive.ts';
import type { CandidateRoute } from './route.ts';

/** Takes an application. What it costs its employer is none of the candidate's business. */
export const applyToJob: CandidateRoute = async (visit, { store, clock }) => {
  const jobId = jobIdOf(visit);
  const body = await readBody(visit.request);
  const row = await store.read.openings.find(jobId);
  // Candidates know nothing of drafts; and no job becomes one again, so that this can be seen ahead.
  const opening = foundJob(jobId, row?.status === 'DRAFT' ? undefined : row);
  const application = checkedApplication(body.value(), asksOf(opening));
  const { id, status, receivedAt } = await store.write((queries) =>
    receiveApplication(queries, jobId, application, clock()),
  );
  return { status: 201, json: JSON.stringify({ id, jobId, status, receivedAt }) };
};
