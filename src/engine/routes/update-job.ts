import type { Route } from '../http/call.ts';
import type { JobChanges } from '../lifecycle/job-state.ts';
import { changeJob } from './change-job.ts';
import { updateInput } from './job-input.ts';

/** The body is checked before the job is locked, but a missing job is answered first (decision 13). */
export const updateJob: Route = async (call, engine) => {
  const changes = outcomeOf(() => updateInput(call.body, engine));
  return changeJob(call, engine, () => ({ type: 'edit', changes: changes() }));
};

/** Runs `work` now and gives back, or throws, what came of it later. */
function outcomeOf(work: () => JobChanges): () => JobChanges {
  try {
    const changes = work();
    return () => changes;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
