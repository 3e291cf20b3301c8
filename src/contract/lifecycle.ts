import { PartnerError } from './errors.ts';
import type { Transition } from './operations.ts';
import { isoTime } from './time.ts';
import { DAY_MS, JOB_STATUSES, type JobStatus } from './values.ts';
import { formatCount, momentWords } from './words.ts';

interface Move {
  readonly from: readonly JobStatus[];
  readonly to: JobStatus;
}

/** Transitions of section 3. The status after a resume follows decision 1. */
export const MOVES: Readonly<Record<Transition, Move>> = {
  publish: { from: ['DRAFT'], to: 'ACTIVE' },
  pause: { from: ['ACTIVE'], to: 'PAUSED' },
  resume: { from: ['PAUSED'], to: 'ACTIVE' },
  close: { from: ['ACTIVE', 'PAUSED'], to: 'CLOSED' },
};

/** True if the status shows that the transition happened. After a resume, it isn't specified (decision 1). */
export function hasMoved(move: Transition, status: unknown): boolean {
  if (status === MOVES[move].to) return true;
  return move === 'resume' && typeof status === 'string' && !JOB_STATUSES.some((known) => known === status);
}

export function notMoved(move: Transition, id: number, status: unknown = 'missing'): PartnerError {
  return new PartnerError('SERVER_FAILED', {
    message: `${move === 'publish' ? 'not live: ' : ''}the server accepted the request to ${move} job ${id}, but its status is ${status}`,
    hint: `check the job with \`partner jobs get ${id}\``,
  });
}

/** Expiry after 30 days (section 8, rule 1). Paused jobs expire too (decision 3). */
export const EXPIRY: Move = { from: ['ACTIVE', 'PAUSED'], to: 'EXPIRED' };

/** True for active and paused jobs, the only ones that expire and can be closed. */
export function isPublished(status: unknown): boolean {
  return EXPIRY.from.some((from) => from === status);
}

/** States in which a job can be edited (section 3, rules 3 and 5; decision 3). */
export const EDITABLE: readonly JobStatus[] = ['DRAFT', 'ACTIVE', 'PAUSED'];

const OVER: readonly unknown[] = JOB_STATUSES.filter((status) => !EDITABLE.includes(status));

/** True for closed and expired jobs (section 3, rule 5; decision 9). False for an unknown status. */
export function hasEnded(status: unknown): status is JobStatus {
  return OVER.includes(status);
}

/** Fields that can't change after the first application (section 3, rule 4). */
export const FROZEN_FIELDS = ['qualifications', 'questions'] as const;

export type Expiring = { readonly jobs: number; readonly earliest: string };

type JobEnd = { readonly status?: string | undefined; readonly expiresAt?: string | null | undefined };

const SOON_DAYS = 5;
export const SOON_MS = SOON_DAYS * DAY_MS;

export function isExpiring({ status, expiresAt }: JobEnd, spanMs: number, now: number): boolean {
  return isPublished(status) && Date.parse(expiresAt ?? '') - now <= spanMs;
}

export function expiryCount(now: () => number) {
  let [jobs, earliest] = [0, Number.POSITIVE_INFINITY];
  return {
    add(job: JobEnd): void {
      if (job.status !== 'ACTIVE' || !isExpiring(job, SOON_MS, now())) return;
      jobs++;
      earliest = Math.min(earliest, Date.parse(job.expiresAt ?? ''));
    },
    expiring: (): Expiring | null => (jobs === 0 ? null : { jobs, earliest: isoTime(earliest) }),
  };
}

export function describeExpiring(expiring: Expiring | null | undefined): string[] {
  if (!expiring) return [];
  const [expire, first] = expiring.jobs === 1 ? ['expires', ''] : ['expire', 'the first '];
  const when = `${expire} within ${SOON_DAYS} days, ${first}on ${momentWords(Date.parse(expiring.earliest))}`;
  const how = 'Replace expired jobs with `partner jobs apply --repost` or `partner jobs repost ID`.';
  return [`${formatCount(expiring.jobs, 'live job')} ${when}. ${how}`];
}
