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
 * The tables as both dialects have them. Times are ISO 8601 text in UTC with milliseconds, so that their
 * order as text is their order in time. A wide integer may come back from PostgreSQL as text or bigint:
 * whoever reads one passes it through `Number`.
 */
export interface Tables {
  companies: CompaniesTable;
  partner_keys: PartnerKeysTable;
  jobs: JobsTable;
  applications: ApplicationsTable;
  job_tallies: JobTalliesTable;
  files: FilesTable;
  spends: SpendsTable;
  charges: ChargesTable;
  idempotency: IdempotencyTable;
  terms: TermsTable;
  engine_clock: EngineClockTable;
  dashboard_links: DashboardLinksTable;
  dashboard_sessions: DashboardSessionsTable;
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
  /** The company-wide caps, as JSON: at most one a window. */
  budgets: Generated<string>;
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
}

interface ApplicationsTable {
  id: Generated<number>;
  job_id: number;
  status: ApplicationStatus;
  received_at: string;
  /** The six basics, as JSON. */
  basics: string;
  /** The candidate's email address as `readEmail` gives it, or null for a second row of an older release: who has applied before. */
  email_key: string | null;
  /** What was answered to each question, as JSON. */
  answers: string;
  /** The ids of the qualifications that the candidate meets, as JSON. */
  met: string;
  /** 1 where the candidate meets every REQUIRED one. */
  is_qualified: number;
  /** When it was accepted or rejected last. */
  decided_at: string | null;
}

/** How a job's applications stand, counted as they come: counting them anew would take longer with each. */
interface JobTalliesTable {
  job_id: number;
  pending: number;
  accepted: number;
  rejected: number;
  /** Since the job was last opened in the dashboard (decision 18). */
  unseen: number;
}

/** A file that a candidate has sent; its content lies outside the database, under its digest. */
interface FilesTable {
  id: string;
  /** SHA-256 of the content, in hex. */
  digest: string;
  name: string;
  type: string;
  bytes: number;
  uploaded_at: string;
  /** When the first application named it; null until then. */
  claimed_at: string | null;
  /** The address that it came from, until an application names it. */
  sender: string | null;
}

/** What a target has spent in the windows it was last charged in: see `Spend` of the billing. */
interface SpendsTable {
  /** `job:ID` or `company:ID`. */
  target: string;
  /** JSON of a Spend. */
  spend: string;
}

/** The ledger: every charge and every skipped charge. A row is never changed. */
interface ChargesTable {
  id: Generated<number>;
  application_id: number;
  job_id: number;
  company_id: string;
  decided_at: string;
  outcome: 'charged' | 'skipped';
  /** The bid of that moment: what was charged, or what would have been. */
  amount_cents: number;
  /** The window that a skipped charge did not fit into, and whose budget it is. */
  filled_target: BudgetTarget | null;
  filled_window: BudgetWindow | null;
}

/** The versions of the employer terms that were issued after the first. */
interface TermsTable {
  id: Generated<number>;
  version: string;
  text: string;
  issued_at: string;
}

interface EngineClockTable {
  id: 1;
  /** What the engine's time is ahead of the machine's. */
  offset_ms: number;
}

/** One-time links into the dashboard, each by the digest of its token. */
interface DashboardLinksTable {
  digest: string;
  company_id: string;
  /** Of the machine's clock, not the engine's: moving that must not sign anybody in or out. */
  expires_at: string;
  used_at: string | null;
}

interface DashboardSessionsTable {
  digest: string;
  company_id: string;
  /** Of the machine's clock. */
  expires_at: string;
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

export type { ApplicationStatus };

export type CompanyRow = Selectable<CompaniesTable>;
export type PartnerKeyRow = Selectable<PartnerKeysTable>;
export type JobRow = Selectable<JobsTable>;
export type NewJobRow = Insertable<JobsTable>;
export type ApplicationRow = Selectable<ApplicationsTable>;
export type NewApplicationRow = Insertable<ApplicationsTable>;
export type FileRow = Selectable<FilesTable>;
export type ChargeRow = Selectable<ChargesTable>;
export type NewChargeRow = Insertable<ChargesTable>;
export type NewTermsRow = Insertable<TermsTable>;
