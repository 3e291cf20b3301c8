import assert from 'node:assert/strict';
import { once } from 'node:events';
import { realServers } from '../client/real-server.ts';
import { engineFor } from '../engine/engine-under-test.ts';
import { COMPLETE } from '../engine/listing.ts';
import { JobSet } from './bulk.ts';
import { newHome } from './partner.ts';

describe('jobs apply, killed before an answer was recorded and started again with other files', () => {
  const servers = realServers('all tests');
  const engine = engineFor('all tests');

  it('knows its own update, publication, close and create again, and blames nobody for them', async () => {
    /** While set, changes are applied but their responses are dropped. */
    let swallowed: { count: number; done: () => void } | undefined;
    const { origin } = await servers.listen(async ({ method = '', url = '', headers, body }, _, response) => {
      const sent = { method, headers: headers as Record<string, string>, ...(body === '' ? {} : { body }) };
      const answer = await engine.fetch(new Request(`http://engine.test${url}`, sent));
      if (method !== 'GET' && swallowed !== undefined) {
        if (--swallowed.count === 0) swallowed.done();
        return;
      }
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
    const set = new JobSet(await newHome());
    const env = { PARTNER_BASE_URL: `${origin}/v1`, PARTNER_API_KEY: engine.key };
    // Descriptions differ, because listings with the same one and new titles would be held.
    const listing = (title: string, over: object = {}) => ({
      ...COMPLETE,
      title,
      description: `Work as ${title.split(',')[0]}.`,
      ...over,
    });
    await set.write('updated.json', listing('One'));
    await set.write('published.json', listing('Two'));
    await set.write('closed.json', listing('Three', { publish: true }));
    await set.must('--yes', { env });

    await set.write('updated.json', listing('One, changed', { salaryMax: 200_000 }));
    await set.write('published.json', listing('Two', { publish: true }));
    await set.remove('closed.json');
    await set.write('created.json', listing('Four'));
    const carriedOut = new Promise<void>((done) => {
      swallowed = { count: 4, done };
    });
    const killed = set.home.start('jobs apply jobs --prune --yes', { env });
    await Promise.race([carriedOut, once(killed.child, 'exit')]);
    killed.child.kill('SIGKILL');
    assert.equal((await killed.ended).signal, 'SIGKILL');
    swallowed = undefined;

    await set.write('updated.json', listing('One, changed again'));
    await set.write('published.json', listing('Two, changed', { publish: true }));
    await set.write('closed.json', listing('Three', { publish: true }));
    await set.write('created.json', listing('Four, changed'));
    const { done, noted } = await set.must('--yes', { env });
    assert.deepEqual(done, [
      'created closed.json',
      'updated created.json',
      'updated published.json',
      'updated updated.json',
    ]);
    assert.deepEqual(noted, ['CLOSED']);
    const { body } = await engine.call('GET', '/jobs');
    const jobs = body.items.map((job: Record<string, unknown>) => `${job.status} ${job.title}`).sort();
    assert.deepEqual(jobs, [
      'ACTIVE Three',
      'ACTIVE Two, changed',
      'CLOSED Three',
      'DRAFT Four, changed',
      'DRAFT One, changed again',
    ]);
    assert.deepEqual((await set.must([], { env })).done, []);
  });
});
