import assert from 'node:assert/strict';
import { withEngine } from './homes.ts';
import { ENDED, terminals } from './terminal.ts';

describe('accepting the employer terms', () => {
  const openTerminal = terminals();

  it('shows their text and asks; a no changes nothing', async () => {
    const home = await withEngine();
    const window = await openTerminal({ home, columns: 40, rows: 60 });
    for (const [answer, code] of [
      ['n', 130],
      ['y', 0],
    ] as const) {
      await window.start('partner dashboard accept-terms');
      assert.match(await window.shows(/Accept these terms for My\s+company\?/), /^Version .*\n\n\s+\S/m);
      await window.type(answer);
      await window.press('Enter');
      assert.match(await window.shows(ENDED), new RegExp(`^\\[exit ${code}\\]`, 'm'));
      const { terms } = await home.must<{ terms: { accepted: boolean } }>('dashboard status');
      assert.equal(terms.accepted, code === 0);
    }
    const again = await window.run('partner dashboard accept-terms');
    assert.deepEqual([again.code, again.screen.includes('Accept these terms')], [0, false]);
  });

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
