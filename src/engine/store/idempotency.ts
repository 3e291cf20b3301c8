import { sql } from 'kysely';
import { type Connection, prepare } from './connection.ts';
import type { Tables } from './tables.ts';

type StoredAnswer = Omit<Tables['idempotency'], 'company_id' | 'key' | 'stored_at'>;

export function createIdempotencyQueries(connection: Connection) {
  const { db, dialect } = connection;
  const lock = prepare(connection, 'lock key', (name: string) =>
    db.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${name}, 0))`.as('locked')),
  );
  const find = prepare(connection, 'stored answer', (id: string, key: string, sinceTime: string) =>
    db
      .selectFrom('idempotency')
      .select(['request_digest', 'answer_status', 'answer_body'])
      .where('company_id', '=', id)
      .where('key', '=', key)
      .where('stored_at', '>', sinceTime),
  );
  const put = prepare(
    { ...connection, direct: () => connection.direct()?.last ?? connection.direct() },
    'put answer',
    (company_id: string, key: string, answer: StoredAnswer, stored_at: string) =>
      db
        .insertInto('idempotency')
        .values({ company_id, key, ...answer, stored_at })
        .onConflict((conflict) =>
          conflict.columns(['company_id', 'key']).doUpdateSet({ ...answer, stored_at }),
        ),
  );
  return {
    async find(companyId: string, key: string, sinceTime: string) {
      // Two statements, because the read must see everything that was committed before the lock was acquired.
      const locked = dialect === 'postgres' ? lock(`${companyId} ${key}`) : undefined;
      const [answer] = await Promise.all([find(companyId, key, sinceTime), locked]);
      return answer;
    },

    put,

    deleteOlder: (thanTime: string) =>
      db.deleteFrom('idempotency').where('stored_at', '<=', thanTime).execute(),
  };
}
