import assert from 'node:assert/strict';
import { type JobSet, listingOf, newSet, unsettledSet } from './bulk.ts';
import { KEY, type ServedEngine, serveEngine } from './servers.ts';

async function many(set: JobSet, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `listing-${String(index).padStart(3, '0')}`);
  await Promise.all(names.map((name) => set.write(`${name}.json`, listingOf(name))));
}

const results = (items: readonly { result?: string }[]) => {
  const counts: Record<string, number> = {};
  for (const { result = '' } of items) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
};

describe('what the service reserves for people stops the publishing once:', () => {
  it('terms, then a card are missing: one call refused each, exit 11; then the same command does it all', async () => {
    const set = await unsettledSet();
    await many(set, 30);
    const terms = await set.apply('--publish');
    assert.deepEqual([terms.code, terms.sent], [11, ['POST /jobs']]);
    assert.deepEqual(results(terms.items), { left: 30 });
    for (const { error } of terms.items) assert.equal(error?.code, 'AGREEMENT_OUTDATED');
    assert.match(terms.items[0]?.error?.hint ?? '', /`partner dashboard accept-terms`/);
    assert.equal(set.home.storedJobs(), 0);

    await set.home.must('dashboard accept-terms');
    const card = await set.apply('--publish');
    assert.deepEqual([card.code, card.sent], [11, ['POST /jobs']]);
    assert.deepEqual([card.items[29]?.notLive, card.summary.notLive], ['PAYMENT_METHOD_REQUIRED', 30]);
    assert.match(card.items[29]?.error?.hint ?? '', /`partner dashboard add-card`/);

    await set.home.must('dashboard add-card');
    const done = await set.must('--publish');
    assert.deepEqual([results(done.items), done.summary.wentLive], [{ created: 30 }, 30]);
    assert.deepEqual((await set.must('--publish')).done, []);
  });

  it('what needs no publishing is done all the same', async () => {
    const set = await unsettledSet();
    await set.write('a.json', listingOf('Nurse', { publish: true }));
    await set.write('b.json', listingOf('Welder'));
    const { code, done } = await set.apply();
    assert.deepEqual([code, done], [11, ['left a.json', 'created b.json']]);
    const only = await set.apply('--only failed');
    assert.deepEqual([only.code, only.done], [11, ['left a.json']], 'the other one is not even looked at');
  });
});

describe('what every call would meet stops the run:', () => {
  it('a wrong key is exit 4 after two calls, which only ask: the second tells it from a list that is not offered', async () => {
    const set = await newSet();
    const { code, error, calls } = await set.apply([], { env: { PARTNER_API_KEY: KEY } });
    assert.deepEqual([code, error?.code], [4, 'INVALID_SERVICE_KEY']);
    const paths = calls.map(({ path }) => path);
    assert.deepEqual(paths, ['/jobs?limit=100', '/locations/search?q=Boston']);
    assert.match(error?.hint ?? '', /PARTNER_API_KEY/);
  });
});

describe('over a network, with jobs apply', () => {
  let server: ServedEngine | undefined;
  afterEach(() => server?.stop());

  it('a server that fails, drops and refuses every fifth call has each job once in the end', async () => {
    const set = await newSet();
    await many(set, 40);
    const lab = '--fail-rate 0.15 --drop-rate 0.05 --rate-limit 200/s --seed 7';
    server = await serveEngine(set.home, `--port 0 ${lab}`);
    for (let runs = 0; runs < 5; runs++) {
      if ((await set.apply('--publish', server)).code === 0) break;
    }
    assert.match(await server.stop(), /failed {3}[1-9]/, 'the lab has done nothing');
    assert.equal(set.home.storedJobs(), 43);
    const { items } = await set.home.must<{ items: { status: string }[] }>('jobs list --limit 100');
    assert.deepEqual([...new Set(items.map(({ status }) => status))], ['ACTIVE']);
  });

  describe('where the server knows no idempotency keys', () => {
    async function unknown(): Promise<{ set: JobSet; env: ServedEngine['env']; keys: string[] }> {
      const set = await newSet();
      await many(set, 20);
      const dropping = await serveEngine(set.home, '--port 0 --no-idempotency --drop-rate 0.3 --seed 11');
      const { code, items } = await set.apply('--create-anyway', dropping);
      assert.equal(code, 8);
      await dropping.stop();
      server = await serveEngine(set.home, `--no-idempotency --port ${new URL(dropping.url).port}`);
      const keys = items.filter(({ result }) => result === 'unknown').map(({ key }) => key);
      assert.ok(keys.length >= 2, `${keys}`);
      return { set, env: server.env, keys };
    }

    it('a create of unknown outcome is never repeated by itself: exit 8 until --adopt or --resend settles it', async () => {
      const { set, env, keys } = await unknown();
      const again = await set.apply([], { env });
      assert.deepEqual([again.code, again.done, again.sent], [8, keys.map((key) => `unknown ${key}`), []]);
      const settling: string[] = [];
      for (const { key, error } of again.items) {
        const [, taken] = new RegExp(`--adopt ${key}=(\\d+)`).exec(error?.hint ?? '') ?? [];
        assert.match(error?.hint ?? '', new RegExp(`--resend ${key}`));
        settling.push(...(taken === undefined ? ['--resend', key] : ['--adopt', `${key}=${taken}`]));
      }
      const settled = await set.must(settling, { env });
      const resent = settling.filter((word) => word === '--resend').length;
      assert.equal(settled.sent.length, resent);
      assert.ok(resent < keys.length, 'some had reached the server');
      assert.equal(set.home.storedJobs(), 23);
      assert.deepEqual((await set.must([], { env })).done, []);
      assert.equal(new Set(Object.values(await set.jobs())).size, 23);
    });

    it('what would settle it wrongly is refused with exit 2', async () => {
      const { set, env, keys } = await unknown();
      const [key = ''] = keys;
      const [known = '', job = 0] = Object.entries(await set.jobs())[0] ?? [];
      for (const [flags, says] of [
        [`--adopt ${key}=${job}`, `job ${job} is already linked to ${known}`],
        [`--adopt ${known}=${job + 1000}`, `${known} is already linked to job ${job}`],
        ['--adopt no-such.json=999', 'these paths have no listing no-such.json'],
        [`--resend ${known}`, `${known} has no pending create`],
      ] as const) {
        const { code, error, sent } = await set.apply(flags, { env });
        assert.deepEqual([code, error?.code, sent], [2, 'USAGE', []], flags);
        assert.ok(error?.message.includes(says), error?.message);
      }
      const missing = await set.apply(`--adopt ${key}=99999`, { env });
      assert.deepEqual([missing.code, missing.error?.code], [7, 'NOT_FOUND']);
    });
  });
});
