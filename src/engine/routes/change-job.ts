import { PartnerError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import type { Answer, Call } from '../http/call.ts';
import { writeOnce } from '../http/idempotency.ts';
import { type Action, type Decision, decide } from '../lifecycle/decide.ts';
import { type JobState, jobAt } from '../lifecycle/job-state.ts';
import { foundJob } from '../lifecycle/refusals.ts';
import type { EngineParts } from '../parts.ts';
import type { Queries } from '../store/store.ts';

/** Loads the job, decides what `act` does to it now, and commits that. Throws the refusal. */
export function changeJob(
  call: Call,
  engine: EngineParts,
  act: (queries: Queries) => Action | Promise<Action>,
): Promise<Answer> {
  const id = jobIdOf(call);
  return writeOnce(call, engine, async (queries) => {
    const job = foundJob(id, await queries.jobs.findForChange(call.companyId, id));
    const action = await act(queries);
    const now = engine.clock();
    const changes = changesOf(decide(job, action, now));
    const changed: Job = { ...job, ...changes };
    if (Object.keys(changes).length > 0) await queries.jobs.replace(changed);
    return jobAt(changed, now);
  });
}

/** The job's id in the path; one that is no integer is no job's (decision 23): throws NOT_FOUND. */
export function jobIdOf({ id = '' }: Pick<Call, 'id'>): number {
  if (!/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id))) throw new PartnerError('NOT_FOUND');
  return Number(id);
}

/** What a decision changes; throws the refusal where it is one. */
export function changesOf(decision: Decision): Partial<JobState> {
  if ('refusal' in decision) throw decision.refusal;
  return decision.changes;
}
