import type { Route } from '../http/call.ts';
import { jobAt } from '../lifecycle/job-state.ts';
import { foundJob } from '../lifecycle/refusals.ts';
import { jobIdOf } from './change-job.ts';

export const getJob: Route = async (call, { store, clock }) => {
  const id = jobIdOf(call);
  const job = foundJob(id, await store.read.jobs.find(call.companyId, id));
  return { status: call.operation.status, json: JSON.stringify(jobAt(job, clock())) };
};
