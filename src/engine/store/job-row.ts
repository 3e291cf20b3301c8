import type { Job } from '../../contract/job.ts';
import type { ApplicationStatus, JobRow, NewJobRow } from './tables.ts';

/** A job as the queries give it: its row and what is counted beside it. */
export type CountedJobRow = JobRow & Record<ApplicationStatus | 'unseen', number | null>;

/** A job before the database has numbered it. */
export type NewJob = Omit<Job, 'id'>;

type ContentRow = Omit<NewJobRow, 'id' | 'company_id' | 'created_at'>;

/** What of a job its row holds; the counts follow from its applications. */
export function rowOf(job: NewJob): ContentRow {
  return {
    status: job.status,
    title: job.title,
    description: job.description,
    remote_option: job.remoteOption,
    remote_country: job.remoteCountry,
    job_type: job.jobType,
    job_level: job.jobLevel,
    salary_min: job.salaryMin,
    salary_max: job.salaryMax,
    salary_period: job.salaryPeriod,
    bid_cents: job.bidPerQualifiedApplicantCents,
    opportunity_id: job.opportunityId,
    ats_job_url: job.atsJobUrl,
    locations: JSON.stringify(job.locations),
    qualifications: JSON.stringify(job.qualifications),
    questions: JSON.stringify(job.questions),
    budgets: JSON.stringify(job.budgets),
    published_at: job.publishedAt,
    expires_at: job.expiresAt,
    closed_at: job.closedAt,
  };
}

/** A job with the fields of section 2.1, in its order. */
export function jobOf(row: CountedJobRow): Job {
  const applicationCounts = {
    pending: Number(row.pending),
    accepted: Number(row.accepted),
    rejected: Number(row.rejected),
  };
  return {
    id: Number(row.id),
    title: row.title,
    status: row.status,
    description: row.description,
    remoteOption: row.remote_option,
    remoteCountry: row.remote_country,
    jobType: row.job_type,
    jobLevel: row.job_level,
    salaryMin: wide(row.salary_min),
    salaryMax: wide(row.salary_max),
    salaryPeriod: row.salary_period,
    bidPerQualifiedApplicantCents: wide(row.bid_cents),
    opportunityId: row.opportunity_id,
    atsJobUrl: row.ats_job_url,
    companyId: row.company_id,
    locations: JSON.parse(row.locations),
    qualifications: JSON.parse(row.qualifications),
    questions: JSON.parse(row.questions),
    budgets: JSON.parse(row.budgets),
    applicationCounts,
    isFrozen: applicationCounts.pending + applicationCounts.accepted + applicationCounts.rejected > 0,
    newApplicantCount: Number(row.unseen),
    publishedAt: row.published_at,
    expiresAt: row.expires_at,
    closedAt: row.closed_at,
  };
}

function wide(amount: number | null): number | null {
  return amount === null ? null : Number(amount);
}
