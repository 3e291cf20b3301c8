import assert from 'node:assert/strict';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { BASE_URL, clientOn, envelope, failureOf, json, KEY, scripted } from './client-under-test.ts';
import codes from './codes-by-status.json' with { type: 'json' };

const html = (status: number, body: string) =>
  new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
const getting = (answer: Response) => clientOn(scripted(answer).send).client.getJob(12);

describe('an answer of a later version', () => {
  it('passes through: unknown fields, statuses and enum values are kept', async () => {
    const job = { id: 12, status: 'ARCHIVED', jobType: 'GIG', perks: [{ dog: true }], salaryMin: null };
    assert.deepEqual(await getting(json(200, job)), job);
  });

  it('has no null where the contract has none, and is printed as it came', async () => {
    const question = { prompt: 'Why?', answerFormat: 'TEXT', order: 1, hint: null };
    const sent = {
      id: 12,
      title: null,
      salaryMin: null,
      locations: null,
      questions: [{ ...question, options: null }, null],
      budgets: [{ window: 'DAILY', budgetCents: 1, notes: null }],
      applicationCounts: { pending: null, accepted: 1 },
      perks: null,
    };
    const job = await getting(json(200, sent));
    assert.deepEqual(
      { ...job },
      {
        id: 12,
        salaryMin: null,
        locations: [],
        questions: [question],
        budgets: [{ window: 'DAILY', budgetCents: 1, notes: null }],
        applicationCounts: { accepted: 1 },
        perks: null,
      },
    );
    assert.equal(JSON.stringify(job), JSON.stringify(sent));
  });

  it('may name a place without a region or a display name', async () => {
    const place = { locationId: 1, city: 'Singapore', stateProvince: null, country: 'Singapore' };
    const { send } = scripted(json(200, { items: [place] }));
    const expected = [{ ...place, stateProvince: '', displayName: 'Singapore, Singapore' }];
    assert.deepEqual(await clientOn(send).client.searchLocations({ q: 'x' }), expected);
  });

  it('is a success with any 2xx (decision 6), whatever its content type', async () => {
    const typed = (type: string) => json(200, { id: 12 }, { 'content-type': type });
    const answers = [
      ...[200, 201, 202, 206].map((status) => json(status, { id: 12 })),
      ...['text/plain; charset=utf-8', 'application/vnd.partner+json;v=2'].map(typed),
      new Response(new TextEncoder().encode('{"id":12}')),
    ];
    for (const answer of answers) assert.deepEqual(await getting(answer), { id: 12 });
  });
});

/** The job itself counts as one level. */
const nested = (status: number, levels: number) =>
  new Response(`{"id":12,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`, { status });

const raw = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } });

