import type { Generated, Insertable, Selectable } from 'kysely';
import type { Job } from '../../contract/job.ts';
import type { ApplicationStatus, BudgetWindow, JobStatus } from '../../contract/values.ts';
import type { BudgetTarget } from '../billing/charge.ts';

/** The columns in both dialects. Times are ISO 8601 text in UTC with milliseconds, so that they sort as text. */
export interface Tables {
  companies: {
    id: string;
    name: string;
    is_default: number | null;
    terms_version_accepted: string | null;
    card_brand: string | null;
    card_last4: string | null;
    created_at: string;
    budgets: Generated<string>;
  };
  partner_keys: {
    id: string;
    company_id: string;
    /** SHA-256 in hex. The key itself isn't stored (decision 19). */
    digest: string;
    last4: string;
    created_at: string;
    revoked_at: string | null;
    name: string | null;
    last_used_at: string | null;
  };
  jobs: {
    id: Generated<number>;
    company_id: string;
    /** Never EXPIRED, because that depends on `expires_at` and the clock. */
    status: JobStatus;
    /** The status that list filters use, as of the last `settleExpiry`. It's never returned to a client. */
    listed_status: Generated<JobStatus>;
    title: string;
    description: string;
    remote_option: Job['remoteOption'];
    remote_country: string | null;
    job_type: Job['jobType'];
    job_level: Job['jobLevel'];
    salary_min: number | null;
    salary_max: number | null;
    salary_period: Job['salaryPeriod'];
    bid_cents: number | null;
    opportunity_id: string | null;
    ats_job_url: string | null;
    /** These four fields are JSON, because a listing is always read and written whole. */
    locations: string;
    qualifications: string;
    questions: string;
    budgets: string;
    created_at: string;
    published_at: string | null;
    expires_at: string | null;
    closed_at: string | null;
  };
  /** Number of jobs per `listed_status`, maintained by triggers. Several rows per company reduce lock waits. */
  job_counts: {
    company_id: string;
    shard: number;
  } & Record<Lowercase<JobStatus>, number>;
  applications: {
    id: Generated<number>;
    job_id: number;
    company_id: Generated<string>;
    status: ApplicationStatus;
    received_at: string;
    basics: string;
    /** Normalized by `readEmail` to detect repeated applications. Null for a duplicate from an older release. */
    email_key: string | null;
    answers: string;
    met: string;
    is_qualified: number;
    decided_at: string | null;
  };
  job_tallies: {
    job_id: number;
    /** Applications since the job was last opened in the dashboard (decision 18). */
    unseen: number;
  } & Record<ApplicationStatus, number>;
  files: {
    id: string;
    digest: string;
    name: string;
    type: string;
    bytes: number;
    uploaded_at: string;
    claimed_at: string | null;
    sender: string | null;
  };
  /** Exists only on PostgreSQL. With SQLite, contents are stored in a directory next to the database file. */
  file_contents: {
    digest: string;
    content: Uint8Array;
  };
  spends: {
    target: string;
    spend: string;
  };
  charges: {
    id: Generated<number>;
    application_id: number;
    job_id: number;
    company_id: string;
    decided_at: string;
    outcome: 'charged' | 'skipped';
    amount_cents: number;
    filled_target: BudgetTarget | null;
    filled_window: BudgetWindow | null;
  };
  charge_days: {
    target: string;
    day: string;
    /** The filled window of a skipped charge, such as `job:DAILY`. Empty for charges. */
    filled: string;
    charges: number;
    cents: number;
  };
  charge_lines: {
    company_id: string;
    month: string;
    outcome: ChargeRow['outcome'];
    job_id: number;
    amount_cents: number;
    filled: string;
    applications: number;
  };
  idempotency: {
    company_id: string;
    key: string;
    request_digest: string;
    answer_status: number;
    answer_body: string;
    stored_at: string;
  };
  terms: {
    id: Generated<number>;
    version: string;
    text: string;
    issued_at: string;
  };
  engine_clock: {
    id: 1;
    offset_ms: number;
  };
  dashboard_links: {
    digest: string;
    company_id: string;
    expires_at: string;
    used_at: string | null;
  };
  dashboard_sessions: {
    digest: string;
    company_id: string;
    expires_at: string;
  };
}

export type CompanyRow = Selectable<Tables['companies']>;
export type PartnerKeyRow = Selectable<Tables['partner_keys']>;
export type JobRow = Selectable<Tables['jobs']>;
export type NewJobRow = Insertable<Tables['jobs']>;
export type ApplicationRow = Selectable<Tables['applications']>;
export type NewApplicationRow = Insertable<Tables['applications']>;
export type FileRow = Selectable<Tables['files']>;
export type ChargeRow = Selectable<Tables['charges']>;
export type NewChargeRow = Insertable<Tables['charges']>;
export type NewTermsRow = Insertable<Tables['terms']>;
