import { EMPTY_CONTENT, type Job, type JobContent, JobSchema } from '../../contract/job.ts';
import { EXPIRY } from '../../contract/lifecycle.ts';

export type JobState = Omit<Job, 'id'>;

export type JobChanges = Partial<Pick<JobState, keyof JobContent>>;

const EMPTY = {
  ...EMPTY_CONTENT,
  status: 'DRAFT',
  companyId: '',
  applicationCounts: { pending: 0, accepted: 0, rejected: 0 },
  isFrozen: false,
  newApplicantCount: 0,
  publishedAt: null,
  expiresAt: null,
  closedAt: null,
} satisfies Record<keyof JobState, unknown>;

/** Fields in the order of docs/service.md, section 2.1. */
const FIELDS = Object.keys(JobSchema.omit({ id: true }).shape) as (keyof JobState)[];
const EMPTY_DRAFT = Object.fromEntries(FIELDS.map((field) => [field, EMPTY[field]])) as unknown as JobState;

export function createDraft(companyId: string, changes: JobChanges): JobState {
  return { ...EMPTY_DRAFT, companyId, ...changes };
}

/** Sets the status to EXPIRED if `expiresAt` has passed (section 8, rule 1; decision 3). */
export function withExpiry<State extends Pick<JobState, 'status' | 'expiresAt'>>(job: State, now: number) {
  const hasEnded = job.expiresAt !== null && Date.parse(job.expiresAt) <= now;
  return hasEnded && EXPIRY.from.includes(job.status) ? { ...job, status: EXPIRY.to } : job;
}
