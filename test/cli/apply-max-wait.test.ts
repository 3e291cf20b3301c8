import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { RealServers } from '../client/real-server.ts';
import { emptySet, type JobSet, listingOf } from './bulk.ts';

describe('jobs apply, on a server that asks for a long wait', () => {
  const servers = new RealServers();
  after(() => servers.close());

  async function setOn(
    retryAfter: string,
  ): Promise<{ set: JobSet; env: Record<string, string>; asked: number[] }> {
    const asked: number[] = [];
    const answer = (response: ServerResponse, status: number, body: object, headers: object = {}): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    const { origin } = await servers.listen(({ method, body }, _, response) => {
      if (method === 'GET') return answer(response, 200, { items: [], nextCursor: null });
      const id = asked.push(Date.now());
      if (id === 1) return answer(response, 201, { ...JSON.parse(body), id, status: 'DRAFT' });
      const error = { code: 'RATE_LIMITED', message: 'slow down' };
      return answer(response, 429, { error }, { 'retry-after': retryAfter });
    });
    const set = await emptySet();
    for (const title of ['One', 'Two', 'Three', 'Four']) await set.write(`${title}.json`, listingOf(title));
    return {
      set,
      env: { PARTNER_BASE_URL: `${origin}/v1`, PARTNER_API_KEY: 'sk_ext_0123456789abcdef' },
      asked,
    };
  }

  it('for longer than --max-wait leaves the rest with exit 8, and says how to go on', async () => {
    const { set, env, asked } = await setOn('600');
    const line = ['jobs', 'apply', 'jobs', '--yes', '--concurrency', '1'];
    const { code, stdout, stderr } = await set.home.run(line, { env });
    assert.deepEqual([code, asked.length], [8, 2], stderr);
    assert.deepEqual(stdout.match(/^\w+/gm), ['created', 'left', 'left', 'left']);
    assert.match(stderr, /--max-wait 12m\n.*does the rest: partner jobs apply jobs/);
  });

  it('says at once in a log how long it waits, once for all calls, and the first Ctrl-C ends that with exit 130', async () => {
    const { set, env, asked } = await setOn('100');
    const run = set.home.start('jobs apply jobs --yes --max-wait 10m', { env });
    await run.shown('stderr', /waiting/);
    run.child.kill('SIGINT');
    const { code, stderr } = await run.ended;
    assert.equal(code, 130, stderr);
    assert.ok(asked.length <= 4, `${asked.length} calls`);
    assert.deepEqual(stderr.match(/waiting.*/g), [
      'waiting 2 min: the server asks for patience; Ctrl-C ends the wait',
    ]);
    assert.match(stderr, /does the rest/);
    assert.doesNotMatch(stderr, /finishing/);
  });
});
