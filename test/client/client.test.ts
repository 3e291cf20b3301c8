import assert from 'node:assert/strict';
import type { ErrorCode } from '../../src/contract/errors.ts';
import type { Transition } from '../../src/contract/operations.ts';
import {
  BASE_URL,
  clientOn,
  envelope,
  failureOf,
  json,
  KEY,
  networkError,
  type SentRequest,
  scripted,
} from './client-under-test.ts';
import refusals from './refusals.json' with { type: 'json' };

const JOB = { id: 12, title: 'Welder', status: 'DRAFT' };
const PLACE = {
  locationId: 4930956,
  displayName: 'Boston, MA, US',
  city: 'Boston',
  stateProvince: 'MA',
  country: 'US',
};
const HONOURED = { traits: { honoursIdempotencyKeys: true } };

const keysOf = (requests: readonly SentRequest[]) =>
  requests.map(({ headers }) => headers.get('idempotency-key'));
const searchesOf = (requests: readonly SentRequest[]) => requests.map(({ url }) => new URL(url).search);
const methodsOf = (requests: readonly SentRequest[]) => requests.map(({ method }) => method);

describe('what is sent', () => {
  it('a create is a POST of the input as it is, under the key, with an Idempotency-Key', async () => {
    const { send, requests } = scripted(json(201, JOB));
    await clientOn(send).client.createJob({ title: 'Welder', publish: true });

    const [request] = requests;
    assert.deepEqual([request?.method, request?.url], ['POST', `${BASE_URL}/jobs`]);
    assert.equal(request?.body, '{"title":"Welder","publish":true}');
    assert.equal(request?.headers.get('authorization'), `Bearer ${KEY}`);
    assert.equal(request?.headers.get('content-type'), 'application/json');
    assert.equal(request?.headers.get('user-agent'), 'partner/test');
  });

  it('each create has an Idempotency-Key of its own, or that of its caller, who may have tried before', async () => {
    const { send, requests } = scripted(json(201, JOB));
    const { client } = clientOn(send);
    await client.createJob({});
    await client.createJob({});
    await client.createJob({}, { idempotencyKey: 'from-the-journal' });
    assert.deepEqual(keysOf(requests), ['key-1', 'key-2', 'from-the-journal']);
  });

  it('an update is a PATCH of exactly what is to change', async () => {
    const { send, requests } = scripted(json(200, JOB));
    await clientOn(send).client.updateJob(12, { salaryMin: null, budgets: [] });
    const [{ method, url, body } = assert.fail()] = requests;
    const expected = ['PATCH', `${BASE_URL}/jobs/12`, '{"salaryMin":null,"budgets":[]}'];
    assert.deepEqual([method, url, body], expected);
  });

  it('a transition is a POST without a body, with an Idempotency-Key', async () => {
    const statuses = { publish: 'ACTIVE', pause: 'PAUSED', resume: 'ACTIVE', close: 'CLOSED' } as const;
    for (const name of ['publish', 'pause', 'resume', 'close'] as const) {
      const { send, requests } = scripted(json(200, { ...JOB, status: statuses[name] }));
      await clientOn(send).client.transition(name, 12);
      const [{ method, url, body, headers } = assert.fail()] = requests;
      assert.deepEqual([method, url, body], ['POST', `${BASE_URL}/jobs/12/${name}`, '']);
      assert.equal(headers.get('idempotency-key'), 'key-1');
      assert.equal(headers.get('content-type'), null);
    }
  });

  it('a list asks for what was given and nothing else', async () => {
    const { send, requests } = scripted(json(200, { items: [], nextCursor: null }));
    const { client } = clientOn(send);
    await client.listJobs();
    await client.listJobs({ status: 'ACTIVE', opportunityId: 'a b&c', limit: 5, cursor: 'x=' });
    assert.deepEqual(searchesOf(requests), ['', '?status=ACTIVE&opportunityId=a+b%26c&limit=5&cursor=x%3D']);
  });

  it('a location search sends its text alone, under the name that the server has for it (decision 4)', async () => {
    const { send, requests } = scripted(json(200, { items: [PLACE] }));
    assert.deepEqual(await clientOn(send).client.searchLocations({ q: 'münchen' }), [PLACE]);
    const { client } = clientOn(send, { locationQueryParameter: 'query' });
    await client.searchLocations({ q: 'bost', limit: 3, country: 'US' });
    assert.deepEqual(searchesOf(requests), ['?q=m%C3%BCnchen', '?query=bost&limit=3&country=US']);
  });

  it('nothing without a key, nor where the key cannot be one, and the key is in no message', async () => {
    const { send, requests } = scripted(json(200, JOB));
    const missing = await failureOf(clientOn(send, { key: '' }).client.getJob(12), 'KEY_MISSING');
    assert.equal(missing.exit, 4);
    for (const key of [`${KEY}\nx`, `${KEY} `, 'sk_ext_ключ']) {
      const error = await failureOf(clientOn(send, { key }).client.getJob(12), 'INVALID_SERVICE_KEY');
      assert.ok(!error.message.includes(key));
    }
    assert.equal(requests.length, 0);
  });
});

