import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { realServers } from '../client/real-server.ts';
import { withLiveJob } from './homes.ts';
import lines from './narrow-lines.json' with { type: 'json' };
import { type Home, newHome } from './partner.ts';
import { answering, KEY } from './servers.ts';
import { ENDED, terminals } from './terminal.ts';
import unanswerable from './unanswerable.json' with { type: 'json' };

describe('at a terminal', () => {
  const servers = realServers('each test');
  const open = terminals();

  async function stateOf(home: Home): Promise<string> {
    return (await home.must<{ status: string }>('jobs get 1')).status;
  }

  describe('somebody who runs it for the first time', () => {
    it('is shown what there is and where to begin', async () => {
      const { screen, code } = await (await open({ columns: 100 })).run('partner');
      assert.equal(code, 0);
      assert.match(screen, /FIRST STEPS\n {2}partner jobs create --title "Night nurse"/);
    });

    it('is told until something is stored who answers and how to reach a server, and sees an empty list as such', async () => {
      const window = await open();
      const { screen } = await window.run('partner jobs list');
      const answers = 'No server is set up. Using the bundled engine, a service on this machine.';
      const next = '→ log in to a real server with `partner auth login`';
      assert.equal(screen, `${answers}\n${next}\nNo jobs.\n[exit 0]\n$`);
      await window.run('partner engine companies create Acme');
      assert.equal((await window.run('partner jobs list')).screen, 'No jobs.\n[exit 0]\n$');
    });

    it('is not told it where only results are wanted, stderr goes elsewhere, or something is set up', async () => {
      for (const line of ['jobs list --quiet', 'jobs list --json', 'jobs list 2> errors; cat errors'])
        assert.doesNotMatch((await (await open()).run(`partner ${line}`)).screen, /No server/, line);
      const home = await newHome();
      await home.file('config/config.json', { profiles: {} });
      assert.equal((await (await open({ home })).run('partner jobs list')).screen, 'No jobs.\n[exit 0]\n$');
    });
  });

  it('a list is a table with a heading and a coloured state, without colour under NO_COLOR or TERM=dumb', async () => {
    const window = await open({ home: await withLiveJob() });
    const { screen } = await window.run('partner jobs list');
    assert.match(screen, /^ID {2}STATUS {2}TITLE/);
    assert.match(screen, /^1 {3}ACTIVE {2}Journeyman electric… {2}in 30 days/m);
    assert.match(await window.coloured(), /\x1b\[32mACTIVE\x1b/);
    for (const variable of ['NO_COLOR=1', 'TERM=dumb']) {
      await window.run(`${variable} partner jobs list; ${variable} partner jobs get 9`);
      assert.match(await window.screen(), /error: job 9 not found/);
      assert.doesNotMatch(await window.coloured(), /\x1b\[/);
    }
  });

  describe('40 columns', () => {
    it('break no line that could be broken between words, whatever is shown', async () => {
      const home = await withLiveJob();
      await home.file('wrong.json', { titel: 'Nurse', jobType: 'full', locations: ['springfield'] });
      const shown = async (line: string) => {
        const { stdout, stderr } = await home.run(line.split(' ').slice(1), { columns: 40 });
        return stripVTControlCharacters(stdout + stderr);
      };
      for (const line of lines) {
        const broken = (await shown(line)).split('\n').filter((part) => part.length > 40);
        // URLs, paths and commands are never wrapped, so that users can copy them.
        const actual = broken.filter((part) => !/\S{21,}|^ *(?:\$ )?partner /.test(part));
        assert.deepEqual(actual, [], line);
      }
      const window = await open({ home, columns: 40 });
      const { screen } = await window.run('partner jobs get 1');
      assert.equal(screen.replace(/\n\[exit 0\]\n\$$/, ''), (await shown('partner jobs get 1')).trimEnd());
    });
  });

  it('a guide that is longer than the screen waits in a pager', async () => {
    const window = await open({ home: await newHome(), rows: 20, env: { PAGER: 'more' } });
    await window.start('partner help exit-codes');
    await window.shows(/--More--/);
    await window.press('q');
    assert.match(await window.shows(ENDED), /\[exit 0\]/);
  });

  describe('`jobs close` asks first', () => {
    const QUESTION = /Close job 1 "Journeyman electrician" \(ACTIVE\) permanently\? \(y\/N\)/;

    it('and closes on y alone: n and Enter change nothing', async () => {
      const home = await withLiveJob();
      const window = await open({ home });
      for (const keys of [['n', 'Enter'], ['Enter']]) {
        await window.start('partner jobs close 1');
        await window.shows(QUESTION);
        await window.press(...keys);
        const expected = /^error: canceled\. Nothing was changed\n(?:.*\n)*\[exit 130\]/m;
        assert.match(await window.shows(ENDED), expected);
        assert.equal(await stateOf(home), 'ACTIVE');
      }
      await window.start('partner jobs close 1');
      await window.shows(QUESTION);
      await window.press('y', 'Enter');
      assert.match(await window.shows(ENDED), /^✓ Closed 1 Journeyman electrician · now CLOSED\n\[exit 0\]/m);
      assert.equal(await stateOf(home), 'CLOSED');
    });

    it('and on Ctrl-C ends with exit 130, nothing changed and the terminal as it was', async () => {
      const home = await withLiveJob();
      const window = await open({ home });
      await window.start('partner jobs close 1');
      await window.shows(QUESTION);
      await window.interrupt();
      assert.equal(await stateOf(home), 'ACTIVE');
    });

    it('and waits for its answer after Ctrl-Z and `fg`', async () => {
      const home = await withLiveJob();
      const window = await open({ home });
      await window.enter('clear; partner jobs close 1');
      await window.shows(QUESTION);
      await window.press('C-z');
      await window.shows(/Stopped/);
      await window.enter('fg');
      await window.shows(/partner jobs close 1[\s\S]*permanently\?/);
      await window.press('y', 'Enter');
      await window.shows(/^✓ Closed 1/m);
      assert.equal(await stateOf(home), 'CLOSED');
    });

    it('but never where nobody can answer: exit 2, and what answers it', async () => {
      const home = await withLiveJob();
      const window = await open({ home });
      for (const line of unanswerable.lines) {
        const { screen, code } = await window.run(line);
        assert.equal(code, 2, line);
        assert.match(screen, /pass --yes instead/, line);
      }
      assert.equal(await stateOf(home), 'ACTIVE');
    });
  });

  describe('`auth login`', () => {
    it('asks for the address and the key, and never shows the key', async () => {
      const home = await newHome();
      const url = `${(await servers.listen(answering(200, { items: [] }))).origin}/v1`;
      const window = await open({ home, columns: 100 });
      await window.start('partner auth login acme');
      await window.shows(/Base URL, including the version:/);
      await window.type(url);
      await window.press('Enter');
      await window.shows(/Partner key:/);
      await window.type(KEY);
      assert.doesNotMatch(await window.screen(), /sk_ext|\*{3}/);
      await window.press('Enter');
      const screen = await window.shows(ENDED);
      assert.ok(
        screen.includes(`Logged in to ${url} as profile acme, which is now the current profile\n`),
        screen,
      );
      assert.match(screen, /\[exit 0\]/);
      assert.doesNotMatch(screen, /4c1d9f3c2ab7e8d6/);
      assert.match((await window.run('partner auth status')).screen, /Key +sk_ext_…e8d6 \(profile/);
    });

    it('keeps nothing where the server refuses the key', async () => {
      const error = { code: 'INVALID_SERVICE_KEY', message: 'so the server says' };
      const { origin } = await servers.listen(answering(401, { error }));
      const window = await open({ columns: 100 });
      await window.start(`partner auth login acme --base-url ${origin}/v1`);
      await window.shows(/Partner key:/);
      await window.type(KEY);
      await window.press('Enter');
      assert.match(await window.shows(ENDED), /error: so the server says\n[\s\S]*\[exit 4\]/);
      assert.match((await window.run('partner auth list')).screen, /No profiles/);
    });

    it('on Ctrl-C at the hidden question leaves the terminal as it was', async () => {
      const window = await open();
      await window.start('partner auth login --base-url https://api.example.com/v1');
      await window.shows(/Partner key:/);
      await window.type('sk_ext_');
      await window.interrupt();
    });
  });

  it('Ctrl-C ends a call to a slow server with exit 130 and the terminal as it was', async () => {
    let arrive: () => void = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { origin } = await servers.listen(() => arrive());
    const window = await open({ env: { PARTNER_API_KEY: KEY } });
    await window.start(`partner jobs list --base-url ${origin}/v1`);
    await arrived;
    assert.equal(await window.interrupt(), '^C\nerror: interrupted\n[exit 130]\n$');
  });
});
