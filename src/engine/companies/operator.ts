import { loadWholeApplication } from '../applications/company-applications.ts';
import type { FileStore } from '../applications/files.ts';
import { createApplications, type FollowedClock } from '../applications/play-candidates.ts';
import type { CheckedBackup, RestoreOptions } from '../backup/restore.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import { type Store, settleExpiry } from '../store/store.ts';
import { createCompanyRow, defaultCompany, findOnlyCompany, loadCompany, toCompany } from './company.ts';
import { createDashboard } from './dashboard.ts';
import { issueKey, revokeKey, toListedKey } from './keys.ts';
import { issueTerms, loadTerms, type Terms } from './terms.ts';

export function createOperator(
  store: Store,
  followed: FollowedClock,
  databasePath: string,
  files: FileStore,
) {
  const clock = followed.now;
  return {
    /** Returns the company for commands without `--company`, and creates it if needed. Throws USAGE for several. */
    async defaultCompany() {
      const only = await findOnlyCompany(store.read, 'choose one with --company ID');
      const meant = only ?? (await store.read.companies.findDefault());
      return meant ? toCompany(meant) : store.write((queries) => defaultCompany(queries, clock()));
    },
    companies: {
      async create(name: string) {
        const company = createCompanyRow(name, clock());
        await store.write(({ companies }) => companies.insert(company));
        return toCompany(company);
      },
      list: async () => (await store.read.companies.list()).map(toCompany),
      byId: async (id: string) => toCompany(await loadCompany(store.read, id)),
    },
    keys: {
      async create(companyId: string, name?: string) {
        await loadCompany(store.read, companyId);
        return store.write((queries) => issueKey(queries, companyId, clock(), name));
      },
      list: async (companyId?: string) => (await store.read.keys.list(companyId)).map(toListedKey),
      revoke: (id: string) => store.write((queries) => revokeKey(queries, id, clock())),
    },
    terms: {
      current: () => loadTerms(store.read),
      issue: (terms: Pick<Terms, 'version' | 'text'>) =>
        store.write((queries) => issueTerms(queries, terms, clock())),
    },
    dashboard: createDashboard(store, clock),
    application: (companyId: string, id: number) => loadWholeApplication(store, companyId, id),
    fileContent: async (fileId: string) => (await files.open(fileId))?.content,
    applications: createApplications(store, followed, files),
    async status() {
      await settleExpiry(store, clock);
      const [companies, keys] = [await store.read.companies.list(), await store.read.keys.list()];
      return {
        companies: companies.length,
        keys: keys.filter(({ revoked_at }) => revoked_at === null).length,
        jobs: await store.read.jobs.countByStatus(),
        ...(await store.read.database.counts()),
        schemaVersion: store.isTemporary ? 0 : SCHEMA_VERSION,
        databasePath,
        databaseBytes: store.isTemporary ? 0 : await store.read.database.bytes(),
      };
    },
    reset: () => files.contents.reset(),
    async restore(backup: CheckedBackup, options: RestoreOptions) {
      const { restore } = await import('../backup/restore.ts');
      return restore(store, files.contents, backup, options);
    },
  };
}
