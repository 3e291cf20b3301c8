import assert from 'node:assert/strict';
import { withEngine } from './homes.ts';
import { terminals } from './terminal.ts';

const ENDED = /^\[exit \d+\]/m;

describe('accepting the employer terms', () => {
  const openTerminal = terminals();

  for (const columns of [40, 80]) {
    it(`shows their text and asks, on a terminal of ${columns} columns; a no changes nothing`, async () => {
      const home = await withEngine();
      const window = await openTerminal({ home, columns, rows: 60 });
      const accepted = async (): Promise<boolean> => {
        const { terms } = await home.must<{ terms: { accepted: boolean } }>('dashboard status');
        return terms.accepted;
      };
      for (const [answer, code] of [
        ['n', 130],
        ['y', 0],
      ] as const) {
        await window.enter(`clear; partner dashboard accept-terms; echo "[exit $?]"`);
        assert.match(await window.shows(/Accept these terms for My\s+company\?/), /^Version .*\n\n\s+\S/m);
        await window.type(answer);
        await window.press('Enter');
        assert.match(await window.shows(ENDED), new RegExp(`^\\[exit ${code}\\]`, 'm'));
        assert.equal(await accepted(), code === 0);
      }
      const again = await window.run('partner dashboard accept-terms');
      assert.deepEqual([again.code, again.screen.includes('Accept these terms')], [0, false]);
    });
  }

  it('asks nothing with --yes, --no-input and without a terminal: scripts run as they did', async () => {
    const window = await openTerminal({ home: await withEngine() });
    for (const flag of ['--yes', '--no-input']) {
      const { screen, code } = await window.run(`partner dashboard accept-terms ${flag}`);
      assert.equal(code, 0);
      assert.doesNotMatch(screen, /Accept these terms/);
    }
    assert.equal((await (await withEngine()).run('dashboard accept-terms')).code, 0);
  });
});
