import type { ApplicationInput } from '../../src/contract/application.ts';
import type { JobInput } from '../../src/contract/job.ts';
import { createFileStore } from '../../src/engine/applications/files.ts';
import { receiveApplication } from '../../src/engine/applications/receive.ts';
import { issueTerms } from '../../src/engine/companies/terms.ts';
import { openEngine } from '../../src/engine/open.ts';
import { serveEngine } from '../../src/engine/serve.ts';
import { openSqliteStore } from '../../src/engine/store/sqlite.ts';
import { PDF } from '../engine/applications/documents.ts';
import { callOf } from '../engine/engine-under-test.ts';
import { COMPLETE } from '../engine/listing.ts';
import { placesIndex } from '../engine/places/places-index.ts';

/** A Monday. */
const START = Date.parse('2026-03-02T09:00:00.000Z');

/** A company's engine behind a socket, and what goes on there beside the browser. */
export interface Rehearsal {
  readonly origin: string;
  /** What the engine reported as faults of its own. */
  readonly bugs: readonly unknown[];
  /** Moves the clock on. */
  pass(ms: number): void;
  /** The address of a fresh one-time link. */
  link(): Promise<string>;
  /** Creates a job over the partner API; gives its id. */
  createJob(changes?: Partial<JobInput>): Promise<number>;
  publishJob(id: number): Promise<{ readonly status: number; readonly code: string | undefined }>;
  /** Somebody applies, who meets all that is required, or nothing of it. */
  apply(jobId: number, changes?: Partial<ApplicationInput>, isQualified?: boolean): Promise<void>;
  /** A new version of the terms comes into force. */
  issueTerms(version: string): Promise<void>;
  close(): Promise<void>;
}

/** An empty company's engine, on a database of its own and a free port. */
export async function rehearse(databasePath: string): Promise<Rehearsal> {
  let now = START;
  let candidates = 0;
  const bugs: unknown[] = [];
  const reportBug = (error: unknown) => bugs.push(error);
  const engine = await openEngine({
    databasePath,
    placesPath: await placesIndex(),
    clock: () => now,
    reportBug,
  });
  const { id: companyId } = await engine.operator.companies.create('Acme Welding');
  const { key } = await engine.operator.keys.create(companyId);
  const store = await openSqliteStore(databasePath);
  const filesDirectory = `${databasePath}-files`;
  const files = createFileStore({ store, directory: filesDirectory, machine: () => now, reportBug });
  const served = await serveEngine({ engine, host: '127.0.0.1', port: 0 });
  const { origin } = new URL(served.url);
  const call = (path: string, body?: unknown) => callOf(engine.fetch, key, 'POST', path, body);
  return {
    origin,
    bugs,
    pass(ms) {
      now += ms;
    },
    async link() {
      const { path } = await engine.signInLink(companyId);
      return origin + path;
    },
    async createJob(changes = {}) {
      const { body } = await call('/jobs', { ...COMPLETE, ...changes });
      return body.id;
    },
    async publishJob(id) {
      const { status, body } = await call(`/jobs/${id}/publish`);
      return { status, code: body.error?.code };
    },
    async apply(jobId, changes = {}, isQualified = true) {
      const job = await store.read.jobs.find(companyId, jobId);
      const [years, shifts] = job?.questions ?? [];
      const { fileId: resume } = await files.put({ name: 'cv.pdf', content: PDF, now });
      candidates++;
      const required = job?.qualifications.filter(({ kind }) => kind === 'REQUIRED') ?? [];
      await store.write(async (queries) => {
        const input = {
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: `candidate.${candidates}@example.com`,
          phone: '+1 512 555 0100',
          location: 'Austin, TX',
          resume,
          answers: { [years?.id ?? '']: 12, [shifts?.id ?? '']: ['first', 'second'] },
          meets: isQualified ? required.map(({ id }) => id) : [],
          ...changes,
        };
        await receiveApplication(queries, jobId, input, now);
      });
    },
    async issueTerms(version) {
      const text =
        '1. Listings. A listing runs for 30 days.\n\n2. Data. What applicants send is kept for a year.';
      await store.write((queries) => issueTerms(queries, { version, text }, now));
    },
    async close() {
      await served.close();
      await engine.close();
      await store.close();
    },
  };
}
