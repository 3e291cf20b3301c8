import { sql } from 'kysely';
import { isoTime } from '../../contract/time.ts';
import { type Connection, param, queryFirst } from './connection.ts';
import type { JobRow } from './tables.ts';

interface OpeningPage {
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

export type OpeningRow = JobRow & { readonly company_name: string; readonly company_budgets: string };

/** What decides whether candidates are shown a job. */
export type ListedOpeningRow = Pick<JobRow, 'id' | 'company_id' | 'bid_cents' | 'budgets'> & {
  readonly company_budgets: string;
};

/** The queries on jobs for candidates, who belong to no company. */
export function openingQueries(connection: Connection) {
  const { db } = connection;
  const openings = () =>
    db
      .selectFrom('jobs')
      .innerJoin('companies', 'companies.id', 'jobs.company_id')
      .selectAll('jobs')
      .select(['companies.name as company_name', 'companies.budgets as company_budgets']);

  return {
    /** A job in any state. */
    async find(id: number): Promise<OpeningRow | undefined> {
      const query = () => openings().where('jobs.id', '=', param<number>('id'));
      return queryFirst(connection, 'opening', query, { id });
    },

    /** The jobs that are ACTIVE at `now` (epoch ms), newest first, with those that a cap hides. */
    list({ beforeId, limit }: OpeningPage, now: number): Promise<ListedOpeningRow[]> {
      return (
        db
          .selectFrom('jobs')
          .innerJoin('companies', 'companies.id', 'jobs.company_id')
          .select(['jobs.id', 'company_id', 'bid_cents', 'jobs.budgets'])
          .select('companies.budgets as company_budgets')
          // A literal: SQLite takes the index of the ACTIVE ones for nothing else.
          .where('jobs.status', '=', sql.lit('ACTIVE' as const))
          .where('jobs.expires_at', '>', isoTime(now))
          .$if(beforeId !== undefined, (query) => query.where('jobs.id', '<', beforeId as number))
          .orderBy('jobs.id', 'desc')
          .limit(limit)
          .execute()
      );
    },
  };
}
