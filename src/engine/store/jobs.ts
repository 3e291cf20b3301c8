import { sql } from 'kysely';
import type { Job } from '../../contract/job.ts';
import { isoTime } from '../../contract/time.ts';
import { type ApplicationStatus, JOB_STATUSES, type JobStatus } from '../../contract/values.ts';
import { type Connection, param, paramsOf, queryFirst } from './connection.ts';
import type { JobRow } from './tables.ts';

export interface JobFilter {
  readonly companyId: string;
  readonly status?: JobStatus | undefined;
  readonly opportunityId?: string | undefined;
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** As the indexes of lists have it. */
const NEWEST_FIRST = sql<number>`-jobs.id`;

/** The queries on jobs. Every one names the company, so that no key ever reaches another company's job. */
export function jobQueries(connection: Connection) {
  const { db, dialect } = connection;
  const one = () =>
    countedJobs(db).where('jobs.id', '=', param('id')).where('jobs.company_id', '=', param('companyId'));

  const find = async (companyId: string, id: number): Promise<Job | undefined> => {
    const row = await queryFirst(connection, 'job', one, { id, companyId });
    return row && jobOf(row);
  };

  const rowsOf = (filter: JobFilter): Promise<CountedJobRow[]> => {
    const { status, opportunityId, beforeId } = filter;
    return countedJobs(db)
      .where('jobs.company_id', '=', filter.companyId)
      .$if(status !== undefined, (query) => query.where('jobs.listed_status', '=', status as JobStatus))
      .$if(opportunityId !== undefined, (query) =>
        query.where('jobs.opportunity_id', '=', opportunityId as string),
      )
      .$if(beforeId !== undefined, (query) => query.where(NEWEST_FIRST, '>', -(beforeId as number)))
      .orderBy(NEWEST_FIRST)
      .limit(filter.limit)
      .execute();
  };

  return {
    find,

    async findStored(companyId: string, id: number): Promise<StoredJob | undefined> {
      const row = await queryFirst(connection, 'job', one, { id, companyId });
      return row && storedOf(row);
    },

    async findForChange(companyId: string, id: number): Promise<Job | undefined> {
      // SQLite's transaction has locked the whole database already. PostgreSQL reads the tallies as they were when the
      // statement began, not when it had the lock: so locking and reading are two statements.
      const lock = () =>
        db
          .selectFrom('jobs')
          .select('id')
          .where('id', '=', param('id'))
          .where('company_id', '=', param('companyId'))
          .forUpdate();
      const isLocked =
        dialect !== 'postgres' || (await queryFirst(connection, 'lock job', lock, { id, companyId }));
      // A job that was committed between the two would be read without a lock.
      return isLocked ? find(companyId, id) : undefined;
    },

    /** Those of a status as `settleExpiry` has left them. */
    list: async (filter: JobFilter): Promise<Job[]> => (await rowsOf(filter)).map(jobOf),
    listStored: async (filter: JobFilter): Promise<StoredJob[]> => (await rowsOf(filter)).map(storedOf),

    async insert(job: Omit<Job, 'id'>, now: number): Promise<Job> {
      const row = { ...rowOf(job), company_id: job.companyId, created_at: isoTime(now) };
      const query = () => db.insertInto('jobs').values(paramsOf(row)).returning('id');
      const inserted = await queryFirst(connection, 'insert job', query, row);
      return { id: Number(inserted?.id), ...job };
    },

    async replace(job: Job): Promise<void> {
      const row = rowOf(job);
      const { id, companyId } = job;
      const query = () =>
        db
          .updateTable('jobs')
          .set(paramsOf(row))
          .where('id', '=', param('id'))
          .where('company_id', '=', param('companyId'));
      await queryFirst(connection, 'replace job', query, { ...row, id, companyId });
    },

    /** The lowest bid of the company's jobs that are ACTIVE at `now` (epoch ms). */
    async lowestBid(companyId: string, now: number): Promise<number | undefined> {
      const lowest = await db
        .selectFrom('jobs')
        .select('bid_cents')
        .where('company_id', '=', companyId)
        .where('listed_status', '=', sql.lit('ACTIVE' as const))
        .where('expires_at', '>', isoTime(now))
        .where('bid_cents', 'is not', null)
        .orderBy('bid_cents')
        .limit(1)
        .executeTakeFirst();
      return lowest === undefined ? undefined : Number(lowest.bid_cents);
    },

    /** By the status that lists look for, of one company or of all. */
    async countByStatus(companyId?: string): Promise<Record<JobStatus, number>> {
      const sums = await db
        .selectFrom('job_counts')
        .select((on) => COUNTED.map(({ status, column }) => on.fn.sum<number | null>(column).as(status)))
        .$if(companyId !== undefined, (query) => query.where('company_id', '=', companyId as string))
        .executeTakeFirstOrThrow();
      const counts: Record<JobStatus, number> = { DRAFT: 0, ACTIVE: 0, PAUSED: 0, CLOSED: 0, EXPIRED: 0 };
      for (const status of JOB_STATUSES) counts[status] = Number(sums[status]);
      return counts;
    },
  };
}

const COUNTED = JOB_STATUSES.map((status) => ({
  status,
  column: status.toLowerCase() as Lowercase<JobStatus>,
}));

function countedJobs(db: Connection['db']) {
  return db
    .selectFrom('jobs')
    .leftJoin('job_tallies', 'job_tallies.job_id', 'jobs.id')
    .selectAll('jobs')
    .select(['pending', 'accepted', 'rejected', 'unseen']);
}

type CountedJobRow = JobRow & Record<ApplicationStatus | 'unseen', number | null>;

function rowOf(job: Omit<Job, 'id'>) {
  return {
    status: job.status,
    // A job that has expired is found by the next sweep.
    listed_status: job.status,
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

/** A job whose sets are still the JSON that is stored. */
export interface StoredJob extends Pick<Job, 'id' | 'status' | 'expiresAt'> {
  readonly row: CountedJobRow;
}

function storedOf(row: CountedJobRow): StoredJob {
  return { id: Number(row.id), status: row.status, expiresAt: row.expires_at, row };
}

/** The same text as that of the parsed job, in a third of the time. */
export function jobJson({ row, status }: StoredJob): string {
  const { locations, qualifications, questions, budgets } = row;
  const sets = `"locations":${locations},"qualifications":${qualifications},"questions":${questions},"budgets":${budgets}`;
  return `${JSON.stringify(headOf(row, status)).slice(0, -1)},${sets},${JSON.stringify(tailOf(row)).slice(1)}`;
}

/** In the order of section 2.1: what comes before the sets, they, and what comes after them. */
function jobOf(row: CountedJobRow): Job {
  return {
    ...headOf(row, row.status),
    locations: JSON.parse(row.locations),
    qualifications: JSON.parse(row.qualifications),
    questions: JSON.parse(row.questions),
    budgets: JSON.parse(row.budgets),
    ...tailOf(row),
  };
}

function headOf(row: CountedJobRow, status: JobStatus) {
  return {
    id: Number(row.id),
    title: row.title,
    status,
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
  };
}

function tailOf(row: CountedJobRow) {
  const applicationCounts = {
    pending: Number(row.pending),
    accepted: Number(row.accepted),
    rejected: Number(row.rejected),
  };
  return {
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

export type OpeningRow = Awaited<ReturnType<ReturnType<typeof openingQueries>['list']>>[number];

export function openingQueries(connection: Connection) {
  const { db } = connection;
  return {
    async find(id: number) {
      const query = () =>
        countedJobs(db)
          .innerJoin('companies', 'companies.id', 'jobs.company_id')
          .select('companies.name as company')
          .where('jobs.id', '=', param('id'));
      const row = await queryFirst(connection, 'opening', query, { id });
      return row && { ...jobOf(row), company: row.company };
    },

    /** The jobs that are ACTIVE at `now` (epoch ms), newest first, with those that a cap hides. */
    list({ beforeId, limit }: Pick<JobFilter, 'beforeId' | 'limit'>, now: number) {
      return (
        db
          .selectFrom('jobs')
          .innerJoin('companies', 'companies.id', 'jobs.company_id')
          .select(['jobs.id', 'company_id', 'bid_cents', 'jobs.budgets'])
          .select('companies.budgets as company_budgets')
          // A literal: SQLite takes the index of the ACTIVE ones for nothing else.
          .where('jobs.listed_status', '=', sql.lit('ACTIVE' as const))
          .where('jobs.expires_at', '>', isoTime(now))
          .$if(beforeId !== undefined, (query) => query.where(NEWEST_FIRST, '>', -(beforeId as number)))
          .orderBy(NEWEST_FIRST)
          .limit(limit)
          .execute()
      );
    },
  };
}
