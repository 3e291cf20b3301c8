import { isOver } from '../../contract/lifecycle.ts';
import type { StateEntry } from '../state/state.ts';
import type { JobFacts } from './job-facts.ts';
import { NOTES } from './notes.ts';
import { noticeStep, type PlanStep, unwantedStep } from './steps.ts';

/** What becomes of a remembered listing that is no longer wanted: nothing but a word without `--prune`. */
export function orphanStep(
  key: string,
  entry: StateEntry,
  facts: JobFacts | 'gone',
  { prune }: { readonly prune: boolean },
): PlanStep {
  const status = facts === 'gone' ? undefined : facts.status;
  if (facts === 'gone' || isOver(status)) {
    return prune ? pruned(key, 'record', entry.job, status) : undefined;
  }
  if (prune && (status === 'ACTIVE' || status === 'PAUSED')) return pruned(key, 'close', entry.job, status);
  const note =
    prune && status === 'DRAFT'
      ? NOTES.DRAFT_NOT_CLOSED(entry.job)
      : NOTES.NO_LONGER_WANTED(entry.job, facts.status);
  return noticeStep(key, undefined, facts, { notes: [note] });
}

function pruned(
  key: string,
  action: 'close' | 'record',
  jobId: number,
  status: string | undefined,
): PlanStep {
  return unwantedStep(key, action, { jobId, status, forget: true, notes: [NOTES.PRUNED(jobId, status)] });
}
