import assert from 'node:assert/strict';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { prepared, withLiveJob } from './homes.ts';
import { terminals } from './terminal.ts';

/** The JSON must be larger than a pipe's buffer. */
const withLongJob = prepared(withLiveJob, async (home) => {
  const description = 'Weld and fit pipes on site. '.repeat(3_000);
  await home.must(['jobs', 'create', await home.file('long.json', { ...COMPLETE_LISTING, description })]);
});

describe('in a shell', () => {
  const open = terminals();

  it('stdout may be read to its first line only: no word on stderr, and each part of the pipe has succeeded', async () => {
    const window = await open({ home: await withLongJob() });
    for (const line of ['partner jobs list --json', 'partner jobs get 3', 'partner jobs export 3']) {
      const { screen } = await window.run(
        `${line} | head -n 1 > first; echo "\${PIPESTATUS[@]}"; wc -l < first`,
      );
      assert.equal(screen, '0 0\n1\n[exit 0]\n$', line);
    }
  });

  it('stdout may be closed: nothing is shown, and the exit code is the same', async () => {
    const window = await open({ home: await withLiveJob() });
    assert.equal((await window.run('partner jobs list >&-')).screen, '[exit 0]\n$');
    const missing = await window.run('partner jobs get 9 >&-');
    assert.match(missing.screen, /^error: job 9 not found/);
    assert.equal(missing.code, 7);
    assert.equal((await window.run('partner jobs get 9 >&- 2>&-')).screen, '[exit 7]\n$');
    assert.equal((await window.run('partner jobs get 9 --json 2>&- > /dev/null')).code, 7);
  });
});
