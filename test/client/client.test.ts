import assert from 'node:assert/strict';
import {
  BASE_URL,
  clientOn,
  envelope,
  failureOf,
  json,
  KEY,
  networkError,
  scripted,
} from './client-under-test.ts';

const JOB = { id: 12, title: 'Welder', status: 'DRAFT' };
const PLACE = {
  locationId: 4930956,
  displayName: 'Boston, MA, US',
  city: 'Boston',
  stateProvince: 'MA',
  country: 'US',
};

describe('what is sent', () => {
  it('a create is a POST of the input as it is, under the key, with an Idempotency-Key', async () => {
    const { send, requests } = scripted(json(201, JOB));
    await clientOn(send).client.createJob({ title: 'Welder', publish: true });

    const [request] = requests;
    assert.equal(request?.method, 'POST');
    assert.equal(request?.url, `${BASE_URL}/jobs`);
    assert.equal(request?.body, '{"title":"Welder","publish":true}');
    assert.equal(request?.headers.get('authorization'), `Bearer ${KEY}`);
    assert.equal(request?.headers.get('content-type'), 'application/json');
    assert.equal(request?.headers.get('idempotency-key'), 'key-1');
    assert.equal(request?.headers.get('user-agent'), 'partner/test');
  });

  it('a create goes out under the Idempotency-Key of its caller, who may have tried before', async () => {
    const { send, requests } = scripted(json(201, JOB));
    await clientOn(send).client.createJob({}, { idempotencyKey: 'from-the-journal' });
    assert.equal(requests[0]?.headers.get('idempotency-key'), 'from-the-journal');
  });

  it('two creates have two Idempotency-Keys', async () => {
    const { send, requests } = scripted(json(201, JOB));
    const { client } = clientOn(send);
    await client.createJob({});
    await client.createJob({});
    assert.deepEqual(
      requests.map(({ headers }) => headers.get('idempotency-key')),
      ['key-1', 'key-2'],
    );
  });

  it('an update is a PATCH of exactly what is to change', async () => {
    const { send, requests } = scripted(json(200, JOB));
    await clientOn(send).client.updateJob(12, { salaryMin: null, budgets: [] });
    assert.deepEqual(
      [requests[0]?.method, requests[0]?.url, requests[0]?.body],
      ['PATCH', `${BASE_URL}/jobs/12`, '{"salaryMin":null,"budgets":[]}'],
    );
  });

  for (const name of ['publish', 'pause', 'resume', 'close'] as const) {
    it(`${name} is a POST without a body, with an Idempotency-Key`, async () => {
      const { send, requests } = scripted(json(200, JOB));
      await clientOn(send).client.transition(name, 12);
      assert.deepEqual(
        [requests[0]?.method, requests[0]?.url, requests[0]?.body],
        ['POST', `${BASE_URL}/jobs/12/${name}`, ''],
      );
      assert.equal(requests[0]?.headers.get('idempotency-key'), 'key-1');
      assert.equal(requests[0]?.headers.get('content-type'), null);
    });
  }

  it('a base URL keeps its path, with or without a slash at its end', async () => {
    for (const baseUrl of ['https://host.example/api/v1', 'https://host.example/api/v1/']) {
      const { send, requests } = scripted(json(200, JOB));
      await clientOn(send, { baseUrl }).client.getJob(12);
      assert.equal(requests[0]?.url, 'https://host.example/api/v1/jobs/12');
    }
  });

  it('a list asks for what was given and nothing else', async () => {
    const { send, requests } = scripted(json(200, { items: [], nextCursor: null }));
    const { client } = clientOn(send);
    await client.listJobs();
    await client.listJobs({ status: 'ACTIVE', opportunityId: 'a b&c', limit: 5, cursor: 'x=' });
    assert.deepEqual(
      requests.map(({ url }) => url),
      [`${BASE_URL}/jobs`, `${BASE_URL}/jobs?status=ACTIVE&opportunityId=a+b%26c&limit=5&cursor=x%3D`],
    );
  });

  it('a location search sends its text alone, under the name that the server has for it (decision 4)', async () => {
    const { send, requests } = scripted(json(200, { items: [PLACE] }));
    assert.deepEqual(await clientOn(send).client.searchLocations({ q: 'münchen' }), [PLACE]);
    await clientOn(send, { locationQueryParameter: 'query' }).client.searchLocations({
      q: 'bost',
      limit: 3,
      country: 'US',
    });
    assert.deepEqual(
      requests.map(({ url }) => new URL(url).search),
      ['?q=m%C3%BCnchen', '?query=bost&limit=3&country=US'],
    );
  });

  it('nothing at all without a key', async () => {
    const { send, requests } = scripted(json(200, JOB));
    for (const key of [undefined, '']) {
      const error = await failureOf(clientOn(send, { key }).client.getJob(12), 'KEY_MISSING');
      assert.equal(error.exit, 4);
    }
    assert.equal(requests.length, 0);
  });

  it('nothing where the key cannot be one, and the key is in no message', async () => {
    const { send, requests } = scripted(json(200, JOB));
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
    assert.deepEqual(
      requests.map(({ url }) => new URL(url).search),
      ['?status=DRAFT', '?status=DRAFT&cursor=c1', '?status=DRAFT&cursor=c2'],
    );
  });

  it('end at the limit, and no page is asked for in vain', async () => {
    const { send, requests } = scripted(page([9, 8, 7], 'c1'), page([6, 5, 4], 'c2'));
    assert.deepEqual(await idsOf(clientOn(send).client.allJobs({ limit: 5 })), [9, 8, 7, 6, 5]);
    assert.deepEqual(
      requests.map(({ url }) => new URL(url).search),
      ['?limit=5', '?limit=2&cursor=c1'],
    );
  });

  it('ask for no more a page than a page may hold', async () => {
    const { send, requests } = scripted(page([1], null));
    await idsOf(clientOn(send).client.allJobs({ limit: 1000 }));
    assert.equal(new URL(requests[0]?.url ?? '').search, '?limit=100');
  });

  it('end with an error where the server gives the same cursor for ever', async () => {
    const { send } = scripted(page([1], 'again'));
    await failureOf(idsOf(clientOn(send).client.allJobs()), 'ANSWER_UNREADABLE');
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

  it('end with an error where the server gives the same page for ever, each time by another cursor', async () => {
    let asked = 0;
    const { client } = clientOn(async () => page([2, 1], `c${asked++}`));
    const error = await failureOf(idsOf(client.allJobs({ limit: 1000 })), 'ANSWER_UNREADABLE');
    assert.match(error.message, /nothing new in them/);
    assert.equal(asked, 102);
  });

  it('end after so many pages as are asked for', async () => {
    let asked = 0;
    const { client } = clientOn(async () => page([++asked], `c${asked}`));
    assert.deepEqual(await idsOf(client.allJobs({ limit: 1000 }, 3)), [1, 2, 3]);
    assert.equal(asked, 3);
  });

  it('end with an error where empty pages lead to empty pages, each by a cursor of its own', async () => {
    const empty = Array.from({ length: 1000 }, (_, number) => page([], `c${number}`));
    const { send } = scripted(...empty, page([1], null));
    const error = await failureOf(idsOf(clientOn(send).client.allJobs({ limit: 5 })), 'ANSWER_UNREADABLE');
    assert.match(error.message, /nothing new in them/);
  });

  it('go on past some empty pages, as a server has them that filters after it has paged', async () => {
    const empty = Array.from({ length: 50 }, (_, number) => page([], `c${number}`));
    const { send } = scripted(page([2], 'first'), ...empty, page([1], null));
    assert.deepEqual(await idsOf(clientOn(send).client.allJobs()), [2, 1]);
  });
});

describe('a create whose outcome is not known', () => {
  const BROKEN = [
    ['a cut connection', networkError('ECONNRESET')],
    ['a 502', new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['a 503', envelope(503, 'BUSY')],
    ['a 504', new Response(null, { status: 504 })],
  ] as const;

  const ODD = [
    ['a page', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['a 302 without an address', new Response(null, { status: 302 })],
    ['a 303 that leads to no job', new Response(null, { status: 303, headers: { location: '/login' } })],
    ['a 304', new Response(null, { status: 304 })],
    ['a 408', new Response(null, { status: 408 })],
    ['a body that breaks off', new Response('{"id":12,"ti', { status: 201 })],
    ['a JSON that is no job', json(201, { ok: true })],
  ] as const;

  for (const [name, step] of BROKEN) {
    it(`is not sent again after ${name}: OUTCOME_UNKNOWN, exit 8`, async () => {
      const { send, requests } = scripted(step);
      const error = await failureOf(
        clientOn(send).client.createJob({ title: 'Welder', opportunityId: 'req-7' }),
        'OUTCOME_UNKNOWN',
      );
      assert.equal(requests.length, 1);
      assert.equal(error.exit, 8);
      assert.equal(error.mayHaveCreated, true);
    });

    it(`is sent again after ${name} under the same key where the server has shown that it honours it`, async () => {
      const { send, requests } = scripted(
        json(201, JOB, { 'idempotency-status': 'stored' }),
        step,
        json(201, { id: 13 }),
      );
      const { client } = clientOn(send);
      assert.equal(client.traits.honoursIdempotencyKeys, undefined);
      await client.createJob({});
      assert.equal(client.traits.honoursIdempotencyKeys, true);
      assert.equal((await client.createJob({})).id, 13);
      assert.deepEqual(
        requests.map(({ headers }) => headers.get('idempotency-key')),
        ['key-1', 'key-2', 'key-2'],
      );
    });
  }

  it('is sent again where it is remembered from before that the server honours the key', async () => {
    const { send, requests } = scripted(networkError('ECONNRESET'), json(201, JOB));
    await clientOn(send, { traits: { honoursIdempotencyKeys: true } }).client.createJob({});
    assert.equal(requests.length, 2);
  });

  it('stays unknown when the attempts after the broken one do not arrive either', async () => {
    const { send, requests } = scripted(networkError('ECONNRESET'), networkError('ECONNREFUSED'));
    await failureOf(
      clientOn(send, { traits: { honoursIdempotencyKeys: true } }).client.createJob({ title: 'Welder' }),
      'OUTCOME_UNKNOWN',
    );
    assert.equal(requests.length, 4);
  });

  it('is known again when the repeated create is refused for good', async () => {
    const { send } = scripted(networkError('ECONNRESET'), envelope(422, 'VALIDATION_FAILED'));
    await failureOf(
      clientOn(send, { traits: { honoursIdempotencyKeys: true } }).client.createJob({}),
      'VALIDATION_FAILED',
    );
  });

  it('is the plain failure after a 500, after which the job may exist', async () => {
    const { send, requests } = scripted(envelope(500, 'INTERNAL'));
    const error = await failureOf(clientOn(send).client.createJob({ title: 'Welder' }), 'INTERNAL');
    assert.equal(requests.length, 1);
    assert.equal(error.mayHaveCreated, true);
    assert.equal(error.mayHaveCreated, true);
  });

  for (const [name, step] of ODD) {
    it(`is OUTCOME_UNKNOWN, exit 8, after ${name}, and sent again under a key that is honoured`, async () => {
      const { send, requests } = scripted(step);
      const error = await failureOf(clientOn(send).client.createJob({ title: 'Welder' }), 'OUTCOME_UNKNOWN');
      assert.equal(requests.length, 1);
      assert.deepEqual([error.exit, error.mayHaveCreated], [8, true]);

      const again = scripted(step, step, json(201, JOB));
      const { client } = clientOn(again.send, { traits: { honoursIdempotencyKeys: true } });
      assert.equal((await client.createJob({})).id, 12);
      assert.equal(new Set(again.requests.map(({ headers }) => headers.get('idempotency-key'))).size, 1);
    });
  }

  it('is sent again after a 500 under a key that is honoured, and may have been made where that stays', async () => {
    const once = scripted(envelope(500, 'INTERNAL'), json(201, JOB));
    await clientOn(once.send, { traits: { honoursIdempotencyKeys: true } }).client.createJob({});
    const always = scripted(envelope(500, 'INTERNAL'));
    const { client } = clientOn(always.send, { traits: { honoursIdempotencyKeys: true } });
    const error = await failureOf(client.createJob({}), 'INTERNAL');
    assert.deepEqual([always.requests.length, error.mayHaveCreated], [4, true]);
  });

  for (const [status, code] of [
    [401, 'INVALID_SERVICE_KEY'],
    [403, 'FORBIDDEN'],
    [409, 'IDEMPOTENCY_CONFLICT'],
  ] as const) {
    it(`stays unknown where the repeated one is answered ${code}, which does not tell of the first`, async () => {
      const { send } = scripted(networkError('ECONNRESET'), envelope(status, code));
      const { client } = clientOn(send, { traits: { honoursIdempotencyKeys: true } });
      const error = await failureOf(client.createJob({ title: 'Welder' }), 'OUTCOME_UNKNOWN');
      assert.equal(error.mayHaveCreated, true);
    });
  }

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
    ['refused', networkError('ECONNREFUSED')],
    ['an unknown name', networkError('ENOTFOUND')],
    ['a silent name server', networkError('EAI_AGAIN')],
    ['a connection that does not open', networkError('UND_ERR_CONNECT_TIMEOUT')],
    ['the same, by the system', networkError('ETIMEDOUT', { syscall: 'connect' })],
  ] as const) {
    it(`is sent again after ${name}, and UNREACHABLE when it stays so`, async () => {
      const once = scripted(error, json(201, JOB));
      assert.equal((await clientOn(once.send).client.createJob({})).id, 12);

      const always = scripted(error);
      const { client, waitsMs } = clientOn(always.send);
      const failure = await failureOf(client.createJob({}), 'UNREACHABLE');
      assert.equal(always.requests.length, 4);
      assert.deepEqual(waitsMs, [125, 250, 500]);
      assert.match(failure.message, /^cannot reach api\.example\.com:443: /);
    });
  }

  it('is sent again in silence where it is a search while somebody types', async () => {
    const { send } = scripted(envelope(503, 'UNAVAILABLE'), json(200, { items: [] }));
    const { client, waitsMs, waits } = clientOn(send);
    assert.deepEqual(await client.searchLocations({ q: 'aus' }, new AbortController().signal), []);
    assert.equal(waitsMs.length, 1);
    assert.deepEqual(waits, []);
  });

  it('is sent again after a 429, and RATE_LIMITED where the wait would be longer than the call may take', async () => {
    const { send, requests } = scripted(
      envelope(429, 'RATE_LIMITED', 'slow', {}, { 'retry-after': '3' }),
      json(201, JOB),
    );
    const { client, waitsMs, waits } = clientOn(send);
    assert.equal((await client.createJob({})).id, 12);
    assert.deepEqual(waitsMs, [3000]);
    assert.deepEqual(waits, [{ reason: 'slow', waitMs: 3000, attempt: 1 }]);
    assert.deepEqual(
      requests.map(({ headers }) => headers.get('idempotency-key')),
      ['key-1', 'key-1'],
    );

    const limited = scripted(envelope(429, 'RATE_LIMITED', 'slow', {}, { 'retry-after': '90' }));
    const error = await failureOf(clientOn(limited.send).client.createJob({}), 'RATE_LIMITED');
    assert.equal(limited.requests.length, 1);
    assert.equal(error.exit, 8);
    assert.match(error.hint ?? '', /wait 90 s/);
  });

  it('is not sent again where the certificate is refused: waiting mends none', async () => {
    const { send, requests } = scripted(networkError('CERT_HAS_EXPIRED'));
    const error = await failureOf(clientOn(send).client.createJob({}), 'UNREACHABLE');
    assert.equal(requests.length, 1);
    assert.match(error.message, /certificate has expired/);
  });
});

describe('a 429', () => {
  it('is waited out by its date, and for as long as the call may take', async () => {
    const limit = envelope(
      429,
      'RATE_LIMITED',
      'slow',
      {},
      { 'retry-after': 'Mon, 02 Mar 2026 10:00:04 GMT' },
    );
    const { send } = scripted(limit, limit, json(200, JOB));
    const { client, waitsMs } = clientOn(send);
    await client.getJob(12);
    assert.deepEqual(waitsMs, [4000, 250]);
  });

  it('with a code of its own is one all the same', async () => {
    const { send } = scripted(
      envelope(429, 'TOO_MANY'),
      new Response('slow down', { status: 429 }),
      json(200, JOB),
    );
    const { client, waitsMs } = clientOn(send);
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

  for (const [name, status] of [
    ['publish', 'ACTIVE'],
    ['pause', 'PAUSED'],
    ['resume', 'ACTIVE'],
    ['close', 'CLOSED'],
  ] as const) {
    it(`${name} is done where the second one is refused and the job is ${status}`, async () => {
      const { send, requests } = scripted(networkError('ECONNRESET'), REFUSED, json(200, { id: 12, status }));
      assert.deepEqual(await clientOn(send).client.transition(name, 12), { id: 12, status });
      assert.deepEqual(
        requests.map(({ method }) => method),
        ['POST', 'POST', 'GET'],
      );
    });
  }

  it('is refused where the job is in another state', async () => {
    const { send } = scripted(networkError('ECONNRESET'), REFUSED, json(200, { id: 12, status: 'CLOSED' }));
    await failureOf(clientOn(send).client.transition('pause', 12), 'INVALID_TRANSITION');
  });

  it('is refused where the first one already was, and the job is not read', async () => {
    const { send, requests } = scripted(REFUSED);
    await failureOf(clientOn(send).client.transition('pause', 12), 'INVALID_TRANSITION');
    assert.equal(requests.length, 1);
  });

  it('is refused where nothing of the first one was sent', async () => {
    const { send, requests } = scripted(networkError('ECONNREFUSED'), REFUSED);
    await failureOf(clientOn(send).client.transition('pause', 12), 'INVALID_TRANSITION');
    assert.equal(requests.length, 2);
  });
});

describe('a server that lacks an operation', () => {
  for (const name of ['pause', 'resume'] as const) {
    for (const status of [404, 405]) {
      it(`${name}: a ${status} without the error body is "offers no ${name}", never "no such job"`, async () => {
        const { send } = scripted(
          new Response('<h1>Not here</h1>', { status, headers: { 'content-type': 'text/html' } }),
        );
        const error = await failureOf(clientOn(send).client.transition(name, 12), 'OPERATION_NOT_OFFERED');
        assert.equal(error.message, `this server offers no ${name} at /v1/jobs/12/${name}`);
      });
    }

    it(`${name}: a NOT_FOUND of a job that can be read is "offers no ${name}" too`, async () => {
      const { send } = scripted(envelope(404, 'NOT_FOUND'), json(200, JOB));
      await failureOf(clientOn(send).client.transition(name, 12), 'OPERATION_NOT_OFFERED');
    });

    it(`${name}: a NOT_FOUND of a job that cannot be read is "no such job"`, async () => {
      const { send } = scripted(envelope(404, 'NOT_FOUND'));
      await failureOf(clientOn(send).client.transition(name, 12), 'NOT_FOUND');
    });
  }

  it('list: every 404 and 405 is "offers no list of jobs" (decision 5)', async () => {
    for (const answer of [
      new Response('', { status: 404 }),
      new Response('', { status: 405 }),
      envelope(404, 'NOT_FOUND'),
      envelope(405, 'METHOD_NOT_ALLOWED'),
    ]) {
      const error = await failureOf(
        clientOn(scripted(answer).send).client.listJobs(),
        'OPERATION_NOT_OFFERED',
      );
      assert.equal(error.message, 'this server offers no list of jobs at /v1/jobs');
    }
  });

  it('close is in the specification: a bare 404 there means that the base URL is wrong', async () => {
    const { send } = scripted(new Response('Not found', { status: 404 }));
    const error = await failureOf(clientOn(send).client.transition('close', 12), 'ANSWER_UNREADABLE');
    assert.match(error.hint ?? '', /--base-url/);
  });
});

describe('what must not be sent again', () => {
  it('a create after a 500; what is the same when it is done again is', async () => {
    const broken = scripted(envelope(500, 'INTERNAL'));
    const { client } = clientOn(broken.send);
    await failureOf(client.createJob({}), 'INTERNAL');
    assert.equal(broken.requests.length, 1);
    await failureOf(client.updateJob(12, {}), 'INTERNAL');
    await failureOf(client.transition('close', 12), 'INTERNAL');
    await failureOf(client.getJob(12), 'INTERNAL');
    assert.equal(broken.requests.length, 1 + 3 * 4);
  });

  it('anything the server has refused', async () => {
    for (const [status, code] of [
      [401, 'INVALID_SERVICE_KEY'],
      [402, 'PAYMENT_METHOD_REQUIRED'],
      [404, 'NOT_FOUND'],
      [409, 'AGREEMENT_OUTDATED'],
      [422, 'VALIDATION_FAILED'],
    ] as const) {
      const { send, requests } = scripted(envelope(status, code));
      await failureOf(clientOn(send).client.updateJob(12, {}), code);
      assert.equal(requests.length, 1);
    }
  });

  it('a 503 whose code says that it is a refusal (decision 7)', async () => {
    const { send, requests } = scripted(envelope(503, 'AGREEMENT_OUTDATED'));
    await failureOf(clientOn(send).client.transition('publish', 12), 'AGREEMENT_OUTDATED');
    assert.equal(requests.length, 1);
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
