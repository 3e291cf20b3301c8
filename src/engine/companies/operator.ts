import { wholeApplication } from '../applications/company-applications.ts';
import type { FileStore } from '../applications/files.ts';
import { createApplications, type FollowedClock } from '../applications/play-candidates.ts';
import type { CheckedBackup, RestoreOptions } from '../backup/restore.ts';
import { settleExpiry } from '../store/expiry.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Store } from '../store/store.ts';
import { type Company, companyById, companyOf, defaultCompany, newCompany, onlyCompany } from './company.ts';
import { createDashboard } from './dashboard.ts';
import { issueKey, listedKey, revokeKey } from './keys.ts';
import { currentTerms, issueTerms, type Terms } from './terms.ts';

/** What the engine's operator does on the machine itself; nothing of it goes over HTTP. */
export function createOperator(
  store: Store,
  followed: FollowedClock,
  databasePath: string,
  files: FileStore,
) {
  const clock = followed.now;
  return {
    /** The company of a command without --company: the only one, created if there is none. Throws USAGE for several. */
    async defaultCompany(): Promise<Company> {
      const only = await onlyCompany(store.read, 'choose one with --company ID');
      const meant = only ?? (await store.read.companies.findDefault());
      return meant ? companyOf(meant) : store.write((queries) => defaultCompany(queries, clock()));
    },
    companies: {
      async create(name: string): Promise<Company> {
        const company = newCompany(name, clock());
        await store.write(({ companies }) => companies.insert(company));
        return companyOf(company);
      },
      list: async () => (await store.read.companies.list()).map(companyOf),
      byId: async (id: string) => companyOf(await companyById(store.read, id)),
    },
    keys: {
      async create(companyId: string, name?: string) {
        await companyById(store.read, companyId);
        return store.write((queries) => issueKey(queries, companyId, clock(), name));
      },
      list: async (companyId?: string) => (await store.read.keys.list(companyId)).map(listedKey),
      revoke: (id: string) => store.write((queries) => revokeKey(queries, id, clock())),
    },
    terms: {
      current: () => currentTerms(store.read),
      issue: (terms: Pick<Terms, 'version' | 'text'>) =>
        store.write((queries) => issueTerms(queries, terms, clock())),
    },
    dashboard: createDashboard(store, clock),
    application: (companyId: string, id: number) => wholeApplication(store, companyId, id),
    /** The content of a file that came with an application; undefined where it is gone. */
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
