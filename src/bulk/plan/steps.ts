import type { JobFacts } from './job-facts.ts';
import type { Match } from './match.ts';
import { NOTES } from './notes.ts';
import type { FieldChange, PlanAction, PlanItem, PlanNote, PlanNotice } from './plan-item.ts';

/** One listing's part of a plan; undefined where it needs nothing. */
export type PlanStep = { readonly item: PlanItem } | { readonly notice: PlanNotice } | undefined;

/** Something to do for a wanted listing. */
export function itemStep(match: Match, action: PlanAction, over: Partial<PlanItem>): PlanStep {
  const { key, wanted, entry, was } = match;
  const item: PlanItem = {
    ...bareItem(key, action),
    file: wanted.file,
    line: wanted.line,
    jobId: entry?.job,
    digest: wanted.digest,
    ...over,
    notes: [...(over.notes ?? []), ...(was === undefined ? [] : [NOTES.MOVED(was)])],
    ...(was === undefined ? {} : { was }),
  };
  return { item };
}

/** Something to do for a listing that is no longer in the set. */
export function unwantedStep(key: string, action: PlanAction, over: Partial<PlanItem>): PlanStep {
  return { item: { ...bareItem(key, action), ...over } };
}

/** Something to know of a listing that is left as it is; `match` only where it is still in the set. */
export function noticeStep(
  key: string,
  match: Match | undefined,
  { id, status }: JobFacts,
  told: { readonly changes?: readonly FieldChange[]; readonly notes: readonly PlanNote[] },
): PlanStep {
  const { file, line } = match?.wanted ?? { file: undefined, line: undefined };
  return { notice: { key, file, line, jobId: id, status, changes: told.changes ?? [], notes: told.notes } };
}

function bareItem(key: string, action: PlanAction): PlanItem {
  return {
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
  };
}