describe("an answer that is not the contract's", () => {
  const cases: readonly [string, Response, RegExp][] = [
    ['HTML from a proxy', html(200, '<h1>Sign in</h1>'), /not a JSON object.*200, text\/html, “<h1>Sign in/],
    ['a body that stops in the middle', raw('{"id":12,"ti'), /“\{"id":12,"ti”/],
    ['null', json(200, null), /not a JSON object/],
    ['a job without an ID', json(200, { title: 'x' }), /a job without an ID/],
    ['a job whose id is a text', json(200, { id: '12' }), /a job without an ID/],
    ['a job whose id is past 2^53', raw('{"id":9007199254740993}'), /a job without an ID/],
    ['nothing', new Response(null, { status: 204 }), /status 204, empty/],
    ['a redirect', new Response(null, { status: 302 }), /status 302/],
    ['a 404 that is no error body', html(404, '<h1>404</h1>'), /status 404/],
    ['JSON of 100,000 levels', nested(200, 100_000), /not a JSON object/],
    ['JSON of 65 levels', nested(200, 65), /not a JSON object/],
    ['an error of 100,000 levels', nested(418, 100_000), /not a Partner API response/],
    ['a 418', json(418, { error: { code: 'TEAPOT', message: 'no coffee' } }), /no coffee/],
  ];
  for (const [name, answer, message] of cases)
    it(`is ANSWER_UNREADABLE for a job: ${name}`, async () => {
      const error = await failureOf(getting(answer), 'ANSWER_UNREADABLE');
      assert.match(error.message, message);
      assert.equal(error.status, answer.status);
    });

  it('is named by its address and the beginning of what it says, without control characters', async () => {
    const page = html(200, `\u001b[31mred\u0007\u202e\r\n${'x'.repeat(500)}`);
    const error = await failureOf(getting(page), 'ANSWER_UNREADABLE');
    assert.equal(
      error.message,
      `unexpected response to GET ${BASE_URL}/jobs/12: not a JSON object (status 200, text/html, “[31mred ${'x'.repeat(152)}…”)`,
    );
    assert.doesNotMatch(error.message, /\p{Cc}|\p{Cf}/u);
  });

  it('is ANSWER_UNREADABLE for a list without items, with an item that is no job, and for a place without an id', async () => {
    for (const body of [{}, { items: {} }, { items: [{ id: 1 }, {}] }])
      await failureOf(clientOn(scripted(json(200, body)).send).client.listJobs(), 'ANSWER_UNREADABLE');
    for (const body of [[], { items: [{ city: 'x' }] }]) {
      const { client } = clientOn(scripted(json(200, body)).send);
      await failureOf(client.searchLocations({ q: 'x' }), 'ANSWER_UNREADABLE');
    }
  });

  it('is given up past 64 MiB', async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks++;
        controller.enqueue(new Uint8Array(8 * 1024 * 1024));
      },
    });
    const { client } = clientOn(async () => new Response(endless));
    const error = await failureOf(client.getJob(12), 'ANSWER_UNREADABLE');
    assert.match(error.message, /is larger than 64 MiB/);
    assert.ok(chunks <= 11, `${chunks} chunks of 8 MiB were read`);
  });
});

describe('an error answer', () => {
  it('is its code, whatever its status (decision 7), with message and fields', async () => {
    const refused = envelope(400, 'VALIDATION_FAILED', 'two gaps', {
      fields: { title: 'is required', n: 3 },
    });
    const error = await failureOf(getting(refused), 'VALIDATION_FAILED');
    assert.equal(error.message, 'two gaps');
    assert.deepEqual(error.fields, { title: 'is required', n: '3' });
    assert.deepEqual([error.status, error.exit, error.serverCode], [400, 3, undefined]);
    const odd = await failureOf(getting(envelope(422, 'INVALID_TRANSITION')), 'INVALID_TRANSITION');
    assert.equal(odd.status, 422);
  });

  const byStatus = Object.entries(codes).map(
    ([status, code]) => [Number(status), code as ErrorCode] as const,
  );
  for (const [status, code] of byStatus)
    it(`with a code that nobody knows is ${code} by its status ${status}, and the code is kept`, async () => {
      const error = await failureOf(getting(envelope(status, 'BRAND_NEW', 'new words')), code);
      assert.deepEqual([error.serverCode, error.message, error.status], ['BRAND_NEW', 'new words', status]);
    });

  it('cannot take a code that only a client may use: no server makes us say "interrupted"', async () => {
    for (const code of ['INTERRUPTED', 'UNEXPECTED', 'USAGE', 'OUTCOME_UNKNOWN', 'toString', '__proto__']) {
      const error = await failureOf(getting(envelope(409, code)), 'INVALID_TRANSITION');
      assert.equal(error.serverCode, code);
    }
  });

  it('without an error body is understood by its status where that can only mean one thing', async () => {
    for (const [status, code] of [...byStatus, [502, 'SERVER_FAILED'] as const]) {
      if (![401, 403, 413, 500, 502].includes(status)) continue;
      const { client } = clientOn(scripted(html(status, '<h1>No</h1>')).send);
      const error = await failureOf(client.updateJob(12, {}), code);
      assert.ok(error.message.includes(`status ${status}, text/html, “<h1>No</h1>”`));
    }
  });

  it('names a hundred fields at most, and says how many more there are', async () => {
    const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`f${at}`, 'no']));
    const error = await failureOf(
      getting(envelope(422, 'VALIDATION_FAILED', 'x', { fields })),
      'VALIDATION_FAILED',
    );
    assert.equal(Object.keys(error.fields ?? {}).length, 101);
    assert.equal(error.fields?.['…'], 'and 49900 more');
  });
});

