import { PartnerError } from '../../contract/errors.ts';
import { CONTENT_FIELDS, type JobUpdate } from '../../contract/job.ts';
import { isOver } from '../../contract/lifecycle.ts';
import type { Intent, StateEntry } from '../state/state.ts';
import type { DesiredListing } from './desired-listing.ts';
import { decideFields, type FieldsDecision } from './fields.ts';
import { isKnown, type JobFacts, needsContent } from './job-facts.ts';
import type { Match, Matching } from './match.ts';
import { NOTES } from './notes.ts';
import { orphanStep } from './orphans.ts';
import type { FieldChange, Plan, PlanItem, PlanNote, PlanNotice, PlanOptions } from './plan-item.ts';
import { sentBefore } from './sent-before.ts';
import { itemStep, noticeStep, type PlanStep, unwantedStep } from './steps.ts';

export { type JobFacts, needsContent };

export interface PlanInput extends Matching {
  /** By id: the job of every matched entry, and of every entry in scope that no listing has. */
  readonly jobs: ReadonlyMap<number, JobFacts | 'gone'>;
  /** By listing key, of those that `needsContent` names. */
  readonly contents: { get(key: string): JobUpdate | undefined };
  /** By listing key: creates whose outcome is not known. */
  readonly pending: ReadonlyMap<string, Intent>;
  /** Whether a remembered listing that is not wanted belongs to what this run was given. */
  readonly inScope: (key: string) => boolean;
  readonly options: PlanOptions;
}

/**
 * What has to be done so that the server has what is wanted. Throws FILE_INVALID where `contents` lacks a
 * listing that is to be compared: its file has changed since.
 */
export function planOf(input: PlanInput): Plan {
  const { matches, orphans, pending, inScope } = input;
  const items: PlanItem[] = [];
  const notices: PlanNotice[] = [];
  let unchanged = 0;
  const add = (step: PlanStep): boolean => {
    if (step === undefined) return false;
    if ('item' in step) items.push(step.item);
    else notices.push(step.notice);
    return true;
  };
  const parts = { ...input, sentAs: sentBefore(matches, pending) };
  const wanted = new Set<string>();
  for (const match of matches) {
    if (pending.size > 0) wanted.add(match.key);
    if (!add(stepOf(match, parts))) unchanged++;
  }
  const rest = new Map<string, PlanStep>();
  for (const { key, entry } of orphans) {
    if (inScope(key)) rest.set(key, orphanStep(key, entry, factsOf(entry, input), input.options));
  }
  // A create of unknown outcome is not forgotten because its listing is no longer in the set.
  for (const key of pending.keys()) {
    if (inScope(key) && !wanted.has(key)) {
      rest.set(key, unwantedStep(key, 'settle', { notes: [NOTES.OUTCOME_UNKNOWN(key)] }));
    }
  }
  for (const key of [...rest.keys()].sort()) add(rest.get(key));
  return { items, unchanged, notices };
}

function stepOf(
  match: Match,
  input: PlanInput & { readonly sentAs: ReturnType<typeof sentBefore> },
): PlanStep {
  const { key, entry } = match;
  if (input.pending.has(key)) {
    return itemStep(match, 'settle', { jobId: undefined, notes: [NOTES.OUTCOME_UNKNOWN(key)] });
  }
  if (entry === undefined) {
    const sent = input.sentAs(match.wanted);
    if (sent !== undefined) return itemStep(match, 'settle', { notes: [NOTES.OUTCOME_UNKNOWN(sent)] });
    return itemStep(match, 'create', { publish: match.wanted.publish });
  }
  const facts = factsOf(entry, input);
  if (facts === 'gone') return goneStep(match, entry, input.options);
  return isOver(facts.status) ? overStep(match, entry, facts, input) : openStep(match, entry, facts, input);
}

function goneStep(match: Match, { job }: StateEntry, { recreate }: PlanOptions): PlanStep {
  return recreate
    ? replacementStep(match, job, NOTES.RECREATED(job))
    : itemStep(match, 'held', { notes: [NOTES.JOB_GONE(job)] });
}

function replacementStep(match: Match, replaces: number, note: PlanNote, status?: string): PlanStep {
  const { publish } = match.wanted;
  return itemStep(match, 'create', { jobId: undefined, status, publish, replaces, notes: [note] });
}

