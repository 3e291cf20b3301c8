import { type RawBuilder, sql } from 'kysely';
import { param, queryFirst, slotsOf } from './prepared.ts';
import type { Connection } from './store.ts';

/** The answer that was given under an `Idempotency-Key`, and to which request. */
export interface StoredAnswer {
  readonly requestDigest: string;
  readonly status: number;
  readonly body: string;
}

/** The queries on stored answers (decision 27). All run in the transaction of the effect they stand for. */
export function idempotencyQueries(connection: Connection) {
  const { db, dialect } = connection;
  return {
    /**
     * The answer stored under a key since `sinceTime`. Until the transaction ends, another request under
     * the same key waits here.
     */
    async find(companyId: string, key: string, sinceTime: string): Promise<StoredAnswer | undefined> {
      if (dialect === 'postgres') await lock(`${companyId} ${key}`).execute(db);
      const query = () =>
        db
          .selectFrom('idempotency')
          .select(['request_digest', 'answer_status', 'answer_body'])
          .where('company_id', '=', param<string>('companyId'))
          .where('key', '=', param<string>('key'))
          .where('stored_at', '>', param<string>('sinceTime'));
      const values = { companyId, key, sinceTime };
      const row = await queryFirst(connection, 'stored answer', query, values);
      return row && { requestDigest: row.request_digest, status: row.answer_status, body: row.answer_body };
    },

    /** Stores an answer, over one that has run out. */
    async put(companyId: string, key: string, answer: StoredAnswer, storedAt: string): Promise<void> {
      const content = {
        request_digest: answer.requestDigest,
        answer_status: answer.status,
        answer_body: answer.body,
        stored_at: storedAt,
      };
      const row = { company_id: companyId, key, ...content };
      const query = () =>
        db
          .insertInto('idempotency')
          .values(slotsOf(row))
          .onConflict((conflict) => conflict.columns(['company_id', 'key']).doUpdateSet(slotsOf(content)));
      await queryFirst(connection, 'put answer', query, row);
    },

    async deleteOlder(thanTime: string): Promise<void> {
      await db.deleteFrom('idempotency').where('stored_at', '<=', thanTime).execute();
    },
  };
}

/** SQLite needs none: its write transactions run one after another. */
function lock(name: string): RawBuilder<unknown> {
  return sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
