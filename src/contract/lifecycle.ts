import type { Transition } from './operations.ts';
import { JOB_STATUSES, type JobStatus } from './values.ts';

/** A move from one of some states to another. */
interface Move {
  readonly from: readonly JobStatus[];
  readonly to: JobStatus;
}

/** Section 3: every move that is asked for. Where a resume leads is our decision 1. */
export const MOVES: Readonly<Record<Transition, Move>> = {
  publish: { from: ['DRAFT'], to: 'ACTIVE' },
  pause: { from: ['ACTIVE'], to: 'PAUSED' },
  resume: { from: ['PAUSED'], to: 'ACTIVE' },
  close: { from: ['ACTIVE', 'PAUSED'], to: 'CLOSED' },
};

/** What becomes of a listing when its 30 days are over (section 8, rule 1), a paused one too (decision 3). */
export const EXPIRY: Move = { from: ['ACTIVE', 'PAUSED'], to: 'EXPIRED' };

/** The states in which a job can be edited (section 3, rules 3 and 5; decision 3). */
export const EDITABLE: readonly JobStatus[] = ['DRAFT', 'ACTIVE', 'PAUSED'];

const OVER: readonly unknown[] = JOB_STATUSES.filter((status) => !EDITABLE.includes(status));

/**
 * True of the states that nothing leads out of (section 3, rule 5, and decision 9); of a state that only its server
 * knows nobody can say so.
 */
export function isOver(status: unknown): status is JobStatus {
  return OVER.includes(status);
}

/** What cannot change once a job has applications (section 3, rule 4). */
export const FROZEN_FIELDS = ['qualifications', 'questions'] as const;
