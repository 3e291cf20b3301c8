import type { Connection } from './store.ts';
import type { ApplicationStatus } from './tables.ts';

/** The queries on applications: so far what counts them and freezes a job. */
export function applicationQueries({ db }: Connection) {
  return {
    async insert(jobId: number, status: ApplicationStatus, receivedAt: string): Promise<number> {
      const { id } = await db
        .insertInto('applications')
        .values({ job_id: jobId, status, received_at: receivedAt })
        .returning('id')
        .executeTakeFirstOrThrow();
      return Number(id);
    },
  };
}
