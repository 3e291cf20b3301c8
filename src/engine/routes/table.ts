import type { OperationName } from '../../contract/operations.ts';
import type { Route } from '../http/call.ts';
import { closeJob } from './close-job.ts';
import { createJob } from './create-job.ts';
import { getJob } from './get-job.ts';
import { listJobs } from './list-jobs.ts';
import { pauseJob } from './pause-job.ts';
import { publishJob } from './publish-job.ts';
import { resumeJob } from './resume-job.ts';
import { searchLocations } from './search-locations.ts';
import { updateJob } from './update-job.ts';

/** The route of each operation; the table of operations says where it is reached. */
export const ROUTES: Readonly<Record<OperationName, Route>> = {
  createJob,
  updateJob,
  publishJob,
  pauseJob,
  resumeJob,
  closeJob,
  getJob,
  listJobs,
  searchLocations,
};
