import type { Generated, Insertable, Selectable } from 'kysely';
import type { JobLevel, JobStatus, JobType, RemoteOption, SalaryPeriod } from '../../contract/values.ts';

/**
 * The tables as both dialects have them. Times are ISO 8601 text in UTC with milliseconds, so that their
 * order as text is their order in time. A wide integer may come back from PostgreSQL as text or bigint:
 * whoever reads one passes it through `Number`.
 */
export interface Tables {
  companies: CompaniesTable;
  partner_keys: PartnerKeysTable;
  jobs: JobsTable;
  applications: ApplicationsTable;
  idempotency: IdempotencyTable;
}

interface CompaniesTable {
  id: string;
  name: string;
  /** 1 on the company made on first use, null on every other: the unique index lets only one be it. */
  is_default: number | null;
  terms_version_accepted: string | null;
  card_brand: string | null;
  card_last4: string | null;
  created_at: string;
}

interface PartnerKeysTable {
  id: string;
  company_id: string;
  /** SHA-256 of the key, in hex: the key itself is nowhere (decision 19). */
  digest: string;
  last4: string;
  created_at: string;
  revoked_at: string | null;
}

interface JobsTable {
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
  /** When the job was last opened in the dashboard (decision 18). */
  opened_at: string | null;
}

interface ApplicationsTable {
  id: Generated<number>;
  job_id: number;
  status: ApplicationStatus;
  received_at: string;
}

interface IdempotencyTable {
  company_id: string;
  key: string;
  /** SHA-256 of the request's method, path and body. */
  request_digest: string;
  answer_status: number;
  answer_body: string;
  stored_at: string;
}

export type ApplicationStatus = 'pending' | 'accepted' | 'rejected';

export type CompanyRow = Selectable<CompaniesTable>;
export type PartnerKeyRow = Selectable<PartnerKeysTable>;
export type JobRow = Selectable<JobsTable>;
export type NewJobRow = Insertable<JobsTable>;