/** CLOSED and EXPIRED: nothing about the job can change any more. */
function overStep(match: Match, entry: StateEntry, facts: JobFacts, input: PlanInput): PlanStep {
  const { id, status } = facts;
  if (status === 'EXPIRED' && input.options.repost) {
    return replacementStep(match, id, NOTES.REPOSTED(id), status);
  }
  if (status === 'CLOSED' && entry.closing) {
    return replacementStep(match, id, NOTES.CLOSED_BY_APPLY(id), status);
  }
  const notes = [status === 'CLOSED' ? NOTES.CLOSED(id) : NOTES.EXPIRED(id)];
  if (needsContent(match, facts, input.options)) {
    const { changed, conflicting } = decide(match, entry, { ...facts, isFrozen: false }, input, false);
    const changes = inOrder(changed, conflicting);
    return itemStep(match, changes.length > 0 ? 'held' : 'record', { status, changes, notes });
  }
  if (match.was !== undefined) return itemStep(match, 'record', { status, notes });
  return noticeStep(match.key, match, facts, { notes });
}

/** A job that can be edited: a draft, a live one, or one of a status that we do not know. */
function openStep(match: Match, entry: StateEntry, facts: JobFacts, input: PlanInput): PlanStep {
  const { id, status } = facts;
  const { options } = input;
  const { patch, changed, edited, conflicting, frozen, undone, learned } = needsContent(match, facts, options)
    ? decide(match, entry, facts, input, options.overwrite)
    : NOTHING;
  const publish = match.wanted.publish && status === 'DRAFT';
  const isMaybeLive = match.wanted.publish && !isKnown(facts);
  const notes = [
    ...(conflicting.length > 0 ? [NOTES.BOTH_CHANGED(conflicting, id)] : []),
    ...(frozen.length > 0 ? [NOTES.FROZEN(frozen, id)] : []),
    ...(edited.length > 0 ? [NOTES.EDITED_ON_SERVER(edited, id)] : []),
    ...(undone.length > 0 ? [NOTES.EDIT_UNDONE(undone)] : []),
    ...(match.wanted.publish && status === 'PAUSED' ? [NOTES.PAUSED(id)] : []),
    ...(isMaybeLive ? [NOTES.STATUS_UNKNOWN(id, status)] : []),
  ];
  if (conflicting.length > 0) {
    const changes = inOrder(changed, conflicting, frozen, edited);
    return itemStep(match, 'held', { status, changes, notes });
  }
  if (changed.length > 0)
    return itemStep(match, 'update', { status, publish, patch, changes: changed, notes });
  if (publish) return itemStep(match, 'publish', { status, publish, notes });
  if (frozen.length > 0 || isMaybeLive) {
    return itemStep(match, 'held', { status, changes: inOrder(frozen, edited), notes });
  }
  if (learned || match.was !== undefined) return itemStep(match, 'record', { status, notes });
  return notes.length > 0 ? noticeStep(match.key, match, facts, { changes: edited, notes }) : undefined;
}

const NOTHING: FieldsDecision = {
  patch: {},
  changed: [],
  edited: [],
  conflicting: [],
  frozen: [],
  undone: [],
  learned: false,
};

function decide(
  { key, wanted }: Match,
  entry: StateEntry,
  { isFrozen, job }: JobFacts,
  { contents }: PlanInput,
  overwrite: boolean,
): FieldsDecision {
  const content = contents.get(key);
  if (content === undefined) throw changedMeanwhile(wanted);
  if (job === undefined) throw new Error(`job ${entry.job} was not kept for ${key}`);
  return decideFields(content, entry, job, { isFrozen, overwrite });
}

function factsOf({ job }: StateEntry, { jobs }: PlanInput): JobFacts | 'gone' {
  const facts = jobs.get(job);
  if (facts === undefined) throw new Error(`job ${job} was not read`);
  return facts;
}

function changedMeanwhile({ file, line }: DesiredListing): PartnerError {
  return new PartnerError('FILE_INVALID', {
    message: `${file}:${line}: the listing has changed since it was checked`,
    hint: 'run it again when nobody writes to the files',
  });
}

/** In the specification's order. */
function inOrder(...changes: readonly (readonly FieldChange[])[]): FieldChange[] {
  const place = ({ field }: FieldChange) => CONTENT_FIELDS.indexOf(field);
  return changes.flat().sort((a, b) => place(a) - place(b));
}
