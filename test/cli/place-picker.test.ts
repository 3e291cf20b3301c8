import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../client/real-server.ts';
import { withEngine } from './homes.ts';
import type { Home, Running } from './partner.ts';
import { ENDED, type Terminal, type TerminalOptions, terminals } from './terminal.ts';

const AUSTIN = { locationId: 4671654, city: 'Austin', stateProvince: 'Texas', country: 'United States' };

describe('the place picker at a terminal', () => {
  let home: Home;
  const openTerminal = terminals();
  let engine: Running | undefined;

  beforeEach(async () => {
    home = await withEngine();
  });
  afterEach(async () => {
    engine?.child.kill('SIGINT');
    await engine?.ended;
    engine = undefined;
  });

  /** A window in which a command line has been typed that asks. */
  async function asked(line: string, options: TerminalOptions = {}): Promise<Terminal> {
    const terminal = await openTerminal({ home, columns: 100, ...options });
    await terminal.start(line);
    await terminal.shows(/Which places?(?: is meant)?\?/);
    return terminal;
  }

  it('prints what a listing says of the place, on stdout and nowhere else', async () => {
    const window = await asked('partner locations pick > place.json');
    await window.type('aust');
    await window.shows(/^❯ Austin, Texas, United States · [\d,]+$/m);
    await window.press('Down', 'Down', 'Up', 'Up', 'BSpace');
    await window.type('tin, tx');
    await window.shows(/Which place\? austin, tx\n❯ Austin, Texas/);
    await window.press('Enter');
    assert.match(await window.shows(ENDED), /✔ Which place\? Austin, Texas, United States\n\[exit 0\]/);
    assert.deepEqual(JSON.parse(await readFile(join(home.path, 'place.json'), 'utf8')), AUSTIN);
  });

  it('picks several, with an array for an answer, in 40 columns', async () => {
    const window = await asked('partner locations pick --many > places.json', { columns: 40 });
    await window.type('Austin, TX\r');
    await window.shows(/^❯ that is all \(1 place\)$/m);
    await window.type('san francisco');
    const screen = await window.shows(/^❯ San Francisco, California.*… · [\d,]+$/m);
    assert.deepEqual(
      screen.split('\n').filter((line) => line.length > 40),
      [],
    );
    await window.press('Enter');
    await window.shows(/^❯ that is all \(2 places\)$/m);
    await window.press('Down', 'Enter');
    await window.shows(/^❯ that is all \(1 place\)$/m);
    await window.press('Enter');
    await window.shows(/\[exit 0\]/);
    assert.deepEqual(JSON.parse(await readFile(join(home.path, 'places.json'), 'utf8')), [AUSTIN]);
  });

  it('says that it searches a slow server, loses no key meanwhile, and leaves at once', async () => {
    engine = home.start('engine serve --port 0 --json --latency 2s');
    const { url } = JSON.parse(await engine.shown('stdout', /\n/)) as { url: string };
    const { key } = await home.must<{ key: string }>('engine keys create');
    const env = { PARTNER_API_KEY: key, PARTNER_BASE_URL: url };
    const window = await asked('partner locations pick', { env });
    await window.type('a');
    await window.shows(/Which place\? a\n+searching…/);
    await window.type('ustim');
    await window.press('BSpace', 'Enter');
    await window.type('n, tx');
    await window.shows(/Which place\? austin, tx\n❯ Austin, Texas/);
    await window.type('x');
    await window.shows(/searching…/);
    await window.interrupt();
  });

  it('says why a dead server does not answer, and searches again when more is typed', async () => {
    const port = await freePort();
    const env = { PARTNER_API_KEY: 'sk_ext_1', PARTNER_BASE_URL: `http://127.0.0.1:${port}/v1` };
    const window = await asked('partner locations pick', { env });
    await window.type('austin');
    const refused = /cannot reach 127\.0\.0\.1:\d+: the connection was refused/;
    assert.doesNotMatch(await window.shows(refused), /trying again|retry/);
    engine = home.start(['engine', 'serve', '--port', String(port)]);
    await engine.shown('stdout', /\n/);
    await window.type(', tx');
    await window.shows(/Which place\? austin, tx\n {2}the partner key is unknown/);
    await window.interrupt();
  });

  describe('for a --location that may be several places', () => {
    const line = 'partner jobs create --title Nurse --location springfield';

    it('asks which, and creates the job there', async () => {
      const window = await asked(line);
      await window.shows(/^❯ Springfield, Missouri/m);
      await window.type(', il');
      await window.shows(/^❯ Springfield, Illinois/m);
      await window.press('Enter');
      assert.match(await window.shows(ENDED), /Where +Springfield, Illinois, United States[\s\S]*\[exit 0\]/);
    });

    it('creates nothing on Ctrl-C', async () => {
      await (await asked(line)).interrupt();
      assert.equal(home.storedJobs(), 0);
    });

    it('asks nothing where something else is wrong as well, or nobody can answer', async () => {
      const terminal = await openTerminal({ home, columns: 100 });
      for (const wrong of [`${line} --bid-cents -5`, `${line} --no-input`, `${line} < /dev/null`]) {
        const { screen, code } = await terminal.run(wrong);
        assert.deepEqual([code, /Which place/.test(screen)], [3, false], screen);
        assert.match(screen, /\b4250542\s+Springfield, Illinois/);
      }
    });
  });
});
