import type { Route } from '../http/call.ts';
import { changeJob, gateFacts } from './change-job.ts';

export const publishJob: Route = (call, engine) =>
  changeJob(call, engine, async (queries) => ({
    type: 'publish',
    facts: await gateFacts(queries, call.companyId),
  }));
