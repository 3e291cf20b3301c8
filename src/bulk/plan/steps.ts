import type { ServerJob } from '../../client/client.ts';
import { hasEnded, isPublished } from '../../contract/lifecycle.ts';
import type { StateEntry } from '../state/state.ts';
import { describeKey } from './desired-listing.ts';
import type { Match } from './match.ts';
import { createNote, type NoteName, type PlanNote } from './notes.ts';
import type { PlanItem, PlanOptions, PlanStep } from './plan-item.ts';

export interface JobFacts {
  readonly id: number;
  /** The string `undefined` if the server doesn't return a status. */
  readonly status: string;
  readonly isFrozen: boolean;
  /** Stored only if fields must be compared, to save memory for large sets of jobs. */
  readonly job?: ServerJob | undefined;
}

type Action = PlanStep['action'];
type Over = Partial<Omit<PlanItem, 'action'>>;

export function buildStep({ wanted, entry, was }: Match, action: Action, over: Over) {
  const { key, label, file, line, digest, origins, publish } = wanted;
  const { notes = [], status } = over;
  const said = publish ? markNotLive(action, status, notes) : { notes };
  return buildUnlistedStep(key, action, {
    file,
    line,
    jobId: entry?.job,
    digest,
    ...(origins && { origins }),
    ...(label !== undefined && { label }),
    ...over,
    ...said,
    notes: [...said.notes, ...(was === undefined ? [] : [createNote('MOVED', { from: describeKey(was) })])],
    ...(was === undefined ? {} : { was }),
  });
}

function markNotLive(action: Action, status: string | undefined, notes: readonly PlanNote[]) {
  const isNew = status === undefined || status === 'DRAFT';
  const reason = notes.find(({ code }) => code === status || code === 'STATUS_UNKNOWN') ?? notes[0];
  const mayGoLive = isNew && action !== 'held' && action !== 'settle';
  if (status === 'ACTIVE' || mayGoLive || reason === undefined) return { notes };
  // The note isn't labeled "not live", because a new job will replace this one or may already exist.
  if (action === 'create' || action === 'settle') return { notLive: reason.code, notes };
  const said = { ...reason, message: `not live: ${reason.message}` };
  return { notLive: reason.code, notes: notes.map((note) => (note === reason ? said : note)) };
}

export function buildUnlistedStep(key: string, action: Action, over: Over): PlanStep {
  const noJob = { jobId: undefined, status: undefined, publish: false };
  const noChange = { digest: '', patch: {}, changes: [], notes: [] };
  return { key, file: undefined, line: undefined, action, ...noJob, ...noChange, ...over };
}

/** Plans a state entry without a listing. Only `--prune` changes its job. `heldBy` is a listing that may own it. */
export function orphanStep(
  key: string,
  { job }: StateEntry,
  facts: JobFacts | 'gone',
  { prune }: Pick<PlanOptions, 'prune'>,
  heldBy?: string,
): PlanStep | undefined {
  const status = facts === 'gone' ? undefined : facts.status;
  const buildJobStep = (action: Action, note: NoteName, more: Over = {}) => {
    const notes = [createNote(note, { jobId: job, status, heldBy })];
    return buildUnlistedStep(key, action, { jobId: job, status, notes, ...more });
  };
  if (heldBy !== undefined && status !== undefined) return buildJobStep('none', 'MAY_BE_HELD');
  if (status === undefined || hasEnded(status)) {
    const note = status === undefined ? 'PRUNED_AND_GONE' : 'PRUNED';
    return prune ? buildJobStep('record', note, { forget: true }) : undefined;
  }
  if (isPublished(status))
    return prune
      ? buildJobStep('close', 'PRUNED', { forget: true })
      : buildJobStep('none', 'LIVE_NO_LONGER_WANTED');
  if (status === 'DRAFT') return buildJobStep('none', prune ? 'DRAFT_NOT_CLOSED' : 'DRAFT_NO_LONGER_WANTED');
  return buildJobStep(prune ? 'held' : 'none', 'NO_LONGER_WANTED');
}
