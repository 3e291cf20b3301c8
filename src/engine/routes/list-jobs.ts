import { JOB_STATUSES } from '../../contract/values.ts';
import type { Route } from '../http/call.ts';
import { jobAt } from '../lifecycle/job-state.ts';
import { pageJson, pageQuery } from './page.ts';
import { queryReader } from './query.ts';

/** Decision 5: the jobs of the company, newest first, a page at a time. */
export const listJobs: Route = async (call, { store, clock }) => {
  const query = queryReader(call.query);
  const status = query.oneOf('status', JOB_STATUSES);
  const opportunityId = query.decoded('opportunityId', withoutNul, 'holds a NUL character; remove it');
  const asked = pageQuery(query);
  query.check();

  const now = clock();
  const { companyId } = call;
  const json = await pageJson(
    asked,
    (batch) => store.read.jobs.list({ companyId, status, opportunityId, ...batch }, now),
    (job) => jobAt(job, now),
  );
  return { status: call.operation.status, json };
};

/** No job's text holds one, and PostgreSQL refuses to look for it. */
function withoutNul(text: string): string | undefined {
  return text.includes('\0') ? undefined : text;
}
