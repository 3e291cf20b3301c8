import type { ApplicationInput } from '../../src/contract/application.ts';
import type { JobInput } from '../../src/contract/job.ts';
import { openEngine } from '../../src/engine/open.ts';
import { serveEngine } from '../../src/engine/serve.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import { PDF } from '../engine/applications/documents.ts';
import { somebodyElse } from '../engine/applications/somebody.ts';
import { callOf } from '../engine/engine-under-test.ts';
import { COMPLETE } from '../engine/listing.ts';
import { placesIndex } from '../places/index/places-index.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');

export type Rehearsal = Awaited<ReturnType<typeof rehearse>>;

export async function rehearse(databasePath: string) {
  let now = START;
  const somebody = somebodyElse();
  /** Internal errors that the engine reported. */
  const bugs: unknown[] = [];
  const engine = await openEngine({
    database: sqliteFile(databasePath),
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
    pass(ms: number) {
      now += ms;
    },
    async link() {
      const { path } = await engine.signInLink(companyId);
      return origin + path;
    },
    async createJob(changes: Partial<JobInput> = {}): Promise<number> {
      const { body } = await call('/jobs', { ...COMPLETE, ...changes });
      return body.id;
    },
    async publishJob(id: number): Promise<{ status: number; code: string | undefined }> {
      const { status, body } = await call(`/jobs/${id}/publish`);
      return { status, code: body.error?.code };
    },
    /** The applicant meets all requirements or none. */
    async apply(jobId: number, changes: Partial<ApplicationInput> = {}, isQualified = true) {
      const { questions, qualifications } = await applications.asks(jobId);
      const [years, shifts] = questions;
      const { fileId: resume } = await applications.putFile('cv.pdf', PDF);
      const required = qualifications.filter(({ kind }) => kind === 'REQUIRED');
      const answers = { [years?.id ?? '']: 12, [shifts?.id ?? '']: ['first', 'second'] };
      const meets = isQualified ? required.map(({ id }) => id) : [];
      await applications.apply(jobId, somebody({ resume, answers, meets, ...changes }));
    },
    async issueTerms(version: string) {
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
