import { JOB_STATUSES } from '../../contract/values.ts';
import { jobAt } from '../lifecycle/job-state.ts';
import { foundJob } from '../lifecycle/refusals.ts';
import type { Route } from '../parts.ts';
import { pageJson, pageQuery } from './page.ts';
import { queryReader } from './query.ts';
import { jobIdOf } from './transitions.ts';

export const getJob: Route = async (call, { store, clock }) => {
  const id = jobIdOf(call);
  const job = foundJob(id, await store.read.jobs.find(call.companyId, id));
  return { status: call.operation.status, json: JSON.stringify(jobAt(job, clock())) };
};

/** Decision 5: the jobs of the company, newest first, a page at a time. */
export const listJobs: Route = async (call, { store, clock }) => {
  const query = queryReader(call.query);
  const status = query.oneOf('status', JOB_STATUSES);
  const opportunityId = query.decoded('opportunityId', withoutNul, 'holds a NUL character; remove it');
  const page = pageQuery(query);
  query.check();

  const now = clock();
  const { companyId } = call;
  const json = await pageJson(
    page,
    (batch) => store.read.jobs.list({ companyId, status, opportunityId, ...batch }, now),
    (job) => jobAt(job, now),
  );
  return { status: call.operation.status, json };
};

/** No job's text holds a NUL, and PostgreSQL refuses to look for one. */
function withoutNul(text: string): string | undefined {
  return text.includes('\0') ? undefined : text;
}
