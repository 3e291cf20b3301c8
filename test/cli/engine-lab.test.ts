import assert from 'node:assert/strict';
import { type Home, newHome, type Running } from './partner.ts';

interface Lab {
  readonly seed: number;
  readonly latencyMs: { readonly min: number; readonly max: number };
}

/** A served engine, as its caller sees it. */
interface Server {
  readonly url: string;
  readonly lab: Lab | undefined;
  readonly running: Running;
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Response>;
  /** What each of so many reads got: a status, `broken` in the body, or `cut`. */
  seen(reads: number): Promise<string[]>;
}

describe('engine serve as a lab for failure', () => {
  let home: Home;
  let key: string;
  let open: Running[] = [];
  before(async () => {
    home = await newHome();
    key = (await home.must<{ key: string }>('engine keys create')).key;
  });
  afterEach(async () => {
    for (const { child, ended } of open) {
      child.kill('SIGINT');
      await ended;
    }
    open = [];
  });

  async function serve(...flags: string[]): Promise<Server> {
    const running = home.start(['engine', 'serve', '--port', '0', '--json', ...flags]);
    open.push(running);
    const { url, lab } = JSON.parse(await running.shown('stdout', /\n/)) as { url: string; lab?: Lab };
    const ask: Server['ask'] = (method, path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const seen = async (reads: number): Promise<string[]> => {
      const outcomes: string[] = [];
      for (let n = 0; n < reads; n++) {
        const answer = await ask('GET', '/jobs?limit=1').catch(() => undefined);
        const text = await answer?.text().catch(() => undefined);
        outcomes.push(answer === undefined ? 'cut' : text === undefined ? 'broken' : String(answer.status));
      }
      return outcomes;
    };
    return { url, lab, running, ask, seen };
  }

  async function interrupted({ running }: Server) {
    open = open.filter((one) => one !== running);
    running.child.kill('SIGINT');
    return running.ended;
  }

  it('without its flags is no lab', async () => {
    const server = await serve();
    assert.equal(server.lab, undefined);
    assert.deepEqual(new Set(await server.seen(20)), new Set(['200']));
    const { code, stderr } = await interrupted(server);
    assert.deepEqual([code, /lab/.test(stderr)], [0, false]);
  });

  it('fails and drops requests, the same ones again under the same seed', async () => {
    const flags = ['--fail-rate', '0.4', '--drop-rate', '0.3', '--seed', '7'];
    const [one, again] = [await serve(...flags), await serve(...flags)];
    const seen = await one.seen(60);
    assert.deepEqual(await again.seen(60), seen);
    for (const outcome of ['200', '429', '500', '502', '503', 'broken', 'cut']) {
      assert.ok(seen.includes(outcome), `${outcome} among ${seen}`);
    }
  });

  it('tells a seed that it chose itself, so that the run can be repeated', async () => {
    const rates = ['--fail-rate', '0.4', '--drop-rate', '0.3'];
    const one = await serve(...rates);
    assert.ok(one.lab !== undefined);
    const again = await serve(...rates, '--seed', String(one.lab.seed));
    assert.deepEqual(await again.seen(30), await one.seen(30));
    const other = await serve(...rates);
    assert.notEqual(other.lab?.seed, one.lab.seed);
  });

  it('says on stderr what it does, and on Ctrl-C what it did', async () => {
    const flags = ['--fail-rate', '0.1', '--drop-rate', '0.05', '--rate-limit', '900/s', '--seed', '7'];
    const server = await serve('--latency', '1ms', ...flags);
    await server.seen(60);
    const { code, stderr } = await interrupted(server);
    assert.equal(code, 0);
    assert.match(stderr, /^lab: 1 ms latency, 10 % fail, 5 % dropped, 900 requests a second, seed 7$/m);
    const [, failed] =
      /^lab: 60 requests\n {2}failed {3}(\d+) before the work, \d+ after it$/m.exec(stderr) ?? [];
    assert.ok(Number(failed) > 0, stderr);
    assert.match(stderr, /^ {2}dropped {2}\d+ before the work, \d+ after it\n {2}429 +\d+/m);
  });

  it('takes a range as a latency', async () => {
    const { lab, seen } = await serve('--latency', '1ms..3ms');
    assert.deepEqual(lab?.latencyMs, { min: 1, max: 3 });
    assert.deepEqual(await seen(2), ['200', '200']);
  });

  it('takes a rate limit as 1/s as it does as 1', async () => {
    for (const limit of ['1/s', '1']) {
      const server = await serve('--rate-limit', limit);
      assert.ok((await server.seen(5)).includes('429'), limit);
    }
  });

  it('stands for a server that knows no Idempotency-Key', async () => {
    const server = await serve('--no-idempotency');
    const ids = new Set<number>();
    for (const _ of [1, 2]) {
      const answer = await server.ask('POST', '/jobs', { title: 'Welder' }, { 'idempotency-key': 'one' });
      assert.deepEqual([answer.status, answer.headers.get('idempotency-status')], [201, null]);
      ids.add(((await answer.json()) as { id: number }).id);
    }
    assert.equal(ids.size, 2);
  });

  it('stands for a server that lists no jobs: `jobs list` reads the ones that it made itself', async () => {
    const { url, ask } = await serve('--no-list');
    const listed = await ask('GET', '/jobs');
    assert.equal(listed.status, 405);
    await listed.text();
    const env = { PARTNER_BASE_URL: url, PARTNER_API_KEY: key };
    const file = await home.file('welder.json', { title: 'Welder' });
    const { id } = await home.must<{ id: number }>(['jobs', 'create', file], { env });
    const { items } = await home.must<{ items: { id: number }[] }>('jobs list', { env });
    assert.deepEqual(
      items.map((job) => job.id),
      [id],
    );
  });

  const WRONG: readonly (readonly [flag: string, values: readonly string[]])[] = [
    ['--latency', ['5', '-5ms', '9ms..1ms', '1ms..', '1ms..2ms..3ms', '30d']],
    ['--fail-rate', ['1.1', '-0.1', 'often', '']],
    ['--drop-rate', ['2', 'NaN']],
    ['--rate-limit', ['0/s', '20/m']],
    ['--seed', ['-1', '1.5', '4294967296']],
  ];
  for (const [flag, values] of WRONG) {
    it(`refuses ${flag} as ${values.map((value) => `\`${value}\``).join(', ')}, and names it`, async () => {
      for (const value of values) await refused(flag, `${flag}=${value}`);
    });
  }

  it('refuses rates that are more than all requests together', () =>
    refused('--fail-rate', '--fail-rate', '0.6', '--drop-rate', '0.5'));

  async function refused(named: string, ...flags: string[]): Promise<void> {
    const run = await home.run(['engine', 'serve', '--port', '0', '--json', ...flags]);
    assert.equal(run.code, 2, `${flags}: ${run.stdout}${run.stderr}`);
    const { error } = run.json() as { error: { code: string; message: string } };
    assert.equal(error.code, 'USAGE');
    assert.ok(error.message.includes(named), error.message);
  }
});
