import type { ApplicationInput } from '../../../src/contract/application.ts';
import type { Answer, EngineUnderTest } from '../engine-under-test.ts';
import { COMPLETE } from '../listing.ts';
import { PDF } from './documents.ts';
import { somebodyElse } from './somebody.ts';

const CANDIDATE_URL = 'http://engine.test/candidate/v1';

/** Candidates send no key. */
export function candidateOf(engine: Pick<EngineUnderTest, 'fetch' | 'call' | 'key'>) {
  const somebody = somebodyElse();
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await engine.fetch(new Request(`${CANDIDATE_URL}${path}`, { method, ...init }));
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const upload = (content: Uint8Array, query = '?name=cv.pdf', headers: Record<string, string> = {}) =>
    send('POST', `/files${query}`, { body: content as BodyInit, headers });
  const post = (jobId: number | string, body: unknown) =>
    send('POST', `/jobs/${jobId}/applications`, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  return {
    send,
    upload,
    post,
    get: (path: string) => send('GET', path),

    async publish(changes: object = {}) {
      const { body } = await engine.call('POST', '/jobs', {
        ...COMPLETE,
        questions: [],
        budgets: [],
        ...changes,
        publish: true,
      });
      if (body.error !== undefined) throw new Error(JSON.stringify(body));
      return body;
    },

    /** Each call is a different, qualified applicant with a resume. */
    async apply(jobId: number, changes: Partial<ApplicationInput> = {}) {
      const { body: job } = await send('GET', `/jobs/${jobId}`);
      const { body: file } = await upload(PDF);
      const meets = (job.qualifications ?? []).map(({ id }: { id: string }) => id);
      return post(jobId, somebody({ resume: file.fileId, meets, ...changes }));
    },

    async titles(query = ''): Promise<string[]> {
      const { body } = await send('GET', `/jobs${query}`);
      return body.items.map(({ title }: { title: string }) => title);
    },
  };
}
