import { sql } from 'kysely';
import type { ApplicationStatus } from '../../contract/values.ts';
import { type Connection, prepare } from './connection.ts';
import type { ApplicationRow, NewApplicationRow } from './tables.ts';

export interface ApplicationFilter {
  readonly companyId: string;
  readonly jobId?: number | undefined;
  readonly status?: ApplicationStatus | undefined;
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

type ApplicationQueries = ReturnType<typeof createApplicationQueries>;

export type OpenJobRow = NonNullable<Awaited<ReturnType<ApplicationQueries['jobForApplication']>>>;
export type BilledApplicationRow = Awaited<ReturnType<ApplicationQueries['list']>>[number];

const NEWEST_FIRST = sql<number>`-applications.id`;

export function createApplicationQueries(connection: Connection) {
  const { db, dialect } = connection;
  const selectBilled = () =>
    db
      .selectFrom('applications')
      .innerJoin('jobs', 'jobs.id', 'applications.job_id')
      .leftJoin('charges', 'charges.application_id', 'applications.id')
      .selectAll('applications')
      .select(['outcome', 'amount_cents', 'filled_target', 'filled_window']);

  const insert = prepare(connection, 'insert application', (application: NewApplicationRow) =>
    db
      .insertInto('applications')
      .values({
        ...application,
        company_id: db.selectFrom('jobs').select('company_id').where('id', '=', application.job_id),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  );

  return {
    /** Locks the job and its company until the transaction ends, because caps apply to all applications together. */
    jobForApplication: prepare(connection, 'job for application', (jobId: number) => {
      const found = db
        .selectFrom('jobs')
        .innerJoin('companies', 'companies.id', 'jobs.company_id')
        .select(['jobs.id', 'company_id', 'status', 'expires_at', 'bid_cents'])
        .select(['qualifications', 'questions', 'jobs.budgets', 'companies.budgets as company_budgets'])
        .where('jobs.id', '=', jobId);
      return dialect === 'postgres' ? found.forNoKeyUpdate(['companies', 'jobs']) : found;
    }),

    insert: async (application: NewApplicationRow) => (await insert(application))?.id,

    countReceived: prepare(connection, 'count received', (jobId: number) =>
      db
        .insertInto('job_tallies')
        .values({ job_id: jobId, pending: 1, accepted: 0, rejected: 0, unseen: 1 })
        .onConflict((conflict) =>
          conflict.column('job_id').doUpdateSet((on) => ({
            pending: on('job_tallies.pending', '+', 1),
            unseen: on('job_tallies.unseen', '+', 1),
          })),
        ),
    ),

    forgetUnseen: (jobId: number) =>
      db.updateTable('job_tallies').set({ unseen: 0 }).where('job_id', '=', jobId).execute(),

    async find(companyId: string, id: number) {
      const found = selectBilled().where('applications.id', '=', id).where('jobs.company_id', '=', companyId);
      return (dialect === 'postgres' ? found.forNoKeyUpdate('applications') : found).executeTakeFirst();
    },

    list(filter: ApplicationFilter) {
      const { jobId, status, beforeId } = filter;
      return selectBilled()
        .where(jobId === undefined ? 'applications.company_id' : 'jobs.company_id', '=', filter.companyId)
        .$if(jobId !== undefined, (query) => query.where('applications.job_id', '=', jobId as number))
        .$if(status !== undefined, (query) =>
          query.where('applications.status', '=', status as ApplicationStatus),
        )
        .$if(beforeId !== undefined, (query) => query.where(NEWEST_FIRST, '>', -(beforeId as number)))
        .orderBy(NEWEST_FIRST)
        .limit(filter.limit)
        .execute();
    },

    async move(
      { id, job_id, status }: Pick<ApplicationRow, 'id' | 'job_id' | 'status'>,
      to: ApplicationStatus,
      decidedAt: string,
    ) {
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
