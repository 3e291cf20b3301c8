import { PartnerError } from './errors.ts';
import type { Transition } from './operations.ts';
import { JOB_STATUSES, type JobStatus } from './values.ts';

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

/** Whether a status shows that a move was made. The status after a resume is not specified (decision 1). */
export function hasMoved(move: Transition, status: unknown): boolean {
  if (status === MOVES[move].to) return true;
  return move === 'resume' && typeof status === 'string' && !JOB_STATUSES.some((known) => known === status);
}

export function notMoved(move: Transition, id: number, status: unknown = 'missing'): PartnerError {
  return new PartnerError('SERVER_FAILED', {
    message: `${move === 'publish' ? 'not live: ' : ''}the server accepted to ${move} job ${id}, but its status is ${status}`,
    hint: `check the job with \`partner jobs get ${id}\``,
  });
}

/** What becomes of a listing when its 30 days are over (section 8, rule 1), a paused one too (decision 3). */
export const EXPIRY: Move = { from: ['ACTIVE', 'PAUSED'], to: 'EXPIRED' };

/** The states in which a job can be edited (section 3, rules 3 and 5; decision 3). */
export const EDITABLE: readonly JobStatus[] = ['DRAFT', 'ACTIVE', 'PAUSED'];

const OVER: readonly unknown[] = JOB_STATUSES.filter((status) => !EDITABLE.includes(status));

/** Section 3, rule 5, and decision 9; an unknown state is not over. */
export function isOver(status: unknown): status is JobStatus {
  return OVER.includes(status);
}

/** Once a job has applications (section 3, rule 4). */
export const FROZEN_FIELDS = ['qualifications', 'questions'] as const;
