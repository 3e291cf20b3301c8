import { gateFacts } from '../companies/gate-facts.ts';
import type { Route } from '../http/call.ts';
import { writeOnce } from '../http/idempotency.ts';
import { decide } from '../lifecycle/decide.ts';
import { draftOf } from '../lifecycle/job-state.ts';
import { changesOf } from './change-job.ts';
import { createInput } from './job-input.ts';

/** A create is a draft; with `publish` also its publication, in one transaction or not at all (section 3). */
export const createJob: Route = async (call, engine) => {
  const { changes, publish } = createInput(call.body, engine);
  return writeOnce(call, engine, async (queries) => {
    const draft = draftOf(call.companyId, changes);
    const facts = publish ? await gateFacts(queries, call.companyId) : undefined;
    const now = engine.clock();
    const published = facts && changesOf(decide(draft, { type: 'publish', facts }, now));
    return queries.jobs.insert({ ...draft, ...published }, now);
  });
};
