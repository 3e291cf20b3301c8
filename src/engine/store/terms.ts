import { queryFirst } from './prepared.ts';
import type { Connection } from './store.ts';
import type { NewTermsRow } from './tables.ts';

/** The queries on the versions of the employer terms that were issued after the first. */
export function termsQueries(connection: Connection) {
  const { db } = connection;
  return {
    /** The version in force; undefined where none was issued after the first. */
    async latest(): Promise<NewTermsRow | undefined> {
      const query = () =>
        db.selectFrom('terms').select(['version', 'text', 'issued_at']).orderBy('id', 'desc').limit(1);
      return queryFirst(connection, 'terms', query, {});
    },

    /** False where there is such a version already. */
    async issue(terms: NewTermsRow): Promise<boolean> {
      const inserted = await db
        .insertInto('terms')
        .values(terms)
        .onConflict((conflict) => conflict.doNothing())
        .returning('version')
        .executeTakeFirst();
      return inserted !== undefined;
    },
  };
}
