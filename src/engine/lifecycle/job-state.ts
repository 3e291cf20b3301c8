import type { Job, JobContent } from '../../contract/job.ts';
import { EXPIRY } from '../../contract/lifecycle.ts';

/** A job as the lifecycle sees it: before and after the database has numbered it. */
export type JobState = Omit<Job, 'id'>;

/** The fields that an edit sends, ready to be stored: canonical places, entries with ids. */
export type JobChanges = Partial<Pick<JobState, keyof JobContent>>;

/** Omitted fields stay empty (section 3). In the order of section 2.1, which every job keeps. */
const EMPTY_DRAFT: JobState = {
  title: '',
  status: 'DRAFT',
  description: '',
  remoteOption: null,
  remoteCountry: null,
  jobType: null,
  jobLevel: null,
  salaryMin: null,
  salaryMax: null,
  salaryPeriod: null,
  bidPerQualifiedApplicantCents: null,
  opportunityId: null,
  atsJobUrl: null,
  companyId: '',
  locations: [],
  qualifications: [],
  questions: [],
  budgets: [],
  applicationCounts: { pending: 0, accepted: 0, rejected: 0 },
  isFrozen: false,
  newApplicantCount: 0,
  publishedAt: null,
  expiresAt: null,
  closedAt: null,
};

/** A DRAFT of a company with any subset of the fields. */
export function draftOf(companyId: string, changes: JobChanges): JobState {
  return { ...EMPTY_DRAFT, companyId, ...changes };
}

/**
 * The job at `now` (epoch ms): an ACTIVE or PAUSED one whose 30 days are over is EXPIRED (section 8, rule 1;
 * decision 3). The listing's time is half-open: it has ended at `expiresAt` itself.
 */
export function jobAt<State extends Pick<JobState, 'status' | 'expiresAt'>>(job: State, now: number): State {
  const hasEnded = job.expiresAt !== null && Date.parse(job.expiresAt) <= now;
  return hasEnded && EXPIRY.from.includes(job.status) ? { ...job, status: EXPIRY.to } : job;
}
