import type { ApplicationInput } from '../../src/contract/application.ts';
import type { JobInput } from '../../src/contract/job.ts';
import { openEngine } from '../../src/engine/open.ts';
import { serveEngine } from '../../src/engine/serve.ts';
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
  const engine = await openEngine({
    databasePath,
    placesPath: await placesIndex(),
    clock: () => now,
    reportBug: (error) => bugs.push(error),
  });
  const { companies, keys, applications, terms } = engine.operator;
  const { id: companyId } = await companies.create('Acme Welding');
  const { key } = await keys.create(companyId);
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
      const { questions, qualifications } = await applications.asks(jobId);
      const [years, shifts] = questions;
      const { fileId: resume } = await applications.putFile('cv.pdf', PDF);
      const required = qualifications.filter(({ kind }) => kind === 'REQUIRED');
      await applications.apply(jobId, {
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: `candidate.${++candidates}@example.com`,
        phone: '+1 512 555 0100',
        location: 'Austin, TX',
        resume,
        answers: { [years?.id ?? '']: 12, [shifts?.id ?? '']: ['first', 'second'] },
        meets: isQualified ? required.map(({ id }) => id) : [],
        ...changes,
      });
    },
    async issueTerms(version) {
      const text =
        '1. Listings. A listing runs for 30 days.\n2. Data. What applicants send is kept for a year.';
      await terms.issue({ version, text });
    },
    async close() {
      await served.close();
      await engine.close();
    },
  };
}
