import assert from 'node:assert/strict';
import { type Served, serveEngine } from '../../../src/engine/serve.ts';
import { type EngineUnderTest, engineOn } from '../engine-under-test.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { candidateOf } from './candidate.ts';
import { PDF } from './documents.ts';
import { somebodyElse } from './somebody.ts';

const MIB = 1024 * 1024;
const HOST = '127.0.0.1';
/** Every request of the partner API fails in it. */
const LAB = {
  latencyMs: { min: 0, max: 0 },
  failRate: 1,
  dropRate: 0,
  seed: 1,
  knowsIdempotency: false,
  listsJobs: false,
};

for (const lab of [undefined, LAB]) {
  describe(`the candidate side behind a socket${lab ? ' and a lab' : ''}`, () => {
    const path = temporaryDirectory();
    let engine: EngineUnderTest;
    let served: Served;
    let url: string;
    before(async () => {
      engine = await engineOn(path('served.db'));
      served = await serveEngine({ engine, host: HOST, port: 0, lab });
      url = `http://${HOST}:${served.port}/candidate/v1`;
    });
    after(async () => {
      await served.close();
      await engine.store.close();
    });

    it('is looked at, sent a file and applied to', async () => {
      const { id } = await candidateOf(engine).publish();
      const list = (await (await fetch(`${url}/jobs`)).json()) as { items: unknown[] };
      assert.equal(list.items.length, 1);
      const sent = await fetch(`${url}/files?name=cv.pdf`, { method: 'POST', body: PDF });
      const { fileId } = (await sent.json()) as { fileId: string };
      const applied = await fetch(`${url}/jobs/${id}/applications`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(somebodyElse()({ resume: fileId })),
      });
      assert.equal(applied.status, 201);
      await fetch(`${url}/files?name=cv.pdf`, { method: 'POST', body: PDF });
      assert.equal((await engine.store.read.files.waiting(HOST)).files, 1, 'counted by its address');
    });

    it('answers 413 to 6 MiB, said ahead or not, instead of dropping the connection', async () => {
      const body = Buffer.concat([PDF, Buffer.alloc(6 * MIB)]);
      const pieces = new Blob([body]).stream();
      for (const init of [{ body }, { body: pieces, duplex: 'half' }] as RequestInit[]) {
        const answer = await fetch(`${url}/files`, { method: 'POST', ...init });
        assert.equal(answer.status, 413);
        assert.match(await answer.text(), /larger than 5 MiB/);
      }
    });
  });
}
