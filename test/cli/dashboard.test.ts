import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixture } from '../fixture.ts';
import { withEngine } from './homes.ts';
import type { Running } from './partner.ts';
import { type Terminal, terminals } from './terminal.ts';

describe('partner dashboard', () => {
  const openTerminal = terminals();
  let running: Running | undefined;
  const home = fixture('each test', withEngine);
  afterEach(async () => {
    running?.child.kill('SIGINT');
    await running?.ended;
    running = undefined;
  });

  async function linkOf(line: string): Promise<{ url: string; expiresAt: string }> {
    running = home.start(`${line} --json`);
    return JSON.parse(await running.shown('stdout', /\n/));
  }

  async function signsIn(url: string): Promise<string> {
    const answer = await fetch(url, { redirect: 'manual' });
    assert.equal(answer.status, 303);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await fetch(new URL(answer.headers.get('location') ?? '', url), { headers: { cookie } });
    assert.equal(page.status, 200);
    return page.text();
  }

  it('serves the dashboard, and gives a link that signs in once, until Ctrl-C', async () => {
    const { url, expiresAt } = await linkOf('dashboard');
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/dashboard\/sign-in\?token=[0-9A-Za-z]{43}$/);
    assert.match(expiresAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.match(await signsIn(url), /My company/);
    assert.equal((await fetch(url, { redirect: 'manual' })).status, 403);
    await running?.shown('stderr', /Press Ctrl-C to stop/);
    running?.child.kill('SIGINT');
    const { code, stdout } = (await running?.ended) ?? {};
    assert.deepEqual([code, stdout?.trim().split('\n').length], [0, 1]);
  });

  it('takes the company that is named, and refuses one that there is not', async () => {
    const create = ['engine', 'companies', 'create', 'Other & Sons'];
    const { id } = await home.must<{ id: string }>(create);
    assert.match(await signsIn((await linkOf(`dashboard --company ${id}`)).url), /Other &amp; Sons/);
    const unknown = await home.run('dashboard --company cmp_nobody');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /company cmp_nobody not found/);
  });

  it('gives a link to a server that runs, and ends', async () => {
    running = home.start('engine serve --host 0.0.0.0 --port 0');
    const url = await running.shown('stdout', /\n/);
    const run = await home.run(`dashboard --no-browser --at ${url.trim().replace('0.0.0.0', '127.0.0.1')}`);
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stderr, /the link works once and expires in 10 minutes/);
    await signsIn(run.stdout.trim());
  });

  describe('on a terminal', () => {
    const opened = () => join(home.path, 'opened');

    async function desktop(env: Record<string, string>): Promise<Terminal> {
      const window = await openTerminal({ home, columns: 120, env });
      const browser = join(home.path, 'bin', 'xdg-open');
      await writeFile(browser, `#!/bin/sh\necho "$1" >> '${opened()}'\n`);
      await chmod(browser, 0o755);
      return window;
    }

    it('opens the link in the browser, shows it all the same, and serves until Ctrl-C', async () => {
      const window = await desktop({ DISPLAY: ':7' });
      await window.start('partner dashboard');
      const screen = await window.shows(/Press Ctrl-C to stop/);
      const [url = ''] = /http:\S+/.exec(screen) ?? [];
      assert.match(screen, /Opening it in your browser/);
      await window.press('C-c');
      await window.shows(/\[exit 0\]/);
      assert.equal(await readFile(opened(), 'utf8'), `${url}\n`);
    });

    it('opens none where nobody would see it, and says so', async () => {
      const window = await desktop({ DISPLAY: ':7', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' });
      await window.start('partner dashboard');
      await window.shows(/Open it yourself, because this is an SSH session[\s\S]*Press Ctrl-C to stop/);
      await window.press('C-c');
      assert.equal(existsSync(opened()), false);
    });
  });
});
