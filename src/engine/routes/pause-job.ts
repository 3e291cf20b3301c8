import type { Route } from '../http/call.ts';
import { changeJob } from './change-job.ts';

export const pauseJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'pause' }));
