import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, renameSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fixture } from '../fixture.ts';
import shownMetrics from './metrics.json' with { type: 'json' };
import { BINARY, newHome } from './partner.ts';
import { logLines, type ServedEngine, serveEngine } from './servers.ts';

describe('engine serve for an operator', () => {
  let server: ServedEngine | undefined;
  const home = fixture('all tests', newHome);
  afterEach(async () => {
    server?.running.child.kill('SIGKILL');
    await server?.running.ended;
  });

  async function serve(flags: string, env: Record<string, string> = {}): Promise<ServedEngine> {
    server = await serveEngine(home, flags, { env });
    return server;
  }

  function ask({ url, env }: ServedEngine, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${env.PARTNER_API_KEY}`, ...init.headers };
    return fetch(new URL(path, url), { redirect: 'manual', ...init, headers });
  }

  async function statuses(served: ServedEngine, ...paths: string[]): Promise<number[]> {
    const told = [];
    for (const path of paths) told.push((await ask(served, path)).status);
    return told;
  }

  it('is set up by its environment alone, where a flag wins', async () => {
    const variables = { HOST: '127.0.0.2', PORT: '0', RATE_LIMIT: '1', LOG_LEVEL: 'silent' };
    const env = Object.entries(variables).map(([name, value]) => [`PARTNER_ENGINE_${name}`, value]);
    const served = await serve('--host 127.0.0.1', Object.fromEntries(env));
    assert.equal(new URL(served.url).hostname, '127.0.0.1');
    const told = await Promise.all([1, 2, 3].map(() => statuses(served, '/v1/jobs')));
    assert.ok(told.flat().includes(429), `${told}`);
    assert.equal(await served.stop(), '');
  });

  it('logs a line a request, under the id of its answer, and no secret wherever it was sent', async () => {
    const served = await serve('--port 0');
    const key = served.env.PARTNER_API_KEY;
    const { url: link } = await home.must<{ url: string }>(`dashboard --at ${served.url}`);
    const token = new URL(link).searchParams.get('token') ?? '';
    const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    const answers = [
      await ask(served, `/v1/jobs?limit=1&key=${key}`),
      await ask(served, `/v1/jobs/${key}`),
      await ask(served, `/v1/jobs/${encoded}%zz`),
      await ask(served, `/v1/jobs/${encoded}`),
      await ask(served, `/${key}`, { headers: { cookie: `session=${key}`, 'x-request-id': key } }),
      await ask(served, '/v1/jobs', { method: 'POST', body: JSON.stringify({ title: key }) }),
      await ask(served, '/v1/jobs', { headers: { authorization: `Basic ${key}`, 'user-agent': key } }),
      await fetch(link, { redirect: 'manual' }),
    ];
    const session = /=([^;]+)/.exec(answers.at(-1)?.headers.get('set-cookie') ?? '')?.[1] ?? '';
    const log = await served.stop();
    for (const secret of [key, key.slice(7), encoded, token, session])
      assert.ok(secret !== '' && !log.includes(secret), `${secret} in ${log}`);
    const requests = logLines(log).filter(({ msg }) => msg === 'request');
    assert.deepEqual(
      requests.map(({ status }) => status),
      answers.map(({ status }) => status),
    );
    const { requestId, time, durationMs, keyId, companyId, ...first } = requests[0] ?? {};
    assert.equal(requestId, answers[0]?.headers.get('x-request-id'));
    assert.ok(Date.parse(String(time)) > 0 && Number(durationMs) > 0 && keyId && companyId);
    const [method, path, operation] = ['GET', '/v1/jobs', 'listJobs'];
    const rest = { operation, status: 200, remoteAddress: '127.0.0.1', level: 'info', msg: 'request' };
    assert.deepEqual(first, { method, path, ...rest });
  });

  it('says that the database is lost and why, answers 503, and says that it is back', async () => {
    const served = await serve('--port 0');
    const away = `${home.data}-away`;
    renameSync(home.data, away);
    const lost = await ask(served, '/v1/jobs');
    assert.deepEqual([lost.status, lost.headers.get('retry-after')], [503, '5']);
    assert.deepEqual(await statuses(served, '/readyz', '/healthz'), [503, 200]);
    renameSync(away, home.data);
    assert.deepEqual(await statuses(served, '/readyz', '/v1/jobs'), [200, 200]);
    const lines = logLines(await served.stop()).filter(({ path }) => path !== '/healthz');
    assert.deepEqual(
      lines.map(({ msg, level, status = '' }) => `${msg} ${level} ${status}`.trim()),
      [
        ...['listening info', 'database lost error', 'request warn 503', 'request warn 503'],
        ...['database back info', 'request info 200', 'stopping info', 'stopped info'],
      ],
    );
    assert.match(String(lines[2]?.error), /partner\.db/);
    assert.equal(lines[2]?.requestId, lost.headers.get('x-request-id'));
  });

  it('logs a bug with its stack, under the id of the 500 that the caller has', async () => {
    const served = await serve('--port 0');
    const draft = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    const { id } = (await (await ask(served, '/v1/jobs', draft)).json()) as { id: number };
    home.changeStored('update jobs set locations = ?', '{');
    const failed = await ask(served, `/v1/jobs/${id}/publish`, { method: 'POST' });
    assert.equal(failed.status, 500);
    const { error, level, requestId } =
      logLines(await served.stop()).find(({ status }) => status === 500) ?? {};
    assert.deepEqual([level, requestId], ['error', failed.headers.get('x-request-id')]);
    assert.match(String(error), /SyntaxError.*\n {4}at /);
    assert.doesNotMatch(await failed.text(), /SyntaxError/);
  });

  for (const [what, open, then] of [
    ['a full disk', () => openSync('/dev/full', 'w'), () => {}],
    ['a reader that has gone', () => 'pipe', (child) => child.stderr?.destroy()],
    ['a reader that has stopped', () => 'pipe', () => {}],
  ] as readonly [string, () => number | 'pipe', (child: ChildProcess) => void][])
    it(`serves on, and ends, where its log goes to ${what}`, async () => {
      const stderr = open();
      const child = spawn(process.execPath, [BINARY, 'engine', 'serve', '--port', '0'], {
        env: home.environment(),
        stdio: ['ignore', 'pipe', stderr],
      });
      if (stderr !== 'pipe') closeSync(stderr);
      then(child);
      const [url] = await once(child.stdout?.setEncoding('utf8') ?? child, 'data');
      const long = `${url.trim()}/${'x'.repeat(8_000)}`;
      // More output than a pipe's buffer holds.
      for (let n = 0; n < 100; n++) assert.equal((await fetch(long)).status, 401);
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    });

  it('shows Prometheus what it does, on a port of its own and nowhere else, and answers what is in flight at the end', async () => {
    const served = await serve('--port 0 --metrics-port 0 --latency 200ms');
    const { metricsUrl } = JSON.parse(await served.running.shown('stdout', /\n/));
    const metrics = async () => (await fetch(metricsUrl)).text();
    await Promise.all(['/v1/jobs', '/v1/jobs', '/v1/jobs/7', '/nowhere'].map((path) => ask(served, path)));
    const shown = await metrics();
    for (const line of shownMetrics.lines) assert.match(shown, new RegExp(line, 'm'));
    const elsewhere = [ask(served, '/metrics'), fetch(new URL('/v1/jobs', metricsUrl))];
    for (const { status } of await Promise.all(elsewhere)) assert.equal(status, 404);
    assert.equal((await fetch(metricsUrl, { method: 'POST' })).status, 404);
    const slow = ask(served, '/v1/jobs');
    while (!/^partner_http_requests_in_flight 1$/m.test(await metrics()));
    server?.running.child.kill('SIGTERM');
    assert.equal((await slow).status, 200);
    const { code, stderr } = await served.running.ended;
    assert.equal(code, 0, stderr);
  });

  for (const second of ['SIGTERM', 'SIGINT'] as const)
    it(`serves on and is not ready for the delay after SIGTERM, until a second signal, ${second}`, async () => {
      const served = await serve('--port 0 --stop-delay 1h');
      assert.equal((await ask(served, '/readyz')).status, 200);
      server?.running.child.kill('SIGTERM');
      while ((await ask(served, '/readyz')).status !== 503);
      // `Connection: close` makes proxies give up their open connections and notice that the server is stopping.
      assert.equal((await ask(served, '/healthz')).headers.get('connection'), 'close');
      assert.deepEqual(await statuses(served, '/healthz', '/v1/jobs'), [200, 200]);
      server?.running.child.kill(second);
      assert.equal((await served.running.ended).signal, second);
    });

  it('cuts a request off that is not sent within the time for the end', async () => {
    const served = await serve('--port 0 --stop-timeout 50ms');
    const { port } = new URL(served.url);
    const socket = connect(Number(port), '127.0.0.1');
    const whole = text(socket).catch(() => '');
    socket.write('POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n');
    socket.write(
      `Authorization: Bearer ${served.env.PARTNER_API_KEY}\r\nContent-Type: application/json\r\n\r\n`,
    );
    await once(socket, 'readable');
    server?.running.child.kill('SIGTERM');
    const { code, stderr } = await served.running.ended;
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(await whole, /HTTP\/1.1 20[01]/);
    assert.equal(logLines(stderr).find(({ msg }) => msg === 'request')?.status, 0);
  });

  it('believes a trusted proxy, in the log and over https in the cookie, and says what is open where others can reach it', async () => {
    const served = await serve(
      '--port 0 --host 0.0.0.0 --metrics-port 0 --trust-proxy 10.0.0.0/8 --trust-proxy 127.0.0.1',
    );
    assert.match(served.url, /0\.0\.0\.0/);
    const { url } = await home.must<{ url: string }>(`dashboard --at ${served.url}`);
    const signedIn = await fetch(url, {
      headers: {
        'x-forwarded-for': '203.0.113.9, 192.0.2.7',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'jobs.example',
      },
      redirect: 'manual',
    });
    assert.match(signedIn.headers.get('set-cookie') ?? '', /; Secure$/);
    const log = logLines(await served.stop());
    assert.equal(log.find(({ path }) => path === '/dashboard/sign-in')?.remoteAddress, '192.0.2.7');
    const warned = log.find(({ level }) => level === 'warn') ?? {};
    assert.match(String(warned.msg), /other machines can reach the server over plain HTTP/);
    const open = Object.keys(warned).join();
    for (const path of ['/v1', '/candidate/v1', '/dashboard', '/healthz and /readyz', '/metrics'])
      assert.ok(open.includes(path), path);
  });
});
