import { replaceEntries, sameEntries } from '../../contract/entries.ts';
import { PartnerError } from '../../contract/errors.ts';
import { completenessGaps, type GateFacts, publishGate } from '../../contract/gate.ts';
import { EDITABLE, FROZEN_FIELDS, MOVES } from '../../contract/lifecycle.ts';
import { validationFailed } from '../../contract/problems.ts';
import { isoTime } from '../../contract/time.ts';
import { type JobStatus, LISTING_MS } from '../../contract/values.ts';
import { type JobChanges, type JobState, withExpiry } from './job-state.ts';

export type Action =
  | { readonly type: 'publish'; readonly facts: GateFacts }
  | { readonly type: 'pause' | 'resume' | 'close' }
  | { readonly type: 'edit'; readonly changes: JobChanges };

const ALLOWED: Readonly<Record<Action['type'], { from: readonly JobStatus[]; rule: string }>> = {
  publish: { from: MOVES.publish.from, rule: 'only a draft can be published' },
  pause: { from: MOVES.pause.from, rule: 'only active jobs can be paused' },
  resume: { from: MOVES.resume.from, rule: 'only paused jobs can be resumed' },
  close: { from: MOVES.close.from, rule: 'only active or paused jobs can be closed' },
  edit: { from: EDITABLE, rule: "closed and expired jobs can't be edited" },
};

/** Returns the fields that `action` changes at `now` (epoch ms). Throws errors in the order of decision 13. */
export function decideChanges(stored: JobState, action: Action, now: number): Partial<JobState> {
  const job = withExpiry(stored, now);
  const { from, rule } = ALLOWED[action.type];
  if (!from.includes(job.status)) {
    throw new PartnerError('INVALID_TRANSITION', { message: `${rule}, but this job is ${job.status}` });
  }
  switch (action.type) {
    case 'publish':
      return decidePublish(job, action.facts, now);
    case 'pause':
    case 'resume':
      // `expiresAt` doesn't change, so the 30 days include the pause (decisions 1 and 3).
      return { status: MOVES[action.type].to };
    case 'close':
      return { status: MOVES.close.to, closedAt: isoTime(now) };
    case 'edit':
      return decideEdit(job, action.changes);
  }
}

function decidePublish(job: JobState, facts: GateFacts, now: number): Partial<JobState> {
  const gate = publishGate(job, facts);
  if (gate.passed) {
    return { status: MOVES.publish.to, publishedAt: isoTime(now), expiresAt: isoTime(now + LISTING_MS) };
  }
  if (gate.code === 'VALIDATION_FAILED') throw validationFailed(gate.gaps);
  // The error code is for the first gate (decision 13), but the message names both missing requirements.
  const isBoth = !facts.termsAccepted && !facts.cardOnFile;
  throw new PartnerError(gate.code, { message: isBoth ? NEITHER_TERMS_NOR_CARD : undefined });
}

const NEITHER_TERMS_NOR_CARD =
  "can't publish: the current employer terms aren't accepted and no payment card is on file";

function decideEdit(job: JobState, sent: JobChanges): Partial<JobState> {
  // A field with an unchanged value isn't locked (section 3, rule 4; decision 22).
  const lockable = job.isFrozen ? FROZEN_FIELDS : [];
  const locked = lockable.filter((field) => sent[field] && !sameEntries(job[field], sent[field]));
  if (locked.length > 0) {
    const message = `the job has applications, so its ${locked.join(' and ')} can't be changed`;
    throw new PartnerError('JOB_FROZEN', { message });
  }
  const changes = { ...sent, ...replaceSets(job, sent) };
  // An edit that makes a published listing incomplete is rejected as a whole (section 3, rule 3).
  const gaps = job.status === 'DRAFT' ? [] : completenessGaps({ ...job, ...changes });
  if (gaps.length > 0) throw validationFailed(gaps);
  return changes;
}

function replaceSets(job: JobState, { qualifications, questions }: JobChanges): Partial<JobState> {
  return {
    ...(qualifications && { qualifications: replaceEntries(job.qualifications, qualifications) }),
    ...(questions && { questions: replaceEntries(job.questions, questions) }),
  };
}
