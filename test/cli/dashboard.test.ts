import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  });

  it('gives a link to a server that runs, and ends', async () => {
    const { running, said } = await serve();
    const run = await home.run(['dashboard', '--no-browser', '--at', said.url]);
    assert.equal(run.code, 0, run.stderr);
    assert.ok(run.stdout.startsWith(`${new URL(said.url).origin}/dashboard/sign-in?token=`), run.stdout);
    assert.match(run.stderr, /the link signs in once, within 10 minutes/);
    await signsIn(run.stdout.trim());
    assert.match(
      (await interrupted(running)).stderr,
      /the dashboard is on http:\/\/127\.0\.0\.1:\d+\/dashboard/,
    );
  });

  it('takes the company that is named', async () => {
    const { said } = await serve();
    const { id } = await home.must<{ id: string }>(['engine', 'companies', 'create', 'Other & Sons']);
    const { url } = await home.must<Link>(['dashboard', '--company', id, '--at', said.url]);
    assert.match(await signsIn(url), /Other &amp; Sons/);
    const unknown = await home.run(['dashboard', '--company', 'cmp_nobody']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /there is no company cmp_nobody/);
  });

  it('says of a server that is open to other machines what that means', async () => {
    const { running } = await started<{ url: string }>('engine', 'serve', '--host', '0.0.0.0', '--port', '0');
    const said = await running.shown('stderr', /warning: it is open to other machines, over plain http/);
    const [, origin = ''] = /`partner dashboard --at (http:\/\/127\.0\.0\.1:\d+)`/.exec(said) ?? [];
    await signsIn((await home.must<Link>(['dashboard', '--at', origin])).url);
  });

  for (const [words, says] of [
    [['bogus'], /no command `partner dashboard bogus`\n→ `partner help dashboard` lists the commands/],
    [['acept-terms'], /→ did you mean `partner dashboard accept-terms`\?/],
    [['--port', 'x'], /--port takes a whole number/],
    [['--at', 'x'], /--at takes the address of a server, not `x`/],
    [
      ['--at', 'http://127.0.0.1:1', '--port', '2'],
      /`--at` and `--port` exclude each other\n→ leave one of them out/,
    ],
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
