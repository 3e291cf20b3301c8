import { sql } from 'kysely';
import { type Connection, param, paramsOf, queryFirst } from './connection.ts';
import type { Tables } from './tables.ts';

type StoredAnswer = Pick<Tables['idempotency'], 'request_digest' | 'answer_status' | 'answer_body'>;

export function idempotencyQueries(connection: Connection) {
  const { db, dialect } = connection;
  return {
    /** The answer stored under a key since `sinceTime`; another request under the key waits for this transaction. */
    async find(companyId: string, key: string, sinceTime: string): Promise<StoredAnswer | undefined> {
      if (dialect === 'postgres') {
        const name = `${companyId} ${key}`;
        await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
      }
      const query = () =>
        db
          .selectFrom('idempotency')
          .select(['request_digest', 'answer_status', 'answer_body'])
          .where('company_id', '=', param('companyId'))
          .where('key', '=', param('key'))
          .where('stored_at', '>', param('sinceTime'));
      return queryFirst(connection, 'stored answer', query, { companyId, key, sinceTime });
    },

    async put(companyId: string, key: string, answer: StoredAnswer, storedAt: string): Promise<void> {
      const content = { ...answer, stored_at: storedAt };
      const row = { company_id: companyId, key, ...content };
      const query = () =>
        db
          .insertInto('idempotency')
          .values(paramsOf(row))
          .onConflict((conflict) => conflict.columns(['company_id', 'key']).doUpdateSet(paramsOf(content)));
      await queryFirst(connection, 'put answer', query, row);
    },

    async deleteOlder(thanTime: string): Promise<void> {
      await db.deleteFrom('idempotency').where('stored_at', '<=', thanTime).execute();
    },
  };
}
