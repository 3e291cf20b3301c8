import type { Generated, Insertable, Selectable } from 'kysely';
import type {
  ApplicationStatus,
  BudgetWindow,
  JobLevel,
  JobStatus,
  JobType,
  RemoteOption,
  SalaryPeriod,
} from '../../contract/values.ts';
import type { BudgetTarget } from '../billing/charge.ts';

/**
 * The tables as both dialects have them. Times are ISO 8601 text in UTC with milliseconds, so that their order as
 * text is their order in time. PostgreSQL may give a wide integer as text or bigint: pass it through `Number`.
 */
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
    /** SHA-256 in hex: the key itself is not stored (decision 19). */
    digest: string;
    last4: string;
    created_at: string;
    revoked_at: string | null;
    name: string | null;
    /** The hour of its last request over HTTP. */
    last_used_at: string | null;
  };
  jobs: {
    id: Generated<number>;
    company_id: string;
    /** Never EXPIRED: that follows from `expires_at` and the clock. */
    status: JobStatus;
    /** As `settleExpiry` has left it: what lists look for, and never what a job is answered with. */
    listed_status: Generated<JobStatus>;
    title: string;
    description: string;
    remote_option: RemoteOption | null;
    remote_country: string | null;
    job_type: JobType | null;
    job_level: JobLevel | null;
    salary_min: number | null;
    salary_max: number | null;
    salary_period: SalaryPeriod | null;
    bid_cents: number | null;
    opportunity_id: string | null;
    ats_job_url: string | null;
    /** The four sets are JSON: a listing is always read and written whole. */
    locations: string;
    qualifications: string;
    questions: string;
    budgets: string;
    created_at: string;
    published_at: string | null;
    expires_at: string | null;
    closed_at: string | null;
  };
  /** A company's jobs by `listed_status`, kept by triggers; in several rows, which are added up. */
  job_counts: {
    company_id: string;
    shard: number;
  } & Record<Lowercase<JobStatus>, number>;
  applications: {
    id: Generated<number>;
    job_id: number;
    /** As the job's. */
    company_id: Generated<string>;
    status: ApplicationStatus;
    received_at: string;
    basics: string;
    /** The address as `readEmail` gives it, to find who has applied before; null for a second row of an older release. */
    email_key: string | null;
    answers: string;
    met: string;
    is_qualified: number;
    decided_at: string | null;
  };
  /** A job's applications, counted as they come: counting them anew would take longer with each. */
  job_tallies: {
    job_id: number;
    pending: number;
    accepted: number;
    rejected: number;
    /** Since the job was last opened in the dashboard (decision 18). */
    unseen: number;
  };
  /** A candidate's file; its content is elsewhere, under its digest. */
  files: {
    id: string;
    digest: string;
    name: string;
    type: string;
    bytes: number;
    uploaded_at: string;
    claimed_at: string | null;
    /** The address that it came from, until an application names it. */
    sender: string | null;
  };
  /** On PostgreSQL alone: beside an SQLite file, contents are in a directory. */
  file_contents: {
    digest: string;
    content: Uint8Array;
  };
  spends: {
    /** `job:ID` or `company:ID`. */
    target: string;
    spend: string;
  };
  /** The ledger: every charge and every skipped charge. A row is never changed. */
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
  /** The ledger by days in UTC, and by lines of invoices: kept by triggers. */
  charge_days: {
    /** As in `spends`. */
    target: string;
    day: string;
    /** As `job:DAILY`; empty for what was charged. */
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
    /** By the machine's clock: moving the engine's must not sign anybody in or out. */
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
export type ApplicationRow = Selectable<Tables['applications']>;
export type NewApplicationRow = Insertable<Tables['applications']>;
export type FileRow = Selectable<Tables['files']>;
export type ChargeRow = Selectable<Tables['charges']>;
export type NewChargeRow = Insertable<Tables['charges']>;
export type NewTermsRow = Insertable<Tables['terms']>;
