import type { Insertable } from 'kysely';
import { type Connection, lock, prepare } from './connection.ts';
import type { CompanyRow, NewTermsRow, PartnerKeyRow, Tables } from './tables.ts';

const LOCAL_KEY_LOCK = 0x4b455953;

export function createCompanyQueries(connection: Connection) {
  const { db, dialect } = connection;
  return {
    insert: (company: CompanyRow) => db.insertInto('companies').values(company).execute(),

    insertDefault: (company: CompanyRow) =>
      db
        .insertInto('companies')
        .values({ ...company, is_default: 1 })
        .onConflict((conflict) => conflict.column('is_default').doNothing())
        .execute(),

    findDefault: () => db.selectFrom('companies').selectAll().where('is_default', '=', 1).executeTakeFirst(),

    find: prepare(connection, 'company', (id: string) =>
      db.selectFrom('companies').selectAll().where('id', '=', id),
    ),

    async lock(id: string): Promise<void> {
      if (dialect !== 'postgres') return;
      await db.selectFrom('companies').select('id').where('id', '=', id).forNoKeyUpdate().execute();
    },

    list(limit?: number): Promise<CompanyRow[]> {
      const query = db.selectFrom('companies').selectAll().orderBy('created_at').orderBy('id');
      return (limit === undefined ? query : query.limit(limit)).execute();
    },

    change: (id: string, columns: Partial<CompanyRow>) =>
      db.updateTable('companies').set(columns).where('id', '=', id).execute(),
  };
}

export function createKeyQueries(connection: Connection) {
  const { db, onChange } = connection;
  return {
    insert: (key: PartnerKeyRow) => db.insertInto('partner_keys').values(key).execute(),

    lockLocal: () => lock(connection, LOCAL_KEY_LOCK),

    findByDigest: prepare(connection, 'key of digest', (digest: string) =>
      db.selectFrom('partner_keys').selectAll().where('digest', '=', digest),
    ),

    list: (companyId?: string) =>
      db
        .selectFrom('partner_keys')
        .selectAll()
        .$if(companyId !== undefined, (query) => query.where('company_id', '=', companyId as string))
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    recordUse: (ids: readonly string[], hour: string) =>
      db
        .updateTable('partner_keys')
        .set({ last_used_at: hour })
        .where('id', 'in', ids)
        .where((on) => on.or([on('last_used_at', 'is', null), on('last_used_at', '!=', hour)]))
        .execute(),

    async revoke(id: string, revokedAt: string): Promise<boolean> {
      onChange();
      const { numUpdatedRows } = await db
        .updateTable('partner_keys')
        .set((on) => ({ revoked_at: on.fn.coalesce('revoked_at', on.val(revokedAt)) }))
        .where('id', '=', id)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

export function createSessionQueries({ db }: Connection) {
  return {
    insertLink: (link: Insertable<Tables['dashboard_links']>) =>
      db.insertInto('dashboard_links').values(link).execute(),

    /** Marks a link as used and returns its company ID. Undefined if the link is unknown, used or expired. */
    async useLink(digest: string, now: string): Promise<string | undefined> {
      const used = await db
        .updateTable('dashboard_links')
        .set({ used_at: now })
        .where('digest', '=', digest)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .returning('company_id')
        .executeTakeFirst();
      return used?.company_id;
    },

    insert: (session: Tables['dashboard_sessions']) =>
      db.insertInto('dashboard_sessions').values(session).execute(),

    async findCompanyId(digest: string, now: string): Promise<string | undefined> {
      const session = await db
        .selectFrom('dashboard_sessions')
        .select('company_id')
        .where('digest', '=', digest)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return session?.company_id;
    },

    delete: (digest: string) => db.deleteFrom('dashboard_sessions').where('digest', '=', digest).execute(),

    async sweep(now: string): Promise<void> {
      await db.deleteFrom('dashboard_links').where('expires_at', '<=', now).execute();
      await db.deleteFrom('dashboard_sessions').where('expires_at', '<=', now).execute();
    },
  };
}

export function createTermsQueries(connection: Connection) {
  const { db } = connection;
  return {
    latest: prepare(connection, 'terms', () =>
      db.selectFrom('terms').select(['version', 'text', 'issued_at']).orderBy('id', 'desc').limit(1),
    ),

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