describe('an empty answer to a change (decision 6)', () => {
  const empty = (headers = {}) => new Response(null, { status: 204, headers });

  it('is followed by a GET of the job, for an update and for every transition', async () => {
    const { send, requests } = scripted(empty(), json(200, { id: 12, status: 'PAUSED' }));
    assert.deepEqual(await clientOn(send).client.transition('pause', 12), { id: 12, status: 'PAUSED' });
    const update = scripted(empty(), json(200, { id: 12 }));
    assert.deepEqual(await clientOn(update.send).client.updateJob(12, {}), { id: 12 });
    for (const sent of [requests, update.requests])
      assert.deepEqual([sent[1]?.method, sent[1]?.url], ['GET', `${BASE_URL}/jobs/12`]);
  });

  it('is followed, for a create, by a GET of the job that Location names', async () => {
    for (const location of ['/v1/jobs/77', `${BASE_URL}/jobs/77`, 'jobs/77/']) {
      const { send, requests } = scripted(empty({ location }), json(200, { id: 77 }));
      assert.deepEqual(await clientOn(send).client.createJob({}), { id: 77 });
      assert.equal(requests[1]?.url, `${BASE_URL}/jobs/77`);
    }
  });

  it('without a Location is OUTCOME_UNKNOWN for a create', async () => {
    const { send, requests } = scripted(empty());
    const error = await failureOf(clientOn(send).client.createJob({ title: 'Welder' }), 'OUTCOME_UNKNOWN');
    assert.equal(error.mayHaveCreated, true);
    assert.equal(requests.length, 1);
  });

  it('whose GET fails says that only the reading did', async () => {
    const { send } = scripted(empty(), envelope(403, 'FORBIDDEN'));
    const error = await failureOf(clientOn(send).client.transition('close', 12), 'FORBIDDEN');
    assert.match(error.hint ?? '', /the server accepted the request, but reading job 12 back failed/);
  });
});

describe('the key', () => {
  it('is in no error, however a server repeats it', async () => {
    const encoded = KEY.replaceAll('_', '%5f');
    const answers = [
      envelope(401, 'INVALID_SERVICE_KEY', `unknown key ${KEY}`, { fields: { key: `is ${encoded}` } }),
      html(502, `<p>Authorization: Bearer ${KEY}</p>`),
      html(200, `<p>${KEY}</p>`),
      envelope(404, KEY, 'x'),
    ];
    for (const answer of answers) {
      const error = await clientOn(scripted(answer).send)
        .client.updateJob(12, {})
        .catch((thrown) => thrown);
      const everything = JSON.stringify([error.message, error.hint, error.fields, error.serverCode]);
      assert.ok(!everything.includes(KEY) && !everything.includes(encoded), everything);
      assert.match(everything, /sk_ext_…2ab7/);
    }
  });

  it('is in no trace: not in headers, addresses or bodies of either side', async () => {
    const headers = { 'x-echo': KEY, 'set-cookie': `k=${encodeURIComponent(KEY)}` };
    const { send } = scripted(json(200, { id: 12, echo: `Bearer ${KEY}` }, headers));
    const [create, list] = [clientOn(send), clientOn(send)];
    await create.client.createJob({ description: `do not paste ${KEY}` });
    await list.client.listJobs({ cursor: KEY }).catch(() => {});
    const events = [...create.events, ...list.events];
    assert.ok(!JSON.stringify(events).includes(KEY));
    assert.equal(JSON.stringify(events).split('sk_ext_…2ab7').length - 1, 15);
  });

  it('is in no reason for a wait', async () => {
    const { send } = scripted(envelope(429, 'RATE_LIMITED', `${KEY} is too fast`), json(200, { id: 12 }));
    const { client, waits } = clientOn(send);
    await client.getJob(12);
    assert.equal(waits[0]?.reason, 'sk_ext_…2ab7 is too fast');
  });
});
