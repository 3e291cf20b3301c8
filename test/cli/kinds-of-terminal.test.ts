import assert from 'node:assert/strict';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { prepared, withEngine, withLiveJob } from './homes.ts';
import type { Home } from './partner.ts';
import { type Terminal, type TerminalOptions, terminals } from './terminal.ts';

const TITLE = 'Enfermería de noche · unidad de cuidados intensivos, hospital universitario';

/** A live job whose JSON is far larger than a pipe holds. */
const withLongJob = prepared(withLiveJob, async (home) => {
  const description = 'Weld and fit pipes on site. '.repeat(3_000);
  await home.must(['jobs', 'create', await home.file('long.json', { ...COMPLETE_LISTING, description })]);
});

/** One draft whose title is long, and not in ASCII. */
const withAccents = prepared(withEngine, async (home) => {
  await home.must(['jobs', 'create', '--title', TITLE]);
});

describe('at a terminal of another kind', () => {
  const openTerminal = terminals();

  const open = (home: Home, options: Omit<TerminalOptions, 'home'> = {}): Promise<Terminal> =>
    openTerminal({ home, ...options });

  describe('colour', () => {
    it('is in a pipe under FORCE_COLOR=1, and nowhere under FORCE_COLOR=0', async () => {
      const window = await open(await withLiveJob());
      await window.run('FORCE_COLOR=1 partner jobs get 1 | cat');
      assert.match(await window.coloured(), /\x1b\[32mACTIVE/);
      await window.run('FORCE_COLOR=0 partner jobs list; FORCE_COLOR=0 partner jobs get 9');
      assert.match(await window.screen(), /error: there is no job 9/);
      assert.doesNotMatch(await window.coloured(), /\x1b\[/);
    });
  });

  describe('stdout', () => {
    it('may be read to its first line only: no word on stderr, and each part of the pipe has succeeded', async () => {
      const window = await open(await withLongJob());
      for (const line of ['partner jobs list --json', 'partner jobs get 3', 'partner jobs export 3']) {
        const { screen } = await window.run(
          `${line} | head -n 1 > first; echo "\${PIPESTATUS[@]}"; wc -l < first`,
        );
        assert.equal(screen, '0 0\n1\n[exit 0]\n$', line);
      }
    });

    it('may be closed: nothing is shown, and the exit code is the same', async () => {
      const window = await open(await withLiveJob());
      assert.equal((await window.run('partner jobs list >&-')).screen, '[exit 0]\n$');
      const missing = await window.run('partner jobs get 9 >&-');
      assert.match(missing.screen, /^error: there is no job 9/);
      assert.equal(missing.code, 7);
      assert.equal((await window.run('partner jobs get 9 >&- 2>&-')).screen, '[exit 7]\n$');
      assert.equal((await window.run('partner jobs get 9 --json 2>&- > /dev/null')).code, 7);
    });
  });

  describe('a locale without UTF-8', () => {
    const NOT_ASCII = /[^\n -~]/;

    for (const LC_ALL of ['C', 'en_US.ISO-8859-1']) {
      it(`has ASCII alone on the screen, in line: LC_ALL=${LC_ALL}`, async () => {
        const window = await open(await withAccents(), { env: { LC_ALL } });
        for (const line of [
          'partner jobs list',
          'partner jobs get 1',
          'partner jobs get 1 --json',
          'partner jobs publish 1',
          'partner help lifecycle',
          'partner doctor',
        ]) {
          const { screen } = await window.run(line);
          assert.doesNotMatch(screen, NOT_ASCII, line);
        }
        const { screen } = await window.run('partner jobs list');
        assert.match(screen, /^1 {3}DRAFT {3}Enfermeria de noche - unidad de cui~$/m);
      });
    }

    it('has them in a question too', async () => {
      const window = await open(await withLiveJob(), { env: { LC_ALL: 'C' } });
      await window.enter('clear; partner jobs close 1');
      await window.shows(/for good\? \(y\/N\)/);
      await window.press('y', 'Enter');
      assert.doesNotMatch(
        await window.shows(/^\+ Closed 1 Journeyman electrician - now CLOSED$/m),
        NOT_ASCII,
      );
    });

    it('loses nothing in JSON, and nothing in a pipe', async () => {
      const window = await open(await withAccents(), { env: { LC_ALL: 'C' }, columns: 200 });
      const { screen } = await window.run('partner jobs get 1 --json | grep title');
      assert.ok(screen.includes(TITLE), screen);
      assert.ok((await window.run('partner jobs list | cat')).screen.includes(TITLE));
      const { screen: shown } = await window.run('partner jobs export 1');
      const { title } = JSON.parse(shown.slice(0, shown.indexOf('[exit')).replaceAll('\n', '')) as {
        title: string;
      };
      assert.equal(title, TITLE);
    });
  });

  describe('200 columns', () => {
    it('shows a list whole, and running text no wider than it can be read', async () => {
      const window = await open(await withLongJob(), { columns: 200, rows: 60 });
      const { screen } = await window.run('partner jobs list --status ACTIVE');
      assert.match(screen, /^1 +ACTIVE +Journeyman electrician +Austin, Texas, United States +\$/m);
      assert.ok(!screen.includes('…'));
      const lines = (await window.run('partner jobs get 3; partner help lifecycle')).screen.split('\n');
      assert.deepEqual(
        lines.filter((line) => line.length > 102),
        [],
      );
    });
  });
});
