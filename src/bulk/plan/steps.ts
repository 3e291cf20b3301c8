import type { ServerJob } from '../../client/client.ts';
import { hasEnded, isPublished } from '../../contract/lifecycle.ts';
import type { StateEntry } from '../state/state.ts';
import type { Match } from './match.ts';
import { NOTES } from './notes.ts';
import type { FieldChange, PlanAction, PlanItem, PlanNote, PlanNotice, PlanOptions } from './plan-item.ts';

export interface JobFacts {
  readonly id: number;
  /** The string `undefined` if the server doesn't return a status. */
  readonly status: string;
  readonly isFrozen: boolean;
  /** Stored only if fields must be compared, to save memory for large sets of jobs. */
  readonly job?: ServerJob | undefined;
}

export type PlanStep = { readonly item: PlanItem } | { readonly notice: PlanNotice } | undefined;

export function itemStep({ wanted, entry, was }: Match, action: PlanAction, over: Partial<PlanItem>) {
  const { key, file, line, digest, origins, publish } = wanted;
  const { notes = [], status } = over;
  const said = publish ? markNotLive(action, status, notes) : { notes };
  return buildUnwantedStep(key, action, {
    file,
    line,
    jobId: entry?.job,
    digest,
    ...(origins && { origins }),
    ...over,
    ...said,
    notes: [...said.notes, ...(was === undefined ? [] : [NOTES.MOVED(was)])],
    ...(was === undefined ? {} : { was }),
  });
}

function markNotLive(action: PlanAction | 'none', status: string | undefined, notes: readonly PlanNote[]) {
  const isNew = status === undefined || status === 'DRAFT';
  const reason = notes.find(({ code }) => code === status || code === 'STATUS_UNKNOWN') ?? notes[0];
  const mayGoLive = isNew && action !== 'held' && action !== 'settle';
  if (status === 'ACTIVE' || mayGoLive || reason === undefined) return { notes };
  // The note isn't labeled "not live", because a new job will replace this one or may already exist.
  if (action === 'create' || action === 'settle') return { notLive: reason.code, notes };
  const said = { ...reason, message: `not live: ${reason.message}` };
  return { notLive: reason.code, notes: notes.map((note) => (note === reason ? said : note)) };
}

export function buildUnwantedStep(key: string, action: PlanAction, over: Partial<PlanItem>): PlanStep {
  const item: PlanItem = {
    key,
    file: undefined,
    line: undefined,
    action,
    jobId: undefined,
    status: undefined,
    publish: false,
    digest: '',
    patch: {},
    changes: [],
    notes: [],
    ...over,
  };
  return { item };
}

export function noticeStep(
  key: string,
  match: Match | undefined,
  { id, status }: JobFacts,
  notes: readonly PlanNote[],
  changes: readonly FieldChange[] = [],
): PlanStep {
  const { file, line, origins, publish } = match?.wanted ?? {};
  const said = publish ? markNotLive('none', status, notes) : { notes };
  const notice = { key, file, line, jobId: id, status, changes, ...said };
  return { notice: { ...notice, ...(origins && { origins }) } };
}

/** Plans a state entry without a listing. Only `--prune` changes its job. `heldBy` is a listing that may own it. */
export function orphanStep(
  key: string,
  { job }: StateEntry,
  facts: JobFacts | 'gone',
  { prune }: Pick<PlanOptions, 'prune'>,
  heldBy?: string,
): PlanStep {
  if (heldBy !== undefined && facts !== 'gone')
    return noticeStep(key, undefined, facts, [NOTES.MAY_BE_HELD(job, heldBy)]);
  const buildPruneStep = (action: 'close' | 'record', status: string | undefined): PlanStep =>
    buildUnwantedStep(key, action, { jobId: job, status, forget: true, notes: [NOTES.PRUNED(job, status)] });
  if (facts === 'gone') return prune ? buildPruneStep('record', undefined) : undefined;
  const { status } = facts;
  if (hasEnded(status)) return prune ? buildPruneStep('record', status) : undefined;
  if (prune && isPublished(status)) return buildPruneStep('close', status);
  if (prune && status === 'DRAFT') return noticeStep(key, undefined, facts, [NOTES.DRAFT_NOT_CLOSED(job)]);
  const notes = [NOTES.NO_LONGER_WANTED(job, status)];
  return prune
    ? buildUnwantedStep(key, 'held', { jobId: job, status, notes })
    : noticeStep(key, undefined, facts, notes);
}