describe('jobs that are listed over several pages', () => {
  const page = (ids: number[], nextCursor: string | null) =>
    json(200, { items: ids.map((id) => ({ id })), nextCursor });
  const idsOf = async (jobs: AsyncIterable<{ id: number }>): Promise<number[]> => {
    const ids: number[] = [];
    for await (const { id } of jobs) ids.push(id);
    return ids;
  };

  it('come one after the other, each page by the cursor of the one before', async () => {
    const { send, requests } = scripted(page([5, 4], 'c1'), page([3], 'c2'), page([], null));
    assert.deepEqual(await idsOf(clientOn(send).client.allJobs({ status: 'DRAFT' })), [5, 4, 3]);
    const searches = ['?status=DRAFT', '?status=DRAFT&cursor=c1', '?status=DRAFT&cursor=c2'];
    assert.deepEqual(searchesOf(requests), searches);
  });

  it('end at the limit, and no page is asked for in vain, nor for more than a page may hold', async () => {
    const { send, requests } = scripted(page([9, 8, 7], 'c1'), page([6, 5, 4], 'c2'));
    assert.deepEqual(await idsOf(clientOn(send).client.allJobs({ limit: 5 })), [9, 8, 7, 6, 5]);
    assert.deepEqual(searchesOf(requests), ['?limit=5', '?limit=2&cursor=c1']);
    const large = scripted(page([1], null));
    await idsOf(clientOn(large.send).client.allJobs({ limit: 1000 }));
    assert.deepEqual(searchesOf(large.requests), ['?limit=100']);
  });

  it('end where an empty page leads to itself: there is nothing behind it', async () => {
    const { send, requests } = scripted(page([2, 1], 'end'), page([], 'end'));
    assert.deepEqual(await idsOf(clientOn(send).client.allJobs()), [2, 1]);
    assert.equal(requests.length, 2);
  });

  it('are each given once, where pages overlap', async () => {
    const { send } = scripted(page([5, 4], 'c1'), page([4, 3], 'c2'), page([3], null));
    assert.deepEqual(await idsOf(clientOn(send).client.allJobs({ limit: 3 })), [5, 4, 3]);
  });

  it('end with an error where the server gives the same cursor, or nothing new, for ever', async () => {
    const { send } = scripted(page([1], 'again'));
    await failureOf(idsOf(clientOn(send).client.allJobs()), 'ANSWER_UNREADABLE');
    for (const ids of [[2, 1], []]) {
      let asked = 0;
      const { client } = clientOn(async () => page(ids, `c${asked++}`));
      const error = await failureOf(idsOf(client.allJobs({ limit: 1000 })), 'ANSWER_UNREADABLE');
      assert.match(error.message, /without new jobs/);
      assert.ok(asked <= 102);
    }
  });

  it('go on past some empty pages, as a server has them that filters after it has paged', async () => {
    const empty = Array.from({ length: 50 }, (_, number) => page([], `c${number}`));
    const { send } = scripted(page([2], 'first'), ...empty, page([1], null));
    assert.deepEqual(await idsOf(clientOn(send).client.allJobs()), [2, 1]);
  });
});

