import assert from 'node:assert/strict';
import { type Fault, type LabOptions, labDecisions } from '../../src/engine/lab/decisions.ts';
import type { Injected } from '../../src/engine/lab/lab.ts';
import { type Served, serveEngine } from '../../src/engine/serve.ts';
import { type EngineUnderTest, engineOn } from './engine-under-test.ts';
import { COMPLETE } from './listing.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const REQUESTS = 10_000;
const NO_LATENCY = { min: 0, max: 0 };
const UNHARMED: LabOptions = {
  seed: 7,
  latencyMs: NO_LATENCY,
  failRate: 0,
  dropRate: 0,
  knowsIdempotency: true,
  listsJobs: true,
};

describe('the decisions of a lab', () => {
  const options = { latencyMs: { min: 50, max: 200 }, failRate: 0.1, dropRate: 0.05 };
  const fatesOf = (seed: number, given: Partial<LabOptions> = {}) =>
    Array.from({ length: REQUESTS }, (_, n) => labDecisions(seed, { ...options, ...given })(n));
  const harmsOf = (given: Partial<LabOptions>) =>
    fatesOf(7, given).flatMap(({ harm }) => (harm === undefined ? [] : [harm]));
  const assertShare = (of: readonly unknown[], count: number, share: number) =>
    assert.ok(Math.abs(count / of.length - share) < 0.02, `${count} of ${of.length} is not ${share}`);
  const count = <T>(of: readonly T[], holds: (one: T) => boolean) => of.filter(holds).length;

  it('are the same under the same seed, in whatever order they are asked for', () => {
    const fateOf = labDecisions(7, options);
    const backwards = Array.from({ length: REQUESTS }, (_, n) => fateOf(REQUESTS - 1 - n));
    assert.deepEqual(backwards.reverse(), fatesOf(7));
    assert.notDeepEqual(fatesOf(7), fatesOf(8));
    assert.notDeepEqual(fatesOf(0).slice(1), fatesOf(1).slice(0, -1));
  });

  it('hurt the shares that were asked for, in equal parts of every kind', () => {
    const fates = fatesOf(7);
    assertShare(
      fates,
      count(fates, ({ harm }) => harm?.kind === 'fail'),
      0.1,
    );
    assertShare(
      fates,
      count(fates, ({ harm }) => harm?.kind === 'drop'),
      0.05,
    );
    const failures = harmsOf({ failRate: 1, dropRate: 0 }).filter((harm) => harm.kind === 'fail');
    assert.equal(failures.length, REQUESTS);
    const kinds = [...new Set(failures.map(({ failure }) => failure))];
    assert.equal(kinds.length, 6);
    for (const kind of kinds)
      assertShare(
        failures,
        count(failures, ({ failure }) => failure === kind),
        1 / 6,
      );
  });

  it('hurt half before the work is done and half after', () => {
    for (const rates of [
      { failRate: 1, dropRate: 0 },
      { failRate: 0, dropRate: 1 },
    ]) {
      const harms = harmsOf(rates);
      assertShare(
        harms,
        count(harms, ({ at }) => at === 'before'),
        0.5,
      );
    }
  });

  it('never answer 429 after the work: it would say that nothing was done', () => {
    const tooMany = harmsOf({ failRate: 1, dropRate: 0 }).filter(
      (harm) => harm.kind === 'fail' && harm.failure === 'too-many',
    );
    assert.ok(tooMany.length > 0);
    assert.deepEqual(
      tooMany.filter((harm) => harm.at === 'after'),
      [],
    );
    assert.ok(tooMany.every((harm) => harm.kind === 'fail' && harm.retryAfterSeconds === 1));
  });

  it('give some of the 503 a Retry-After, and a page as 200 or as 502', () => {
    const failures = harmsOf({ failRate: 1, dropRate: 0 }).filter((harm) => harm.kind === 'fail');
    const valuesOf = <T>(kind: string, value: (one: (typeof failures)[number]) => T) =>
      new Set(failures.filter(({ failure }) => failure === kind).map(value));
    assert.deepEqual(
      valuesOf('unavailable', (one) => one.retryAfterSeconds),
      new Set([1, undefined]),
    );
    assert.deepEqual(
      valuesOf('html-body', (one) => one.status),
      new Set([200, 502]),
    );
  });

  it('cut connections after the work before the headers, in them and in the body', () => {
    const drops = harmsOf({ failRate: 0, dropRate: 1 }).filter((harm) => harm.kind === 'drop');
    const cuts = (at: Fault['at']) =>
      new Set(drops.filter((drop) => drop.at === at).map(({ cutAt }) => cutAt));
    assert.deepEqual(cuts('before'), new Set(['before-headers']));
    assert.deepEqual(cuts('after'), new Set(['before-headers', 'in-headers', 'in-body']));
  });

  it('draw a latency evenly within its range, both ends included', () => {
    const waits = fatesOf(7).map(({ latencyMs }) => latencyMs);
    assert.deepEqual([Math.min(...waits), Math.max(...waits)], [50, 200]);
    assertShare(
      waits,
      count(waits, (wait) => wait < 125),
      0.5,
    );
    assert.ok(fatesOf(7, { latencyMs: { min: 80, max: 80 } }).every(({ latencyMs }) => latencyMs === 80));
  });

  it('hurt nothing at a rate of 0', () => {
    assert.deepEqual(harmsOf({ failRate: 0, dropRate: 0 }), []);
  });
});

