import type { ServerJob } from '../../client/client.ts';
import { hasEnded } from '../../contract/lifecycle.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import type { UnclaimedJobs } from '../server-jobs.ts';
import type { Intent, StateEntry } from '../state/state.ts';
import { fieldDigests, wholeDigest } from './content.ts';
import { buildUnlistedKey, type DesiredListing, decodeContent, nameListing } from './desired-listing.ts';
import { decideFields, type FieldDecision, listChanges } from './fields.ts';
import type { Remembered } from './likeness.ts';
import type { Match, Matching } from './match.ts';
import {
  createNote,
  type NoteName,
  noteDoubts,
  noteDuplicate,
  noteFields,
  noteOtherOpening,
} from './notes.ts';
import type { Plan, PlanItem, PlanNotice, PlanOptions, PlanStep } from './plan-item.ts';
import { buildStep, buildUnlistedStep, type JobFacts, orphanStep } from './steps.ts';

export interface PlanInput extends Matching {
  readonly jobs: ReadonlyMap<number, JobFacts | 'gone'>;
  readonly unclaimed?: UnclaimedJobs;
  readonly pending: ReadonlyMap<string, Intent>;
  readonly inScope: (key: string) => boolean;
  readonly options: PlanOptions;
}

export function buildPlan(input: PlanInput): Plan {
  const { matches, orphans, pending, inScope, options } = input;
  const items: PlanItem[] = [];
  const notices: PlanNotice[] = [];
  let unchanged = 0;
  const add = (step: PlanStep | undefined): void => {
    if (step === undefined) unchanged++;
    else if (step.action !== 'none') items.push(step);
    else {
      const { action, publish, digest, patch, ...notice } = step;
      notices.push(notice);
    }
  };
  const findPending = pendingCreates(matches, pending);
  const inOrder = matches.toSorted((a, b) => Number(a.entry !== undefined) - Number(b.entry !== undefined));
  const settled = inOrder.flatMap(({ wanted }) => (pending.has(wanted.key) ? [] : [wanted]));
  const twins = input.unclaimed?.findDuplicates(settled);
  for (const match of matches) {
    const step = decideStep(match, input, findPending(match));
    const found = twins?.get(match.wanted.key) ?? [];
    if (step?.action === 'create' && found.length > 0 && !options.createAnyway) {
      const notes = found.map((job) => noteDuplicate(match.wanted, job, true));
      add(buildStep(match, 'held', { notes }));
    } else {
      add(step);
      notices.push(...found.map((job) => duplicateNotice(match.wanted, job)));
    }
  }
  const unwanted = new Map<string, PlanStep>();
  const heldBy = new Map(
    matches.flatMap((match) =>
      listDoubts(match, input).map(({ entry }) => [entry.job, nameListing(match.wanted)]),
    ),
  );
  for (const { key, entry } of orphans) {
    if (!inScope(key)) continue;
    const step = orphanStep(key, entry, getFacts(entry, input), options, heldBy.get(entry.job));
    if (step !== undefined) unwanted.set(key, step);
  }
  // A pending create stays in the plan even if its listing was removed.
  const wanted = new Set(matches.map(({ wanted: { key } }) => key));
  for (const key of pending.keys()) {
    if (!inScope(key) || wanted.has(key)) continue;
    const notes = [createNote('OUTCOME_UNKNOWN', { key })];
    unwanted.set(key, buildUnlistedStep(key, 'settle', { notes }));
  }
  for (const key of [...unwanted.keys()].sort()) add(unwanted.get(key));
  const live = matches.filter(({ wanted: { publish }, entry }) => {
    const facts = publish && entry && getFacts(entry, input);
    return facts && facts !== 'gone' && facts.status === 'ACTIVE';
  }).length;
  return { items, unchanged, notices, live };
}

export function duplicateNotice(wanted: DesiredListing, job: ServerJob): PlanNotice {
  const { key, label, file, line } = wanted;
  const notes = [noteDuplicate(wanted, job, false)];
  return { key, label, file, line, jobId: job.id, status: String(job.status), changes: [], notes };
}

