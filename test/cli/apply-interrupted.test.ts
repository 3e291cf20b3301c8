import assert from 'node:assert/strict';
import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { type GeneratedSet, generatedSet, type Served } from './generated-set.ts';
import type { Run } from './partner.ts';

const LISTINGS = 24;

function onFirstJob(directory: string, act: () => void): () => void {
  const journal = join(directory, 'state.journal.ndjson');
  let isMade = false;
  const watcher = watch(directory, () => {
    if (isMade || !existsSync(journal)) return;
    isMade = readFileSync(journal, 'utf8').includes('"kind":"made"');
    if (isMade) act();
  });
  return () => watcher.close();
}

describe('jobs apply, interrupted over HTTP', () => {
  let set: GeneratedSet;
  let server: Served;
  beforeEach(async () => {
    set = await generatedSet(LISTINGS);
    server = await set.serve(['--latency', '100ms']);
    await set.callAt(server.url);
  });
  afterEach(async () => {
    server.running.child.kill('SIGKILL');
    await server.running.ended;
  });

  async function signalled(flags: readonly string[], ...signals: NodeJS.Signals[]): Promise<Run> {
    const run = set.start(['--publish', ...flags]);
    const stop = onFirstJob(set.stateDirectory, () => {
      for (const [n, signal] of signals.entries()) setTimeout(() => run.child.kill(signal), 20 * n);
    });
    const ended = await run.ended;
    stop();
    return ended;
  }

  async function assertRecorded(): Promise<void> {
    assert.ok(!existsSync(join(set.stateDirectory, 'state.journal.ndjson')), 'a journal is left');
    const jobs = set.jobs();
    assert.ok(jobs.length > 0 && jobs.length < LISTINGS, `${jobs.length} jobs`);
    assert.equal((await set.remembered()).size, jobs.length);
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`by ${signal} ends what is in flight, records it, and prints the command that does the rest`, async () => {
      const { code, stderr } = await signalled([], signal);
      assert.equal(code, 130, stderr);
      await assertRecorded();
      const [, command] = /(partner jobs apply .*)$/m.exec(stderr) ?? [];
      assert.ok(command, stderr);
      const resumed = await set.home.run(command.split(' ').slice(1), { env: set.environment });
      assert.equal(resumed.code, 0, resumed.stderr);
      assert.equal(await set.assertExact(), LISTINGS);
    });

  it('under --json gives one document, which tells of all listings', async () => {
    const run = await signalled(['--json'], 'SIGINT');
    assert.equal(run.code, 130);
    const { items } = run.json() as { items: { result: string; error?: object }[] };
    const results = items.map(({ result }) => result);
    assert.deepEqual([items.length, new Set(results)], [LISTINGS, new Set(['created', 'left'])]);
    await assertRecorded();
    assert.equal(results.filter((result) => result === 'created').length, set.jobs().length);
  });

  it('a second time stops at once, and a run after it makes each job once', async () => {
    const { code, signal } = await signalled([], 'SIGINT', 'SIGINT');
    assert.ok(code === 130 || signal === 'SIGINT', `${code} ${signal}`);
    assert.ok(set.jobs().length < LISTINGS);
    await set.finish(['--publish'], 1);
    assert.equal(await set.assertExact(), LISTINGS);
  });
});
