import assert from 'node:assert/strict';
import { clientOn, envelope, failureOf, json, scripted } from './client-under-test.ts';

const PLACES = () => json(200, { items: [] });
const JOB = () => json(200, { id: 12, status: 'ACTIVE' });

function routes(steps: {
  list?: () => Response;
  search?: () => Response;
  move?: () => Response;
  job?: () => Response;
}) {
  return scripted(({ url }) => {
    const { pathname } = new URL(url);
    const step = pathname.endsWith('/jobs')
      ? steps.list
      : pathname.endsWith('/locations/search')
        ? steps.search
        : /\d$/.test(pathname)
          ? steps.job
          : steps.move;
    return step?.() ?? envelope(404, 'NOT_FOUND');
  });
}

const html = () => new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } });

describe('a list of jobs that a server does not offer', () => {
  for (const [name, list] of [
    ['a 403', () => envelope(403, 'FORBIDDEN')],
    ['a 401', () => envelope(401, 'INVALID_SERVICE_KEY')],
    ['a 400', () => envelope(400, 'BAD_REQUEST')],
    ['a 500 that stays', () => envelope(500, 'INTERNAL')],
    ['a 503 that stays', () => envelope(503, 'INTERNAL')],
    ['another form', () => json(200, { data: [] })],
    ['a page of HTML', html],
  ] as const)
    it(`is told from a refused key by a call that every server takes: ${name}`, async () => {
      const { send, requests } = routes({ list, search: PLACES });
      const { client } = clientOn(send);
      const error = await failureOf(client.listJobs(), 'OPERATION_NOT_OFFERED');
      assert.equal(error.message, "this server doesn't support listing jobs (/v1/jobs)");
      assert.deepEqual([client.traits, client.newTraits], [{}, undefined]);
      const before = requests.length;
      await failureOf(client.listJobs(), 'OPERATION_NOT_OFFERED');
      assert.equal(requests.length, before, 'it is not asked for again');
    });

  it('is not asked for where that is known from earlier', async () => {
    const { send, requests } = scripted(JOB);
    const refusedAt = { listsJobs: '2026-03-01T10:00:00Z', pausesJobs: '2026-02-01T10:00:00Z' };
    const { client } = clientOn(send, { traits: { listsJobs: false, pausesJobs: false, refusedAt } });
    await failureOf(client.listJobs(), 'OPERATION_NOT_OFFERED');
    const error = await failureOf(client.transition('pause', 12), 'OPERATION_NOT_OFFERED');
    assert.equal(error.message, "this server doesn't support pausing jobs (/v1/jobs/12/pause)");
    assert.equal(requests.length, 0);
  });

  it('is no excuse for a key that is refused everywhere', async () => {
    for (const [status, code] of [
      [401, 'INVALID_SERVICE_KEY'],
      [403, 'FORBIDDEN'],
    ] as const) {
      const { client } = clientOn(scripted(() => envelope(status, code)).send);
      assert.equal((await failureOf(client.listJobs(), code)).exit, 4);
      assert.deepEqual(client.traits, {});
    }
  });

  it('is no reading of an address that leads beside the API', async () => {
    const { client } = clientOn(scripted(html).send);
    await failureOf(client.listJobs(), 'ANSWER_UNREADABLE');
    assert.deepEqual(client.traits, {});
  });

  it('is not concluded from a fault that passes', async () => {
    let asked = 0;
    const list = () =>
      asked++ === 0 ? envelope(503, 'INTERNAL') : json(200, { items: [], nextCursor: null });
    const { client } = clientOn(routes({ list }).send);
    await client.listJobs();
    assert.deepEqual(client.traits, { listsJobs: true });
  });

  it('is not told on before the API has answered: any server has 404s', async () => {
    const { client } = clientOn(routes({ job: JOB }).send);
    await failureOf(client.listJobs(), 'OPERATION_NOT_OFFERED');
    assert.equal(client.newTraits, undefined);
    await client.getJob(12);
    assert.deepEqual(client.newTraits, { refusedAt: { listsJobs: '2026-03-02T10:00:00.000Z' } });
  });
});

describe('a transition that a server does not offer', () => {
  for (const [name, move] of [
    ['a 403', () => envelope(403, 'FORBIDDEN')],
    ['a 401', () => envelope(401, 'INVALID_SERVICE_KEY')],
    ['a 400', () => envelope(400, 'BAD_REQUEST')],
    ['a 422', () => envelope(422, 'VALIDATION_FAILED')],
    ['a page of HTML', html],
  ] as const)
    it(`is told from a refused key by reading the job: ${name}`, async () => {
      const { client } = clientOn(routes({ move, job: JOB }).send);
      await failureOf(client.transition('pause', 12), 'OPERATION_NOT_OFFERED');
      assert.deepEqual(client.traits, {});
    });

  it('is done where the job says so, whatever the answer was', async () => {
    const { send } = routes({ move: html, job: () => json(200, { id: 12, status: 'PAUSED' }) });
    assert.equal((await clientOn(send).client.transition('pause', 12)).status, 'PAUSED');
  });

  it('is not concluded from a server that fails: it may work the next time', async () => {
    const { client } = clientOn(routes({ move: () => envelope(500, 'INTERNAL'), job: JOB }).send);
    await failureOf(client.transition('pause', 12), 'INTERNAL');
    assert.deepEqual(client.traits, {});
  });

  it('is no excuse for a key that is refused everywhere', async () => {
    const { send } = scripted(() => envelope(401, 'INVALID_SERVICE_KEY'));
    await failureOf(clientOn(send).client.transition('pause', 12), 'INVALID_SERVICE_KEY');
  });
});

describe('idempotency keys', () => {
  it('are no longer trusted once a create is answered without a word of them', async () => {
    const traits = { honoursIdempotencyKeys: true };
    const { client } = clientOn(scripted(json(201, { id: 12 })).send, { traits });
    await client.createJob({});
    assert.deepEqual(client.traits, { honoursIdempotencyKeys: false });
  });
});
