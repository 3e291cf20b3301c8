import type { Route } from '../http/call.ts';
import { changeJob } from './change-job.ts';

export const closeJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'close' }));
