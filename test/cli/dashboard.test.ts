import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RealServers } from '../client/real-server.ts';
import { withEngine } from './homes.ts';
import type { Home, Run, Running } from './partner.ts';
import { isMissing } from './shell.ts';
import { Terminal } from './terminal.ts';

interface Link {
  readonly url: string;
  readonly expiresAt: string;
}

describe('partner dashboard', () => {
  let home: Home;
  let open: Running[] = [];
  beforeEach(async () => {
    home = await withEngine();
  });
  afterEach(async () => {
    for (const { child, ended } of open) {
      child.kill('SIGINT');
      await ended;
    }
    open = [];
  });

  async function started<T>(...argv: string[]): Promise<{ running: Running; said: T }> {
    const running = home.start([...argv, '--json']);
    open.push(running);
    return { running, said: JSON.parse(await running.shown('stdout', /\n/)) };
  }

  const serve = () => started<{ url: string; port: number }>('engine', 'serve', '--port', '0');

  async function interrupted({ child, ended }: Running): Promise<Run> {
    child.kill('SIGINT');
    return ended;
  }

  const servers = () => join(home.data, 'engine', 'servers');
  const announced = async (): Promise<string[]> => (existsSync(servers()) ? readdir(servers()) : []);

  async function signsIn(url: string): Promise<string> {
    const answer = await fetch(url, { redirect: 'manual' });
    assert.equal(answer.status, 303);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await fetch(new URL(answer.headers.get('location') ?? '', url), { headers: { cookie } });
    assert.equal(page.status, 200);
    return page.text();
  }

  it('serves the dashboard where no server runs, and gives a link that signs in once, until Ctrl-C', async () => {
    const { running, said } = await started<Link>('dashboard');
    assert.match(said.url, /^http:\/\/127\.0\.0\.1:\d+\/dashboard\/sign-in\?token=[0-9A-Za-z]{43}$/);
    assert.match(said.expiresAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.match(await signsIn(said.url), /My company/);
    assert.equal((await fetch(said.url, { redirect: 'manual' })).status, 403);
    await running.shown('stderr', /until Ctrl-C/);
    const { code, stdout } = await interrupted(running);
    assert.equal(code, 0);
    assert.equal(stdout.trim().split('\n').length, 1);
    assert.deepEqual(await announced(), []);
  });

  it('gives a link of the server that runs, and ends', async () => {
    const { running, said } = await serve();
    const [file = ''] = await announced();
    assert.equal((await stat(join(servers(), file))).mode & 0o777, 0o600);
    const run = await home.run(['dashboard', '--no-browser']);
    assert.equal(run.code, 0, run.stderr);
    assert.ok(run.stdout.startsWith(`${new URL(said.url).origin}/dashboard/sign-in?token=`), run.stdout);
    assert.match(run.stderr, /the link signs in once, within 10 minutes/);
    await signsIn(run.stdout.trim());
    assert.match(
      (await interrupted(running)).stderr,
      /the dashboard is on http:\/\/127\.0\.0\.1:\d+\/dashboard/,
    );
    assert.deepEqual(await announced(), []);
  });

  it('takes the company that is named', async () => {
    await serve();
    const { id } = await home.must<{ id: string }>(['engine', 'companies', 'create', 'Other & Sons']);
    const { url } = await home.must<Link>(['dashboard', '--company', id]);
    assert.match(await signsIn(url), /Other &amp; Sons/);
    const unknown = await home.run(['dashboard', '--company', 'cmp_nobody']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /there is no company cmp_nobody/);
  });

  it('finds the later of two servers, or the one on the port that is named', async () => {
    const first = await serve();
    const second = await serve();
    const origin = async (...flags: string[]) =>
      new URL((await home.must<Link>(['dashboard', ...flags])).url).port;
    assert.equal(await origin(), String(second.said.port));
    assert.equal(await origin('--port', String(first.said.port)), String(first.said.port));
    await interrupted(second.running);
    assert.equal(await origin(), String(first.said.port));
  });

  it('does not believe a server that was killed, nor what listens where it was', async () => {
    const { running, said } = await serve();
    const [file = ''] = await announced();
    running.child.kill('SIGKILL');
    await running.ended;
    assert.deepEqual(await announced(), [file]);
    const other = await started<Link>('dashboard');
    assert.notEqual(new URL(other.said.url).port, String(said.port));
    assert.equal((await announced()).includes(file), false, 'what was killed is forgotten');
    const [alive = ''] = await announced();
    const left = JSON.parse(await readFile(join(servers(), alive), 'utf8'));
    await interrupted(other.running);

    const strangers = new RealServers();
    const stranger = await strangers.listen((_, __, response) => response.end('a'.repeat(43)));
    await writeFile(
      join(servers(), file),
      JSON.stringify({ ...left, pid: process.pid, origin: stranger.origin }),
    );
    const again = await started<Link>('dashboard');
    assert.notEqual(new URL(again.said.url).origin, stranger.origin);
    assert.deepEqual(
      stranger.requests.map(({ url = '' }) => url.split('?')[0]),
      ['/.well-known/partner-engine'],
    );
    await strangers.close();
  });

  it('takes rubbish where servers say that they run for nobody', async () => {
    await mkdir(servers(), { recursive: true });
    for (const [name, content] of [
      ['1-1.json', 'rubbish'],
      ['2-2.json', '{"pid": "x", "origin": 7}'],
      ['3-3.json', 'null'],
      ['4-4.json', JSON.stringify({ pid: process.pid, origin: 'https://attacker.example', secret: '' })],
      ['5-5.json', JSON.stringify({ pid: process.pid, origin: 'http://127.0.0.1:9', secret: '' })],
    ] as const) {
      await writeFile(join(servers(), name), content);
    }
    const { said } = await started<Link>('dashboard');
    await signsIn(said.url);
  });

  it('says of a server that is open to other machines what that means', async () => {
    const { running } = await started<{ url: string }>('engine', 'serve', '--host', '0.0.0.0', '--port', '0');
    await running.shown('stderr', /warning: it is open to other machines, over plain http/);
    const { url } = await home.must<Link>(['dashboard']);
    assert.match(url, /^http:\/\/127\.0\.0\.1:/);
    await signsIn(url);
  });

  for (const [words, says] of [
    [['bogus'], /no command `partner dashboard bogus`\n→ `partner help dashboard` lists the commands/],
    [['acept-terms'], /→ did you mean `partner dashboard accept-terms`\?/],
    [['--port', 'x'], /--port takes a whole number/],
  ] as const) {
    it(`takes nothing that it does not know: \`partner dashboard ${words.join(' ')}\``, async () => {
      const { code, stdout, stderr } = await home.run(['dashboard', ...words]);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, says);
    });
  }

  describe('on a terminal', () => {
    let terminal: Terminal | undefined;
    before(function () {
      if (isMissing('tmux', 'bash')) this.skip();
    });
    afterEach(async () => {
      await terminal?.close();
      terminal = undefined;
    });

    /** A window on a desktop whose browser writes down what it is to open. */
    async function desktop(env: Record<string, string>): Promise<Terminal> {
      terminal = await Terminal.open({ home, columns: 120, env });
      const browser = join(home.path, 'bin', 'xdg-open');
      await writeFile(browser, `#!/bin/sh\necho "$1" >> '${opened()}'\n`);
      await chmod(browser, 0o755);
      return terminal;
    }

    const opened = () => join(home.path, 'opened');

    it('opens the link in the browser, shows it all the same, and serves until Ctrl-C', async () => {
      const window = await desktop({ DISPLAY: ':7' });
      await window.enter('partner dashboard; echo "[exit $?]"');
      const screen = await window.shows(/until Ctrl-C/);
      const [url = ''] = /http:\S+/.exec(screen) ?? [];
      assert.match(screen, /it opens in your browser/);
      await window.press('C-c');
      await window.shows(/\[exit 0\]/);
      assert.equal(await readFile(opened(), 'utf8'), `${url}\n`);
    });

    it('opens none where nobody would see it, and says so', async () => {
      const window = await desktop({ DISPLAY: ':7', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' });
      await window.enter('partner dashboard');
      await window.shows(/open it yourself, as this is another machine than yours \(SSH\)\n.*until Ctrl-C/);
      await window.press('C-c');
      assert.equal(existsSync(opened()), false);
    });
  });
});
