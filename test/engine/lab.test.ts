import assert from 'node:assert/strict';
import { createLabDecisions, type Fault, type LabOptions } from '../../src/engine/lab/decisions.ts';
import { type Served, serveEngine } from '../../src/engine/serve.ts';
import { engineFor } from './engine-under-test.ts';
import { COMPLETE } from './listing.ts';

const REQUESTS = 10_000;
const NO_LATENCY = { min: 0, max: 0 };
const HARMLESS: LabOptions = {
  seed: 7,
  latencyMs: NO_LATENCY,
  failRate: 0,
  dropRate: 0,
  knowsIdempotency: true,
  listsJobs: true,
};

describe('the decisions of a lab', () => {
  const options = { latencyMs: { min: 50, max: 200 }, failRate: 0.1, dropRate: 0.05 };
  const plansOf = (seed: number, given: Partial<LabOptions> = {}) =>
    Array.from({ length: REQUESTS }, (_, n) => createLabDecisions(seed, { ...options, ...given })(n));
  const faultsOf = (given: Partial<LabOptions>) =>
    plansOf(7, given).flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  const failures = faultsOf({ failRate: 1, dropRate: 0 }).filter((fault) => fault.kind === 'fail');
  const drops = faultsOf({ failRate: 0, dropRate: 1 }).filter((fault) => fault.kind === 'drop');
  const assertShare = <T>(of: readonly T[], share: number, holds: (one: T) => boolean) => {
    const count = of.filter(holds).length;
    assert.ok(Math.abs(count / of.length - share) < 0.02, `${count} of ${of.length} is not ${share}`);
  };

  it('are the same under the same seed, in whatever order they are asked for', () => {
    const planOf = createLabDecisions(7, options);
    const backwards = Array.from({ length: REQUESTS }, (_, n) => planOf(REQUESTS - 1 - n));
    assert.deepEqual(backwards.reverse(), plansOf(7));
    assert.notDeepEqual(plansOf(7), plansOf(8));
    assert.notDeepEqual(plansOf(0).slice(1), plansOf(1).slice(0, -1));
  });

  it('hurt the shares that were asked for, in equal parts of every kind, half before the work', () => {
    assert.deepEqual(faultsOf({ failRate: 0, dropRate: 0 }), []);
    assertShare(plansOf(7), 0.1, ({ fault }) => fault?.kind === 'fail');
    assertShare(plansOf(7), 0.05, ({ fault }) => fault?.kind === 'drop');
    const kinds = [...new Set(failures.map(({ failure }) => failure))];
    assert.equal(kinds.length, 6);
    for (const kind of kinds) assertShare(failures, 1 / 6, ({ failure }) => failure === kind);
    assertShare(failures, 0.5, ({ at }) => at === 'before');
    assertShare(drops, 0.5, ({ at }) => at === 'before');
  });

  it('give some of the 503 a Retry-After, and a page as 200 or as 502', () => {
    const ofKind = (kind: string) => failures.filter(({ failure }) => failure === kind);
    const retryAfters = ofKind('unavailable').map((one) => one.retryAfterSeconds);
    assert.deepEqual(new Set(retryAfters), new Set([1, undefined]));
    assert.deepEqual(new Set(ofKind('html-body').map((one) => one.status)), new Set([200, 502]));
  });

  it('cut connections after the work before the headers, in them and in the body', () => {
    const cuts = (at: Fault['at']) =>
      new Set(drops.filter((drop) => drop.at === at).map(({ cutAt }) => cutAt));
    assert.deepEqual(cuts('before'), new Set(['before-headers']));
    assert.deepEqual(cuts('after'), new Set(['before-headers', 'in-headers', 'in-body']));
  });
});

describe('the engine in a lab', () => {
  const engine = engineFor('all tests');
  let served: Served | undefined;
  const waits: number[] = [];
  afterEach(async () => {
    await served?.close();
    waits.length = 0;
  });

  async function serve(lab: Partial<LabOptions>): Promise<string> {
    served = await serveEngine({
      engine,
      host: '127.0.0.1',
      port: 0,
      lab: { ...HARMLESS, ...lab },
      sleep: async (waitMs) => void waits.push(waitMs),
    });
    return served.url;
  }

  const headers = (extra: Record<string, string> = {}) => ({
    authorization: `Bearer ${engine.key}`,
    'content-type': 'application/json',
    ...extra,
  });

  /** Returns `cut` if the connection was cut. */
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
    const planOf = createLabDecisions(HARMLESS.seed, { ...HARMLESS, ...rates });
    for (let n = 0; n < 120; n++) {
      const { fault } = planOf(n);
      const answer = await create(url, `exact-${n}`);
      const told = `request ${n}: ${JSON.stringify(fault)}`;
      assert.equal(await madeAs(`exact-${n}`), fault?.at === 'before' ? 0 : 1, told);
      if (fault === undefined) {
        assert.ok(answer !== 'cut' && answer.status === 201, told);
      } else if (fault.kind === 'drop' || fault.failure === 'truncated-body') {
        assert.equal(answer, 'cut', told);
      } else {
        assert.ok(answer !== 'cut', told);
        assert.equal(answer.status, fault.status, told);
        const retryAfter = fault.retryAfterSeconds === undefined ? null : String(fault.retryAfterSeconds);
        assert.equal(answer.headers.get('retry-after'), retryAfter, told);
      }
    }
  });

  it('waits before every answer for as long as was drawn', async () => {
    const latencyMs = { min: 50, max: 200 };
    const url = await serve({ latencyMs });
    const planOf = createLabDecisions(HARMLESS.seed, { ...HARMLESS, latencyMs });
    for (let n = 0; n < 5; n++) await (await fetch(`${url}/jobs?limit=1`, { headers: headers() })).text();
    assert.deepEqual(
      waits,
      [0, 1, 2, 3, 4].map((n) => planOf(n).latencyMs),
    );
  });

  it('leaves alone what is not under /v1, and does not count it', async () => {
    const url = await serve({ failRate: 1, latencyMs: { min: 9, max: 9 } });
    const answer = await fetch(url.replace('/v1', '/candidate/v1/jobs'));
    assert.equal(answer.status, 200);
    await answer.text();
    assert.deepEqual([waits, served?.injected()?.requests], [[], 0]);
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
