import { sql } from 'kysely';
import { type Connection, param, queryFirst, toParams } from './connection.ts';
import type { Tables } from './tables.ts';

type StoredAnswer = Pick<Tables['idempotency'], 'request_digest' | 'answer_status' | 'answer_body'>;

export function createIdempotencyQueries(connection: Connection) {
  const { db, dialect } = connection;
  const withDirect = (when: 'ahead' | 'last'): Connection => ({
    ...connection,
    direct: () => connection.direct()?.[when] ?? connection.direct(),
  });
  const [ahead, last] = [withDirect('ahead'), withDirect('last')];
  return {
    async find(companyId: string, key: string, sinceTime: string): Promise<StoredAnswer | undefined> {
      const lock = () =>
        db.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${param('name')}, 0))`.as('locked'));
      const query = () =>
        db
          .selectFrom('idempotency')
          .select(['request_digest', 'answer_status', 'answer_body'])
          .where('company_id', '=', param('companyId'))
          .where('key', '=', param('key'))
          .where('stored_at', '>', param('sinceTime'));
      // Two statements, because the read must see everything that was committed before the lock was acquired.
      const name = `${companyId} ${key}`;
      const locked = dialect === 'postgres' ? queryFirst(ahead, 'lock key', lock, { name }) : undefined;
      const found = queryFirst(ahead, 'stored answer', query, { companyId, key, sinceTime });
      const [, answer] = await Promise.all([locked, found]);
      return answer;
    },

    async put(companyId: string, key: string, answer: StoredAnswer, storedAt: string): Promise<void> {
      const content = { ...answer, stored_at: storedAt };
      const row = { company_id: companyId, key, ...content };
      const query = () =>
        db
          .insertInto('idempotency')
          .values(toParams(row))
          .onConflict((conflict) => conflict.columns(['company_id', 'key']).doUpdateSet(toParams(content)));
      await queryFirst(last, 'put answer', query, row);
    },

    async deleteOlder(thanTime: string): Promise<void> {
      await db.deleteFrom('idempotency').where('stored_at', '<=', thanTime).execute();
    },
  };
}
