import type { Job, JobContent } from '../../contract/job.ts';
import { EXPIRY } from '../../contract/lifecycle.ts';

export type JobState = Omit<Job, 'id'>;

/** The fields of a create or an edit, with canonical places and entries with ids. */
export type JobChanges = Partial<Pick<JobState, keyof JobContent>>;

/** In the order of section 2.1, which every job keeps. */
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

export function draftOf(companyId: string, changes: JobChanges): JobState {
  return { ...EMPTY_DRAFT, companyId, ...changes };
}

/** The job at `now` (epoch ms): EXPIRED from `expiresAt` on (section 8, rule 1; decision 3). */
export function jobAt<State extends Pick<JobState, 'status' | 'expiresAt'>>(job: State, now: number): State {
  const hasEnded = job.expiresAt !== null && Date.parse(job.expiresAt) <= now;
  return hasEnded && EXPIRY.from.includes(job.status) ? { ...job, status: EXPIRY.to } : job;
}
