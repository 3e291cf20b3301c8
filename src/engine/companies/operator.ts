import type { JobStatus } from '../../contract/values.ts';
import { type WholeApplication, wholeApplication } from '../applications/company-applications.ts';
import type { FileStore } from '../applications/files.ts';
import { type Applications, createApplications, type FollowedClock } from '../applications/operator.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Store } from '../store/store.ts';
import { type Company, companyById, companyOf, defaultCompany, newCompany } from './company.ts';
import { createDashboard, type Dashboard, everyStatus } from './dashboard.ts';
import { type IssuedKey, issueKey, type ListedKey, listedKey, revokeKey } from './keys.ts';
import { currentTerms, issueTerms, type Terms } from './terms.ts';

interface EngineStatus {
  readonly companies: number;
  /** Keys that are not revoked. */
  readonly keys: number;
  readonly jobs: Readonly<Record<JobStatus, number>>;
  readonly schemaVersion: number;
  readonly databasePath: string;
}

/** What the engine's operator does on the machine itself; nothing of it goes over HTTP. */
export interface Operator {
  /** The company made on first use. */
  defaultCompany(): Promise<Company>;
  readonly companies: {
    create(name: string): Promise<Company>;
    list(): Promise<Company[]>;
    /** Throws USAGE where there is none. */
    byId(id: string): Promise<Company>;
  };
  readonly keys: {
    /** Throws USAGE where there is no such company. */
    create(companyId: string): Promise<IssuedKey>;
    list(companyId?: string): Promise<ListedKey[]>;
    /** Throws USAGE where there is no such key. */
    revoke(id: string): Promise<void>;
  };
  readonly terms: {
    /** Those in force. */
    current(): Promise<Terms>;
    /** Issues a version that every company has to accept from now on. Throws USAGE where it was issued before. */
    issue(terms: Pick<Terms, 'version' | 'text'>): Promise<Terms>;
  };
  readonly dashboard: Dashboard;
  /** An application with its answers and the files that came with it. Throws NOT_FOUND. */
  application(companyId: string, id: number): Promise<WholeApplication>;
  /** What is in a file that came with an application; undefined where it has gone. */
  fileContent(fileId: string): Promise<Uint8Array | undefined>;
  /** What candidates do, done by the operator for them. */
  readonly applications: Applications;
  status(): Promise<EngineStatus>;
  /** Empties the database: companies, keys, jobs, applications, and what candidates have sent. */
  reset(): Promise<void>;
}

export function createOperator(
  store: Store,
  followed: FollowedClock,
  databasePath: string,
  files: FileStore,
): Operator {
  const clock = followed.now;
  return {
    async defaultCompany() {
      const existing = await store.read.companies.findDefault();
      if (existing !== undefined) return companyOf(existing);
      return store.write((queries) => defaultCompany(queries, clock()));
    },
    companies: {
      async create(name) {
        const company = newCompany(name, clock());
        await store.write(({ companies }) => companies.insert(company));
        return companyOf(company);
      },
      list: async () => (await store.read.companies.list()).map(companyOf),
      byId: async (id) => companyOf(await companyById(store.read, id)),
    },
    keys: {
      async create(companyId) {
        await companyById(store.read, companyId);
        return store.write((queries) => issueKey(queries, companyId, clock()));
      },
      list: async (companyId) => (await store.read.keys.list(companyId)).map(listedKey),
      revoke: (id) => store.write((queries) => revokeKey(queries, id, clock())),
    },
    terms: {
      current: () => currentTerms(store.read),
      issue: (terms) => store.write((queries) => issueTerms(queries, terms, clock())),
    },
    dashboard: createDashboard(store, clock),
    application: (companyId, id) => wholeApplication(store, companyId, id),
    fileContent: async (fileId) => (await files.open(fileId))?.content,
    applications: createApplications(store, followed, files),
    async status() {
      const [companies, keys] = [await store.read.companies.list(), await store.read.keys.list()];
      return {
        companies: companies.length,
        keys: keys.filter(({ revoked_at }) => revoked_at === null).length,
        jobs: everyStatus(await store.read.jobs.countByStatus(clock())),
        schemaVersion: SCHEMA_VERSION,
        databasePath,
      };
    },
    reset: () => files.reset(),
  };
}
