import { PartnerError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { gateFacts } from '../companies/terms.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { type Action, decide, type LifecycleDecision } from '../lifecycle/decide.ts';
import { type JobState, jobAt } from '../lifecycle/job-state.ts';
import { foundJob } from '../lifecycle/refusals.ts';
import type { Call, EngineParts, Route, RouteResult } from '../parts.ts';
import type { Queries } from '../store/store.ts';

export const publishJob: Route = (call, engine) =>
  changeJob(call, engine, async (queries) => ({
    type: 'publish',
    facts: await gateFacts(queries, call.companyId),
  }));

export const pauseJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'pause' }));

export const resumeJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'resume' }));

export const closeJob: Route = (call, engine) => changeJob(call, engine, () => ({ type: 'close' }));

/** Loads the job, decides what the action does to it now, and commits that. Throws the refusal. */
export function changeJob(
  call: Call,
  engine: EngineParts,
  actionOf: (queries: Queries) => Action | Promise<Action>,
): Promise<RouteResult> {
  const id = jobIdOf(call);
  return withIdempotency(call, engine, async (queries) => {
    const job = foundJob(id, await queries.jobs.findForChange(call.companyId, id));
    const action = await actionOf(queries);
    const now = engine.clock();
    const changes = changesOf(decide(job, action, now));
    const changed: Job = { ...job, ...changes };
    if (Object.keys(changes).length > 0) await queries.jobs.replace(changed);
    return jobAt(changed, now);
  });
}

/** The job's id in the path. Throws NOT_FOUND for one that is no integer (decision 23). */
export function jobIdOf({ id = '' }: Pick<Call, 'id'>): number {
  if (!/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id))) throw new PartnerError('NOT_FOUND');
  return Number(id);
}

export function changesOf(decision: LifecycleDecision): Partial<JobState> {
  if ('refusal' in decision) throw decision.refusal;
  return decision.changes;
}