/** Finds the key of a listing's pending create. One under another key may belong to a listing without a job. */
function pendingCreates(matches: readonly Match[], pending: ReadonlyMap<string, Intent>) {
  const standing = new Map(matches.map(({ wanted }) => [wanted.key, wanted]));
  const [byDigest, byOpening] = [new Map<string, string>(), new Map<string, string>()];
  for (const [key, { body }] of pending) {
    const digest = wholeDigest(fieldDigests(body));
    const opening = typeof body.opportunityId === 'string' ? body.opportunityId : '';
    const there = standing.get(key);
    if (there?.digest === digest || (opening !== '' && there?.opportunityId === opening)) continue;
    byDigest.set(digest, key);
    if (opening !== '') byOpening.set(opening, key);
  }
  return ({ wanted: { key, digest, opportunityId = '' }, entry }: Match): string | undefined => {
    if (pending.has(key)) return key;
    return entry === undefined ? (byDigest.get(digest) ?? byOpening.get(opportunityId)) : undefined;
  };
}

function decideStep(match: Match, input: PlanInput, pendingKey: string | undefined) {
  const { wanted, entry } = match;
  if (pendingKey !== undefined) {
    const notes = [createNote('OUTCOME_UNKNOWN', { key: pendingKey })];
    return buildStep(match, 'settle', { jobId: undefined, notes });
  }
  if (entry === undefined) {
    const doubts = listDoubts(match, input);
    if (doubts.length > 0) return buildStep(match, 'held', { notes: [noteDoubts(wanted.key, doubts)] });
    return buildStep(match, 'create', { publish: wanted.publish });
  }
  const facts = getFacts(entry, input);
  if (facts === 'gone') {
    return input.options.recreate
      ? replacementStep(match, entry.job, 'JOB_GONE')
      : buildStep(match, 'held', { notes: [createNote('JOB_GONE', { jobId: entry.job })] });
  }
  return hasEnded(facts.status)
    ? overStep(match, entry, facts, input.options)
    : openStep(match, entry, facts, input.options);
}

function listDoubts({ entry, doubts = [] }: Match, { jobs, options }: PlanInput): readonly Remembered[] {
  if (entry !== undefined || options.createAnyway) return [];
  return doubts.filter((each) => {
    const facts = jobs.get(each.entry.job);
    return facts !== undefined && facts !== 'gone' && !hasEnded(facts.status);
  });
}

function replacementStep(match: Match, replaces: number, why: NoteName, status?: string): PlanStep {
  const { publish } = match.wanted;
  const { code, message } = createNote(why, { jobId: replaces });
  const note = { code, message: `${message}. A new job replaces it` };
  return buildStep(match, 'create', { jobId: undefined, status, publish, replaces, notes: [note] });
}

function overStep(match: Match, entry: StateEntry, facts: JobFacts, options: PlanOptions): PlanStep {
  const { id, status } = facts;
  if (status === 'EXPIRED' && options.repost) return replacementStep(match, id, 'EXPIRED', status);
  if (status === 'CLOSED' && entry.closing) return replacementStep(match, id, 'CLOSED_BY_APPLY', status);
  const notes = [createNote(status === 'CLOSED' ? 'CLOSED' : 'EXPIRED', { jobId: id })];
  const isChanged = match.wanted.digest !== wholeDigest(entry.applied);
  const fields = isChanged ? compareFields(match, entry, { ...facts, isFrozen: false }, false) : [];
  const changes = listChanges(fields, 'change', 'conflict');
  if (match.wanted.publish || changes.length > 0) return buildStep(match, 'held', { status, changes, notes });
  if (isChanged || match.was !== undefined) return buildStep(match, 'record', { status, notes });
  return buildStep(match, 'none', { status, notes });
}

