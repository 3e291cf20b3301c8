import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../contract/limits.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import type { Route } from '../http/call.ts';
import { jobAt } from '../lifecycle/job-state.ts';
import { CURSOR_FAULT, cursorAfter, cursorId } from './cursor.ts';
import { queryReader } from './query.ts';

/** Decision 5: the jobs of the company, newest first, a page at a time. */
export const listJobs: Route = async (call, { store, clock }) => {
  const query = queryReader(call.query);
  const status = query.oneOf('status', JOB_STATUSES);
  const opportunityId = query.decoded('opportunityId', withoutNul, 'holds a NUL character; remove it');
  const limit = query.wholeNumber('limit', { max: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT });
  const beforeId = query.decoded('cursor', cursorId, CURSOR_FAULT);
  query.check();

  const now = clock();
  const { companyId } = call;
  // One more than asked tells whether there is a next page.
  const jobs = await store.read.jobs.list(
    { companyId, status, opportunityId, beforeId, limit: limit + 1 },
    now,
  );
  const items = jobs.slice(0, limit).map((job) => jobAt(job, now));
  const last = items.at(-1);
  const nextCursor = jobs.length > limit && last !== undefined ? cursorAfter(last.id) : null;
  return { status: call.operation.status, json: JSON.stringify({ items, nextCursor }) };
};

/** No job's text holds one, and PostgreSQL refuses to look for it. */
function withoutNul(text: string): string | undefined {
  return text.includes('\0') ? undefined : text;
}
