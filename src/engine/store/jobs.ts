import { type RawBuilder, sql } from 'kysely';
import type { Job } from '../../contract/job.ts';
import type { JobStatus } from '../../contract/values.ts';
import { isoTime } from '../time.ts';
import { jobOf, type NewJob, rowOf } from './job-row.ts';
import { param, queryFirst, slotsOf } from './prepared.ts';
import type { Connection } from './store.ts';

export interface JobFilter {
  readonly companyId: string;
  readonly status?: JobStatus | undefined;
  readonly opportunityId?: string | undefined;
  /** Only jobs with a lower id: where the page before ended. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** The queries on jobs. Every one names the company, so that no key ever reaches another company's job. */
export function jobQueries(connection: Connection) {
  const { db, dialect } = connection;
  const counted = () =>
    db
      .selectFrom('jobs')
      .leftJoin('job_tallies', 'job_tallies.job_id', 'jobs.id')
      .selectAll('jobs')
      .select(['pending', 'accepted', 'rejected', 'unseen']);
  const one = () =>
    counted()
      .where('jobs.id', '=', param<number>('id'))
      .where('jobs.company_id', '=', param<string>('companyId'));

  const find = async (companyId: string, id: number): Promise<Job | undefined> => {
    const row = await queryFirst(connection, 'job', one, { id, companyId });
    return row && jobOf(row);
  };

  return {
    find,

    /** The job, locked against other writers until the transaction ends. */
    async findForChange(companyId: string, id: number): Promise<Job | undefined> {
      // SQLite's immediate transaction has locked the whole database already. PostgreSQL reads the tallies as they were
      // when the statement began, and not when it had the lock: what it waited for is seen by the next statement only.
      const lock = () =>
        db
          .selectFrom('jobs')
          .select('id')
          .where('id', '=', param<number>('id'))
          .where('company_id', '=', param<string>('companyId'))
          .forUpdate();
      if (dialect === 'postgres') await queryFirst(connection, 'lock job', lock, { id, companyId });
      return find(companyId, id);
    },

    /** Newest first. `now` decides which jobs have expired. */
    async list(filter: JobFilter, now: number): Promise<Job[]> {
      const { status, opportunityId, beforeId } = filter;
      const rows = await counted()
        .where('jobs.company_id', '=', filter.companyId)
        .$if(status !== undefined, (query) => query.where(statusAt(now), '=', status as JobStatus))
        .$if(opportunityId !== undefined, (query) =>
          query.where('jobs.opportunity_id', '=', opportunityId as string),
        )
        .$if(beforeId !== undefined, (query) => query.where('jobs.id', '<', beforeId as number))
        .orderBy('jobs.id', 'desc')
        .limit(filter.limit)
        .execute();
      return rows.map(jobOf);
    },

    /** Stores a new job and returns it with its id. */
    async insert(job: NewJob, now: number): Promise<Job> {
      const row = { ...rowOf(job), company_id: job.companyId, created_at: isoTime(now) };
      const query = () => db.insertInto('jobs').values(slotsOf(row)).returning('id');
      const inserted = await queryFirst(connection, 'insert job', query, row);
      return { id: Number(inserted?.id), ...job };
    },

    async replace(job: Job): Promise<void> {
      const row = rowOf(job);
      const { id, companyId } = job;
      const query = () =>
        db
          .updateTable('jobs')
          .set(slotsOf(row))
          .where('id', '=', param<number>('id'))
          .where('company_id', '=', param<string>('companyId'));
      await queryFirst(connection, 'replace job', query, { ...row, id, companyId });
    },

    /** The lowest bid among the jobs of a company that are ACTIVE now, in cents; undefined where none is. */
    async lowestBid(companyId: string, now: number): Promise<number | undefined> {
      const { lowest } = await db
        .selectFrom('jobs')
        .select((on) => on.fn.min<number | null>('bid_cents').as('lowest'))
        .where('company_id', '=', companyId)
        .where(statusAt(now), '=', 'ACTIVE')
        .executeTakeFirstOrThrow();
      return lowest === null ? undefined : Number(lowest);
    },

    /** How many jobs stand in each state now; of all companies where none is named. */
    async countByStatus(now: number, companyId?: string): Promise<Partial<Record<JobStatus, number>>> {
      const rows = await db
        .selectFrom('jobs')
        .select((on) => [statusAt(now).as('current'), on.fn.countAll<number>().as('jobs')])
        .$if(companyId !== undefined, (query) => query.where('company_id', '=', companyId as string))
        .groupBy('current')
        .execute();
      return Object.fromEntries(rows.map(({ current, jobs }) => [current, Number(jobs)]));
    },
  };
}

/** Section 8, rule 1 and decision 3, as `jobAt` of the lifecycle has it, for filters and counts. */
function statusAt(now: number): RawBuilder<JobStatus> {
  return sql<JobStatus>`case
    when jobs.status in ('ACTIVE', 'PAUSED') and jobs.expires_at <= ${isoTime(now)}
    then 'EXPIRED' else jobs.status end`;
}
