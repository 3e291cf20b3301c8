import assert from 'node:assert/strict';
import { type RealServer, realServers } from '../client/real-server.ts';
import { emptySet, type JobSet, listingOf } from './bulk.ts';
import { answering, callsTo } from './servers.ts';

describe('jobs apply, on a server that asks for a long wait', () => {
  const servers = realServers('all tests');

  async function setOn(retryAfter: string): Promise<{ set: JobSet; server: RealServer }> {
    const refusal = { error: { code: 'RATE_LIMITED', message: 'slow down' } };
    const server = await servers.listen((arrived, ...io) => {
      const { method, body } = arrived;
      const isFirst = creates(server) === 1;
      if (method === 'GET') answering(200, { items: [], nextCursor: null })(arrived, ...io);
      else if (isFirst) answering(201, { ...JSON.parse(body), id: 1, status: 'DRAFT' })(arrived, ...io);
      else answering(429, refusal, { 'retry-after': retryAfter })(arrived, ...io);
    });
    const set = await emptySet();
    for (const title of ['One', 'Two', 'Three', 'Four']) await set.write(`${title}.json`, listingOf(title));
    return { set, server };
  }

  const creates = ({ requests }: RealServer) => requests.filter(({ method }) => method === 'POST').length;

  it('for longer than --max-wait leaves the rest with exit 8, and says how to go on', async () => {
    const { set, server } = await setOn('600');
    const line = 'jobs apply jobs --yes --concurrency 1';
    const { code, stdout, stderr } = await set.home.run(line, { env: callsTo(server) });
    assert.deepEqual([code, creates(server)], [8, 2], stderr);
    assert.deepEqual(stdout.match(/^\w+/gm), ['created', 'left', 'left', 'left']);
    assert.match(stderr, /--max-wait, such as 12m\n.*continue with: partner jobs apply jobs/);
  });

  it('says at once in a log how long it waits, once for all calls, and the first Ctrl-C ends that with exit 130', async () => {
    const { set, server } = await setOn('100');
    const run = set.home.start('jobs apply jobs --yes --max-wait 10m', { env: callsTo(server) });
    await run.shown('stderr', /Rate limited/);
    run.child.kill('SIGINT');
    const { code, stderr } = await run.ended;
    assert.equal(code, 130, stderr);
    assert.ok(creates(server) <= 4, `${creates(server)} calls`);
    const expected = ['Rate limited. Retrying in 2 min. Press Ctrl-C to stop waiting'];
    assert.deepEqual(stderr.match(/Rate limited.*/g), expected);
    assert.match(stderr, /continue with/);
    assert.doesNotMatch(stderr, /Finishing/);
  });
});
