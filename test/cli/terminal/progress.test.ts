import assert from 'node:assert/strict';
import { once } from 'node:events';
import { showProgress } from '../../../src/cli/terminal/progress.ts';
import { applyStreamFlags } from '../../../src/cli/terminal/streams.ts';
import { fakeStreams } from './fake-streams.ts';

describe('progress', () => {
  it('is a spinner on stderr with the text as it is now, and gives the cursor back', async () => {
    const streams = fakeStreams({ isTerminal: true });
    const progress = showProgress(streams, 'Creating\x1b[2J', 0);
    while (!streams.err().includes('Creating')) await once(streams.stderr, 'data');
    progress.say('Publishing');
    while (!streams.err().includes('Publishing')) await once(streams.stderr, 'data');
    progress.stop();
    assert.equal(streams.out(), '');
    assert.doesNotMatch(streams.err(), /\x1b\[2J|\x1b\[3\dm/);
    assert.ok(streams.err().endsWith('\x1b[?25h'));
  });

  it('is silent in a pipe, under --json and under --quiet', async () => {
    const terminal = fakeStreams({ isTerminal: true });
    for (const streams of [
      fakeStreams(),
      applyStreamFlags(terminal, { json: true }),
      applyStreamFlags(terminal, { quiet: true }),
    ]) {
      const progress = showProgress(streams, 'Creating', 0);
      await new Promise((resolve) => setTimeout(resolve, 0));
      progress.say('Publishing');
      progress.stop();
    }
    assert.equal(terminal.err(), '');
  });

  it('leaves no trace of what is done at once', async () => {
    const streams = fakeStreams({ isTerminal: true });
    showProgress(streams, 'Creating', 0).stop();
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(streams.err(), '');
  });
});
