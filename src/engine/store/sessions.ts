import type { Connection } from './connection.ts';

/** Who a one-time link or a session lets in, until when by the machine's clock. */
interface Admission {
  readonly digest: string;
  readonly companyId: string;
  readonly expiresAt: string;
}

/** The queries on the dashboard's links and sessions: tokens are stored by their digests only. */
export function sessionQueries({ db }: Connection) {
  return {
    async insertLink({ digest, companyId, expiresAt }: Admission): Promise<void> {
      await db
        .insertInto('dashboard_links')
        .values({ digest, company_id: companyId, expires_at: expiresAt, used_at: null })
        .execute();
    },

    /** Uses a link up, unless it is unknown, used before or too old; gives its company. */
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

    async insert({ digest, companyId, expiresAt }: Admission): Promise<void> {
      await db
        .insertInto('dashboard_sessions')
        .values({ digest, company_id: companyId, expires_at: expiresAt })
        .execute();
    },

    async companyOf(digest: string, now: string): Promise<string | undefined> {
      const session = await db
        .selectFrom('dashboard_sessions')
        .select('company_id')
        .where('digest', '=', digest)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return session?.company_id;
    },

    async delete(digest: string): Promise<void> {
      await db.deleteFrom('dashboard_sessions').where('digest', '=', digest).execute();
    },

    /** Forgets the links and sessions that are over. */
    async sweep(now: string): Promise<void> {
      await db.deleteFrom('dashboard_links').where('expires_at', '<=', now).execute();
      await db.deleteFrom('dashboard_sessions').where('expires_at', '<=', now).execute();
    },
  };
}