function openStep(match: Match, entry: StateEntry, facts: JobFacts, options: PlanOptions) {
  const { id, status } = facts;
  const { key, publish: isToBeLive } = match.wanted;
  const fields = facts.job === undefined ? [] : compareFields(match, entry, facts, options.overwrite);
  const changed = listChanges(fields, 'change');
  const edited = listChanges(fields, 'edited');
  const conflicting = listChanges(fields, 'conflict');
  const frozen = listChanges(fields, 'frozen');
  const forced = fields.filter(({ isForced }) => isForced);
  const undone = listChanges(forced, 'change');
  const publish = isToBeLive && status === 'DRAFT';
  // A job with an unknown status may be live.
  const isMaybeLive = isToBeLive && !JOB_STATUSES.some((known) => known === status);
  const unknown = status === 'undefined' ? 'STATUS_MISSING' : 'STATUS_UNKNOWN';
  const notes = [
    ...noteFields('BOTH_CHANGED', conflicting, id),
    ...noteFields('FROZEN', frozen, id),
    ...noteFields('EDITED_ON_SERVER', edited, id),
    ...noteFields('EDIT_UNDONE', undone, id),
    ...(isToBeLive && status === 'PAUSED' ? [createNote('PAUSED', { jobId: id })] : []),
    ...(isMaybeLive ? [createNote(unknown, { jobId: id, status })] : []),
  ];
  if (facts.job !== undefined && becomesOther(match, facts, options)) {
    const changes = listChanges(fields, 'change', 'conflict');
    const title = changes.find(({ field }) => field === 'title')?.to ?? facts.job.title;
    return buildStep(match, 'held', { status, changes, notes: [noteOtherOpening(key, facts.job, title)] });
  }
  if (conflicting.length > 0) {
    const changes = listChanges(fields, 'change', 'conflict', 'frozen', 'edited');
    return buildStep(match, 'held', { status, changes, notes });
  }
  if (changed.length > 0) {
    const patch = Object.fromEntries(changed.map(({ field, to }) => [field, to]));
    return buildStep(match, 'update', { status, publish, patch, changes: changed, notes });
  }
  if (publish) return buildStep(match, 'publish', { status, publish, notes });
  if (frozen.length > 0 || isMaybeLive) {
    return buildStep(match, 'held', { status, changes: listChanges(fields, 'frozen', 'edited'), notes });
  }
  const isLearned = fields.some(({ verdict }) => verdict === 'learned');
  if (isLearned || match.was !== undefined) return buildStep(match, 'record', { status, notes });
  return notes.length > 0 ? buildStep(match, 'none', { status, changes: edited, notes }) : undefined;
}

/** With `--prune` or `--create-anyway`, a listing that would change its job to another opening gets a new job. */
export function withoutOthers(
  { matches, orphans }: Matching,
  { jobs, options }: Omit<PlanInput, keyof Matching>,
): Matching {
  if (!options.prune && !options.createAnyway) return { matches, orphans };
  const others = new Map<Match, Matching['orphans'][number]>();
  for (const match of matches) {
    const { entry, wanted } = match;
    const facts = entry && jobs.get(entry.job);
    if (entry === undefined || facts === undefined || facts === 'gone' || facts.job === undefined) continue;
    if (!hasEnded(facts.status) && becomesOther(match, facts, options))
      others.set(match, { key: buildUnlistedKey(wanted.path, entry.job), entry });
  }
  return {
    matches: matches.map((match) => (others.has(match) ? { wanted: match.wanted, entry: undefined } : match)),
    orphans: [...orphans, ...others.values()],
  };
}

/** True if the listing would change a published job to another opening. Drafts can change freely (decision 34). */
function becomesOther(match: Match, facts: JobFacts, { replace }: PlanOptions): boolean {
  const { wanted, entry, hasCommonText } = match;
  const { status, job } = facts;
  if (status === 'DRAFT' || job === undefined || entry === undefined || replace.includes(wanted.key))
    return false;
  // A change that only reverts an edit on the server doesn't make the job another opening.
  const changes = listChanges(compareFields(match, entry, facts, false), 'change', 'conflict');
  const changed = new Set(changes.map(({ field }) => field));
  const isOtherId = changed.has('opportunityId') && Boolean(job.opportunityId);
  const isOther = Boolean(wanted.opportunityId) && (wanted.name === undefined || wanted.name !== entry.key);
  if (isOtherId && (changed.has('title') || (isOther && changed.size > 1))) return true;
  const isElsewhere = changed.has('locations') || changed.has('remoteCountry');
  return isElsewhere && changed.has('title') && (changed.has('description') || hasCommonText === true);
}

function compareFields(
  { wanted }: Match,
  entry: StateEntry,
  { isFrozen, job }: JobFacts,
  overwrite: boolean,
): FieldDecision[] {
  if (job === undefined) throw new Error(`job ${entry.job} of ${wanted.key} wasn't kept in memory`);
  return decideFields(decodeContent(wanted), entry, job, { isFrozen, overwrite });
}

function getFacts({ job }: StateEntry, { jobs }: PlanInput): JobFacts | 'gone' {
  const facts = jobs.get(job);
  if (facts === undefined) throw new Error(`job ${job} was not read`);
  return facts;
}
