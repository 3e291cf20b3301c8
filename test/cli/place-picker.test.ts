import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixture } from '../fixture.ts';
import { withEngine } from './homes.ts';
import { ENDED, type Terminal, type TerminalOptions, terminals } from './terminal.ts';

const AUSTIN = { locationId: 5016884, city: 'Austin', stateProvince: 'Minnesota', country: 'United States' };

describe('the place picker at a terminal', () => {
  const openTerminal = terminals();

  const home = fixture('each test', withEngine);

  async function asked(line: string, options: TerminalOptions = {}): Promise<Terminal> {
    const terminal = await openTerminal({ home, columns: 100, ...options });
    await terminal.start(line);
    await terminal.shows(/Which place(?:s| do you mean)?\?/);
    return terminal;
  }

  it('prints what a listing says of the place, on stdout and nowhere else', async () => {
    const window = await asked('partner locations pick > place.json');
    await window.type('aust');
    await window.shows(/^❯ Austin, Texas, United States · [\d,]+$/m);
    await window.press('Down', 'Down', 'Up', 'Up', 'BSpace');
    await window.type('tin, mn');
    await window.shows(/Which place\? austin, mn\n❯ Austin, Minnesota/);
    await window.press('Enter');
    assert.match(await window.shows(ENDED), /✔ Which place\? Austin, Minnesota, United States\n\[exit 0\]/);
    assert.deepEqual(JSON.parse(await readFile(join(home.path, 'place.json'), 'utf8')), AUSTIN);
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
