import { gateFacts } from '../companies/gate-facts.ts';
import type { Route } from '../http/call.ts';
import { changeJob } from './change-job.ts';

export const publishJob: Route = (call, engine) =>
  changeJob(call, engine, async (queries) => ({
    type: 'publish',
    facts: await gateFacts(queries, call.companyId),
  }));
