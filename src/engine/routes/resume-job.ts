import type { Route } from '../http/call.ts';
import { changeJob } from './change-job.ts';

export const resumeJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'resume' }));
