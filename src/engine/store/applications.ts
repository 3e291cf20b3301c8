import { type ExpressionBuilder, sql } from 'kysely';
import type { BudgetWindow, JobStatus } from '../../contract/values.ts';
import type { BudgetTarget } from '../billing/charge.ts';
import { param, queryFirst, slotsOf } from './prepared.ts';
import type { Connection } from './store.ts';
import type { ApplicationRow, ApplicationStatus, NewApplicationRow, Tables } from './tables.ts';

export interface ApplicationFilter {
  readonly companyId: string;
  readonly jobId?: number | undefined;
  readonly status?: ApplicationStatus | undefined;
  /** Only applications with a lower id: where the page before ended. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** The job of an application as much as deciding on it takes, with its company's caps. */
export interface OpenJobRow {
  readonly id: number;
  readonly company_id: string;
  readonly status: JobStatus;
  readonly expires_at: string | null;
  readonly bid_cents: number | null;
  readonly qualifications: string;
  readonly questions: string;
  readonly budgets: string;
  readonly company_budgets: string;
}

/** An application and what it cost, where anything was decided about that. */
export type BilledApplicationRow = ApplicationRow & {
  readonly outcome: 'charged' | 'skipped' | null;
  readonly amount_cents: number | null;
  readonly filled_target: BudgetTarget | null;
  readonly filled_window: BudgetWindow | null;
};

/** The queries on applications, and on the tallies that count them. */
export function applicationQueries(connection: Connection) {
  const { db, dialect } = connection;
  const billed = () =>
    db
      .selectFrom('applications')
      .innerJoin('jobs', 'jobs.id', 'applications.job_id')
      .leftJoin('charges', 'charges.application_id', 'applications.id')
      .selectAll('applications')
      .select(['outcome', 'amount_cents', 'filled_target', 'filled_window']);

  return {
    /**
     * The job that somebody applies to. Until the transaction ends, nobody else's application to the company's
     * jobs, and no edit of this one, is decided: caps hold for all of them together.
     */
    async jobForApplication(jobId: number): Promise<OpenJobRow | undefined> {
      const query = () => {
        const found = db
          .selectFrom('jobs')
          .innerJoin('companies', 'companies.id', 'jobs.company_id')
          .select([
            'jobs.id',
            'company_id',
            'status',
            'expires_at',
            'bid_cents',
            'qualifications',
            'questions',
          ])
          .select(['jobs.budgets', 'companies.budgets as company_budgets'])
          .where('jobs.id', '=', param<number>('jobId'));
        // SQLite's immediate transaction has locked the whole database already.
        return dialect === 'postgres' ? found.forNoKeyUpdate(['companies', 'jobs']) : found;
      };
      return queryFirst(connection, 'job for application', query, { jobId });
    },

    /** Stores an application and gives its id; undefined where the candidate has applied to the job before. */
    async insert(application: NewApplicationRow): Promise<number | undefined> {
      const query = () =>
        db
          .insertInto('applications')
          .values(slotsOf(application))
          .onConflict((conflict) => conflict.doNothing())
          .returning('id');
      const inserted = await queryFirst(connection, 'insert application', query, { ...application });
      return inserted && Number(inserted.id);
    },

    /** Counts one more application, pending and not seen yet. */
    async countReceived(jobId: number): Promise<void> {
      const query = () =>
        db
          .insertInto('job_tallies')
          .values({ job_id: param<number>('jobId'), pending: 1, accepted: 0, rejected: 0, unseen: 1 })
          .onConflict((conflict) =>
            conflict.column('job_id').doUpdateSet((on) => ({
              pending: one('pending')(on),
              unseen: one('unseen')(on),
            })),
          );
      await queryFirst(connection, 'count received', query, { jobId });
    },

    /** Decision 18: the job was opened in the dashboard. */
    async forgetUnseen(jobId: number): Promise<void> {
      await db.updateTable('job_tallies').set({ unseen: 0 }).where('job_id', '=', jobId).execute();
    },

    /** One application of the company, locked until the transaction ends. */
    async find(companyId: string, id: number): Promise<BilledApplicationRow | undefined> {
      const found = billed().where('applications.id', '=', id).where('jobs.company_id', '=', companyId);
      return (dialect === 'postgres' ? found.forNoKeyUpdate('applications') : found).executeTakeFirst();
    },

    /** Newest first. */
    list(filter: ApplicationFilter): Promise<BilledApplicationRow[]> {
      const { jobId, status, beforeId } = filter;
      return billed()
        .where('jobs.company_id', '=', filter.companyId)
        .$if(jobId !== undefined, (query) => query.where('applications.job_id', '=', jobId as number))
        .$if(status !== undefined, (query) =>
          query.where('applications.status', '=', status as ApplicationStatus),
        )
        .$if(beforeId !== undefined, (query) => query.where('applications.id', '<', beforeId as number))
        .orderBy('applications.id', 'desc')
        .limit(filter.limit)
        .execute();
    },

    /** The ids of the newest applications of a job. */
    async newestIds(jobId: number, limit: number): Promise<number[]> {
      const newest = db.selectFrom('applications').select('id').where('job_id', '=', jobId);
      return (await newest.orderBy('id', 'desc').limit(limit).execute()).map(({ id }) => Number(id));
    },

    /** Moves an application from one status to another, and its job's tallies with it. */
    async move(
      { id, job_id, status }: ApplicationRow,
      to: ApplicationStatus,
      decidedAt: string,
    ): Promise<void> {
      await db
        .updateTable('applications')
        .set({ status: to, decided_at: decidedAt })
        .where('id', '=', id)
        .execute();
      await db
        .updateTable('job_tallies')
        .set({ [status]: sql`${sql.ref(status)} - 1`, [to]: sql`${sql.ref(to)} + 1` })
        .where('job_id', '=', job_id)
        .execute();
    },
  };
}

function one(column: 'pending' | 'unseen') {
  return (on: ExpressionBuilder<Tables, 'job_tallies'>) => on(`job_tallies.${column}`, '+', 1);
}