describe('the engine in a lab', () => {
  const path = temporaryDirectory();
  let engine: EngineUnderTest;
  let served: Served | undefined;
  const waits: number[] = [];
  before(async () => {
    engine = await engineOn(path('lab.db'));
  });
  afterEach(async () => {
    await served?.close();
    waits.length = 0;
  });
  after(() => engine.store.close());

  async function serve(lab: Partial<LabOptions>): Promise<string> {
    served = await serveEngine({
      engine,
      host: '127.0.0.1',
      port: 0,
      lab: { ...UNHARMED, ...lab },
      sleep: async (waitMs) => void waits.push(waitMs),
    });
    return served.url;
  }

  const headers = (extra: Record<string, string> = {}) => ({
    authorization: `Bearer ${engine.key}`,
    'content-type': 'application/json',
    ...extra,
  });

  /** The status and the text that a create got, or `cut`. */
  async function create(url: string, opportunityId: string, extra?: Record<string, string>) {
    const body = JSON.stringify({ ...COMPLETE, opportunityId });
    try {
      const answer = await fetch(`${url}/jobs`, { method: 'POST', headers: headers(extra), body });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    } catch {
      return 'cut' as const;
    }
  }

  async function madeAs(opportunityId: string): Promise<number> {
    const { body } = await engine.call('GET', `/jobs?opportunityId=${opportunityId}`);
    return body.items.length;
  }

  it('does the work of exactly those creates that it hurts after it, and of those that it does not hurt', async () => {
    const rates = { failRate: 0.5, dropRate: 0.3 };
    const url = await serve(rates);
    const fateOf = labDecisions(UNHARMED.seed, { ...UNHARMED, ...rates });
    for (let n = 0; n < 120; n++) {
      const { harm } = fateOf(n);
      const answer = await create(url, `exact-${n}`);
      const told = `request ${n}: ${JSON.stringify(harm)}`;
      assert.equal(await madeAs(`exact-${n}`), harm?.at === 'before' ? 0 : 1, told);
      if (harm === undefined) {
        assert.ok(answer !== 'cut' && answer.status === 201, told);
      } else if (harm.kind === 'drop' || harm.failure === 'truncated-body') {
        assert.equal(answer, 'cut', told);
      } else {
        assert.ok(answer !== 'cut', told);
        assert.equal(answer.status, harm.status, told);
        const retryAfter = harm.retryAfterSeconds === undefined ? null : String(harm.retryAfterSeconds);
        assert.equal(answer.headers.get('retry-after'), retryAfter, told);
      }
    }
  });

  it('sends half a body under the length of the whole where it truncates', async () => {
    const url = await serve({ failRate: 1 });
    const fateOf = labDecisions(UNHARMED.seed, { ...UNHARMED, failRate: 1 });
    const seen = new Set<string>();
    for (let n = 0; seen.size < 2; n++) {
      const { harm } = fateOf(n);
      const answer = await fetch(`${url}/jobs`, {
        method: 'POST',
        headers: headers(),
        body: JSON.stringify(COMPLETE),
      });
      if (harm?.kind !== 'fail' || harm.failure !== 'truncated-body') {
        await answer.arrayBuffer();
        continue;
      }
      seen.add(harm.at);
      assert.equal(answer.status, 201);
      let received = 0;
      await assert.rejects(async () => {
        for await (const chunk of answer.body ?? []) received += chunk.byteLength;
      });
      assert.ok(received > 0 && received < Number(answer.headers.get('content-length')));
    }
  });

  it('waits before every answer for as long as was drawn', async () => {
    const latencyMs = { min: 50, max: 200 };
    const url = await serve({ latencyMs });
    const fateOf = labDecisions(UNHARMED.seed, { ...UNHARMED, latencyMs });
    for (let n = 0; n < 5; n++) await (await fetch(`${url}/jobs?limit=1`, { headers: headers() })).text();
    assert.deepEqual(
      waits,
      [0, 1, 2, 3, 4].map((n) => fateOf(n).latencyMs),
    );
  });

  it('leaves alone what is not under /v1, and does not count it', async () => {
    const url = await serve({ failRate: 1, latencyMs: { min: 9, max: 9 } });
    const answer = await fetch(url.replace('/v1', '/elsewhere'));
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /NOT_FOUND/);
    assert.deepEqual([waits, served?.injected()?.requests], [[], 0]);
  });

  it('tells what it did: requests, failures and drops before and after, answers of 429', async () => {
    const rates = { failRate: 0.4, dropRate: 0.4 };
    const url = await serve(rates);
    const fateOf = labDecisions(UNHARMED.seed, { ...UNHARMED, ...rates });
    const expected = {
      requests: 60,
      failed: { before: 0, after: 0 },
      dropped: { before: 0, after: 0 },
      tooMany: 0,
    };
    for (let n = 0; n < 60; n++) {
      await fetch(`${url}/jobs?limit=1`, { headers: headers() })
        .then((answer) => answer.text())
        .catch(() => undefined);
      const { harm } = fateOf(n);
      if (harm !== undefined) expected[harm.kind === 'fail' ? 'failed' : 'dropped'][harm.at]++;
      if (harm?.kind === 'fail' && harm.status === 429) expected.tooMany++;
    }
    assert.deepEqual(served?.injected(), expected satisfies Injected);
  });

  it('without idempotency, makes a job each time and says nothing of the key', async () => {
    const key = { 'idempotency-key': 'the-same' };
    const url = await serve({ knowsIdempotency: false });
    for (const _ of [1, 2]) {
      const answer = await create(url, 'twice', key);
      assert.ok(answer !== 'cut' && answer.status === 201);
      assert.equal(answer.headers.get('idempotency-status'), null);
    }
    assert.equal(await madeAs('twice'), 2);
  });

  it('with idempotency, honours the key as ever', async () => {
    const key = { 'idempotency-key': 'another' };
    const url = await serve({});
    const answers = [await create(url, 'once', key), await create(url, 'once', key)];
    assert.deepEqual(
      answers.map((answer) => answer !== 'cut' && answer.headers.get('idempotency-status')),
      ['stored', 'replayed'],
    );
    assert.equal(await madeAs('once'), 1);
  });

  it('without a list, offers no GET /jobs, not even in the envelope, and everything else', async () => {
    const url = await serve({ listsJobs: false });
    const listed = await fetch(`${url}/jobs?limit=1`, { headers: headers() });
    assert.equal(listed.status, 405);
    assert.doesNotMatch(await listed.text(), /error/);
    const created = await create(url, 'unlisted');
    assert.ok(created !== 'cut' && created.status === 201);
    const read = await fetch(`${url}/jobs/${JSON.parse(created.text).id}`, { headers: headers() });
    assert.equal(read.status, 200);
    await read.text();
  });
});
