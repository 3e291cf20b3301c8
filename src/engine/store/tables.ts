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
  };
  jobs: {
    id: Generated<number>;
    company_id: string;
    /** Never EXPIRED: that follows from `expires_at` and the clock. */
    status: JobStatus;
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
  applications: {
    id: Generated<number>;
    job_id: number;
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
