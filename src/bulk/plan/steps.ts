import type { ServerJob } from '../../client/client.ts';
import { isOver } from '../../contract/lifecycle.ts';
import type { StateEntry } from '../state/state.ts';
import type { Match } from './match.ts';
import { NOTES } from './notes.ts';
import type { FieldChange, PlanAction, PlanItem, PlanNote, PlanNotice, PlanOptions } from './plan-item.ts';

export interface JobFacts {
  readonly id: number;
  /** The word `undefined` where the server gives none. */
  readonly status: string;
  readonly isFrozen: boolean;
  /** Kept only where the job may have to be compared field by field: a set may have very many. */
  readonly job?: ServerJob | undefined;
}

export type PlanStep = { readonly item: PlanItem } | { readonly notice: PlanNotice } | undefined;

export function itemStep({ wanted, entry, was }: Match, action: PlanAction, over: Partial<PlanItem>) {
  const { key, file, line, digest, origins, publish } = wanted;
  const { notes = [], status } = over;
  const said = publish ? notLive(action, status, notes) : { notes };
  return unwantedStep(key, action, {
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

/** Why a listing that should be live isn't. Its note then includes the reason too. */
function notLive(action: PlanAction | 'none', status: string | undefined, notes: readonly PlanNote[]) {
  const isNew = status === undefined || status === 'DRAFT';
  const reason = notes.find(({ code }) => code === status || code === 'STATUS_UNKNOWN') ?? notes[0];
  const mayGoLive = isNew && action !== 'held' && action !== 'settle';
  if (status === 'ACTIVE' || mayGoLive || reason === undefined) return { notes };
  // A new job replaces it, or it's unknown whether a new job exists.
  if (action === 'create' || action === 'settle') return { notLive: reason.code, notes };
  const said = { ...reason, message: `not live: ${reason.message}` };
  return { notLive: reason.code, notes: notes.map((note) => (note === reason ? said : note)) };
}

export function unwantedStep(key: string, action: PlanAction, over: Partial<PlanItem>): PlanStep {
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

/** Something to know of a listing that is left as it is; `match` only where it is still in the set. */
export function noticeStep(
  key: string,
  match: Match | undefined,
  { id, status }: JobFacts,
  notes: readonly PlanNote[],
  changes: readonly FieldChange[] = [],
): PlanStep {
  const { file, line, origins, publish } = match?.wanted ?? {};
  const said = publish ? notLive('none', status, notes) : { notes };
  const notice = { key, file, line, jobId: id, status, changes, ...said };
  return { notice: { ...notice, ...(origins && { origins }) } };
}

/** A state entry without a listing. Its job changes only with `--prune`. `heldBy` may be the missing listing. */
export function orphanStep(
  key: string,
  { job }: StateEntry,
  facts: JobFacts | 'gone',
  { prune }: Pick<PlanOptions, 'prune'>,
  heldBy?: string,
): PlanStep {
  if (heldBy !== undefined && facts !== 'gone')
    return noticeStep(key, undefined, facts, [NOTES.MAY_BE_HELD(job, heldBy)]);
  const pruned = (action: 'close' | 'record', status: string | undefined): PlanStep =>
    unwantedStep(key, action, { jobId: job, status, forget: true, notes: [NOTES.PRUNED(job, status)] });
  if (facts === 'gone') return prune ? pruned('record', undefined) : undefined;
  const { status } = facts;
  if (isOver(status)) return prune ? pruned('record', status) : undefined;
  if (prune && (status === 'ACTIVE' || status === 'PAUSED')) return pruned('close', status);
  if (prune && status === 'DRAFT') return noticeStep(key, undefined, facts, [NOTES.DRAFT_NOT_CLOSED(job)]);
  const notes = [NOTES.NO_LONGER_WANTED(job, status)];
  // A job whose status is unknown may be live.
  return prune
    ? unwantedStep(key, 'held', { jobId: job, status, notes })
    : noticeStep(key, undefined, facts, notes);
}