describe('a create whose outcome is not known', () => {
  for (const [name, step] of [
    ['a cut connection', networkError('ECONNRESET')],
    ['a 502', new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['a 503', envelope(503, 'BUSY')],
    ['a 504', new Response(null, { status: 504 })],
    ['a page', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['a 302 without an address', new Response(null, { status: 302 })],
    ['a 303 that leads to no job', new Response(null, { status: 303, headers: { location: '/login' } })],
    ['a 304', new Response(null, { status: 304 })],
    ['a 408', new Response(null, { status: 408 })],
    ['a body that breaks off', new Response('{"id":12,"ti', { status: 201 })],
    ['a JSON that is no job', json(201, { ok: true })],
  ] as const)
    it(`is OUTCOME_UNKNOWN, exit 8, after ${name}, and sent again under a key that is honoured`, async () => {
      const { send, requests } = scripted(step);
      const error = await failureOf(clientOn(send).client.createJob({ title: 'Welder' }), 'OUTCOME_UNKNOWN');
      assert.deepEqual([requests.length, error.exit, error.mayHaveCreated], [1, 8, true]);

      const again = scripted(step, step, json(201, JOB));
      assert.equal((await clientOn(again.send, HONOURED).client.createJob({})).id, 12);
      assert.deepEqual(keysOf(again.requests), ['key-1', 'key-1', 'key-1']);
    });

  it('is sent again where the server has shown that it honours the key', async () => {
    const stored = json(201, JOB, { 'idempotency-status': 'stored' });
    const { send, requests } = scripted(stored, networkError('ECONNRESET'), json(201, { id: 13 }));
    const { client } = clientOn(send);
    assert.equal(client.traits.honoursIdempotencyKeys, undefined);
    await client.createJob({});
    assert.equal(client.traits.honoursIdempotencyKeys, true);
    assert.equal((await client.createJob({})).id, 13);
    assert.deepEqual(keysOf(requests), ['key-1', 'key-2', 'key-2']);
  });

  it('stays unknown when the attempts after the broken one do not arrive either', async () => {
    const { send, requests } = scripted(networkError('ECONNRESET'), networkError('ECONNREFUSED'));
    await failureOf(clientOn(send, HONOURED).client.createJob({ title: 'Welder' }), 'OUTCOME_UNKNOWN');
    assert.equal(requests.length, 4);
  });

  it('is known again when the repeated create is refused for good, but not by what says nothing of the first', async () => {
    const { send } = scripted(networkError('ECONNRESET'), envelope(422, 'VALIDATION_FAILED'));
    await failureOf(clientOn(send, HONOURED).client.createJob({}), 'VALIDATION_FAILED');
    for (const [status, code] of refusals.ofRepeatedCreate as [number, ErrorCode][]) {
      const refused = scripted(networkError('ECONNRESET'), envelope(status, code));
      const { client } = clientOn(refused.send, HONOURED);
      assert.equal((await failureOf(client.createJob({}), 'OUTCOME_UNKNOWN')).mayHaveCreated, true);
    }
  });

  it('is the plain failure after a 500, after which the job may exist; an honoured key is sent again', async () => {
    const { send, requests } = scripted(envelope(500, 'INTERNAL'));
    const error = await failureOf(clientOn(send).client.createJob({ title: 'Welder' }), 'INTERNAL');
    assert.deepEqual([requests.length, error.mayHaveCreated], [1, true]);
    const once = scripted(envelope(500, 'INTERNAL'), json(201, JOB));
    await clientOn(once.send, HONOURED).client.createJob({});
    const always = scripted(envelope(500, 'INTERNAL'));
    const failed = await failureOf(clientOn(always.send, HONOURED).client.createJob({}), 'INTERNAL');
    assert.deepEqual([always.requests.length, failed.mayHaveCreated], [4, true]);
  });

  it('is the job that a 303 leads to, which says that it was made', async () => {
    const led = new Response('<a>', { status: 303, headers: { location: '/v1/jobs/77' } });
    const { send, requests } = scripted(led, json(200, { id: 77 }));
    assert.deepEqual(await clientOn(send).client.createJob({}), { id: 77 });
    assert.deepEqual([requests[1]?.method, requests[1]?.url], ['GET', `${BASE_URL}/jobs/77`]);
  });

  it('may have been made where only reading it back failed', async () => {
    const led = new Response(null, { status: 204, headers: { location: '/v1/jobs/77' } });
    const { send } = scripted(led, envelope(403, 'FORBIDDEN'));
    const error = await failureOf(clientOn(send).client.createJob({}), 'FORBIDDEN');
    assert.equal(error.mayHaveCreated, true);
  });

  it('is none where the server refused it, or nothing was sent', async () => {
    for (const [step, code] of [
      [envelope(422, 'VALIDATION_FAILED'), 'VALIDATION_FAILED'],
      [envelope(402, 'PAYMENT_METHOD_REQUIRED'), 'PAYMENT_METHOD_REQUIRED'],
      [new Response('<h1>404</h1>', { status: 404 }), 'ANSWER_UNREADABLE'],
      [networkError('ECONNREFUSED'), 'UNREACHABLE'],
    ] as const) {
      const error = await failureOf(clientOn(scripted(step).send).client.createJob({}), code);
      assert.equal(error.mayHaveCreated, false);
    }
  });
});

describe('a create of which nothing was sent', () => {
  for (const [name, error] of [
    ['a refused connection', networkError('ECONNREFUSED')],
    ['a connection that does not open', networkError('ETIMEDOUT', { syscall: 'connect' })],
  ] as const)
    it(`is sent again after ${name}, and UNREACHABLE when it stays so`, async () => {
      const once = scripted(error, json(201, JOB));
      assert.equal((await clientOn(once.send).client.createJob({})).id, 12);

      const always = scripted(error);
      const { client, waitsMs } = clientOn(always.send);
      const failure = await failureOf(client.createJob({}), 'UNREACHABLE');
      assert.equal(always.requests.length, 4);
      assert.deepEqual(waitsMs, [125, 250, 500]);
      assert.match(failure.message, /^can't reach api\.example\.com:443: /);
    });

  it('is sent again after a 429, and RATE_LIMITED where the wait would be longer than the call may take', async () => {
    const slow = (retryAfter: string) =>
      envelope(429, 'RATE_LIMITED', 'slow', {}, { 'retry-after': retryAfter });
    const { send, requests } = scripted(slow('3'), json(201, JOB));
    const { client, waitsMs, waits } = clientOn(send);
    assert.equal((await client.createJob({})).id, 12);
    assert.deepEqual(waitsMs, [3000]);
    assert.deepEqual(waits, [{ reason: 'slow', waitMs: 3000, attempt: 1 }]);
    assert.deepEqual(keysOf(requests), ['key-1', 'key-1']);

    const limited = scripted(slow('90'));
    const error = await failureOf(clientOn(limited.send).client.createJob({}), 'RATE_LIMITED');
    assert.deepEqual([limited.requests.length, error.exit], [1, 8]);
    assert.match(error.hint ?? '', /requires a wait of 90 s/);
  });

  it('is not sent again where the certificate is refused: waiting mends none', async () => {
    const { send, requests } = scripted(networkError('CERT_HAS_EXPIRED'));
    const error = await failureOf(clientOn(send).client.createJob({}), 'UNREACHABLE');
    assert.equal(requests.length, 1);
    assert.match(error.message, /certificate has expired/);
  });
});

describe('a 429', () => {
  it('with a code of its own, or none, is one all the same', async () => {
    const bare = new Response('slow down', { status: 429 });
    const { client, waitsMs } = clientOn(scripted(envelope(429, 'TOO_MANY'), bare, json(200, JOB)).send);
    await client.updateJob(12, {});
    assert.deepEqual(waitsMs, [125, 250]);
  });

  it('that stays ends the call before its deadline, exit 8', async () => {
    const { send } = scripted(envelope(429, 'RATE_LIMITED', 'slow', {}, { 'retry-after': '10' }));
    const { client, waitsMs } = clientOn(send);
    await failureOf(client.getJob(12), 'RATE_LIMITED');
    assert.deepEqual(waitsMs, [10_000, 10_000]);
  });
});

describe('a transition after a broken attempt', () => {
  const REFUSED = envelope(409, 'INVALID_TRANSITION', 'only active jobs can be paused');

  it('is done where the second one is refused and the job is where it leads', async () => {
    for (const [name, status] of refusals.moves as [Transition, string][]) {
      const { send, requests } = scripted(networkError('ECONNRESET'), REFUSED, json(200, { id: 12, status }));
      assert.deepEqual(await clientOn(send).client.transition(name, 12), { id: 12, status });
      assert.deepEqual(methodsOf(requests), ['POST', 'POST', 'GET']);
    }
  });

  it('is refused where the job is in another state', async () => {
    const { send } = scripted(networkError('ECONNRESET'), REFUSED, json(200, { id: 12, status: 'CLOSED' }));
    await failureOf(clientOn(send).client.transition('pause', 12), 'INVALID_TRANSITION');
  });

  it('is refused, and the job is not read, where nothing of it was done before', async () => {
    const first = scripted(REFUSED);
    await failureOf(clientOn(first.send).client.transition('pause', 12), 'INVALID_TRANSITION');
    const second = scripted(networkError('ECONNREFUSED'), REFUSED);
    await failureOf(clientOn(second.send).client.transition('pause', 12), 'INVALID_TRANSITION');
    assert.deepEqual([first.requests.length, second.requests.length], [1, 2]);
  });
});

describe('a server that lacks an operation', () => {
  const bare = (status: number) =>
    new Response('<h1>Not here</h1>', { status, headers: { 'content-type': 'text/html' } });

  for (const name of ['pause', 'resume'] as const)
    it(`${name}: "offers no ${name}", never "no such job", unless the job cannot be read`, async () => {
      for (const status of [404, 405]) {
        const { client } = clientOn(scripted(bare(status)).send);
        const error = await failureOf(client.transition(name, 12), 'OPERATION_NOT_OFFERED');
        assert.equal(
          error.message,
          `this server doesn't support ${name.replace(/e$/, '')}ing jobs (/v1/jobs/12/${name})`,
        );
      }
      const readable = scripted(envelope(404, 'NOT_FOUND'), json(200, JOB));
      await failureOf(clientOn(readable.send).client.transition(name, 12), 'OPERATION_NOT_OFFERED');
      const unknown = scripted(envelope(404, 'NOT_FOUND'));
      await failureOf(clientOn(unknown.send).client.transition(name, 12), 'NOT_FOUND');
    });

  it('list: every 404 and 405 is "offers no list of jobs" (decision 5)', async () => {
    const answers = [bare(404), bare(405), envelope(404, 'NOT_FOUND'), envelope(405, 'METHOD_NOT_ALLOWED')];
    for (const answer of answers) {
      const { client } = clientOn(scripted(answer).send);
      const error = await failureOf(client.listJobs(), 'OPERATION_NOT_OFFERED');
      assert.equal(error.message, "this server doesn't support listing jobs (/v1/jobs)");
    }
  });

  it('close is in the specification: a bare 404 there means that the base URL is wrong', async () => {
    const { client } = clientOn(scripted(bare(404)).send);
    const error = await failureOf(client.transition('close', 12), 'ANSWER_UNREADABLE');
    assert.match(error.hint ?? '', /--base-url/);
  });
});

describe('what must not be sent again', () => {
  it('a create after a 500; what is the same when it is done again is', async () => {
    const { send, requests } = scripted(envelope(500, 'INTERNAL'));
    const { client } = clientOn(send);
    await failureOf(client.createJob({}), 'INTERNAL');
    assert.equal(requests.length, 1);
    await failureOf(client.updateJob(12, {}), 'INTERNAL');
    await failureOf(client.transition('close', 12), 'INTERNAL');
    await failureOf(client.getJob(12), 'INTERNAL');
    assert.equal(requests.length, 1 + 3 * 4);
  });

  it('anything the server has refused, by its code also under a 503 (decision 7)', async () => {
    for (const [status, code] of refusals.final as [number, ErrorCode][]) {
      const { send, requests } = scripted(envelope(status, code));
      await failureOf(clientOn(send).client.updateJob(12, {}), code);
      assert.equal(requests.length, 1);
    }
  });

  it('anything that fails with an error of our own making, which is passed on as it is', async () => {
    const bug = new RangeError('a bug in the engine');
    const { send, requests } = scripted(bug);
    await assert.rejects(clientOn(send).client.getJob(12), bug);
    assert.equal(requests.length, 1);
  });
});

describe('a read that is answered by what is none of the API’s', () => {
  const page = () => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } });

  it('ends at once where nothing else has answered there: the address is likely wrong', async () => {
    const { send, requests } = scripted(page);
    await failureOf(clientOn(send).client.getJob(12), 'ANSWER_UNREADABLE');
    assert.equal(requests.length, 1);
  });

  it('is made again where the API has answered before: a passing fault', async () => {
    const { send, requests } = scripted(json(200, JOB), page, page, json(200, JOB));
    const { client } = clientOn(send);
    await client.getJob(12);
    assert.equal((await client.getJob(12)).id, 12);
    assert.equal(requests.length, 4);
  });
});
