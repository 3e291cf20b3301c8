import assert from 'node:assert/strict';
import { askSecret, askText, confirm } from '../../../src/cli/terminal/ask.ts';
import { partnerError } from '../settings/partner-error.ts';
import { type FakeStreams, fakeStreams, typing } from './fake-streams.ts';

const CURSOR_SHOWN = '\x1b[?25h';

describe('a question', () => {
  let streams: FakeStreams;
  beforeEach(() => {
    streams = fakeStreams({ isTerminal: true });
  });
  afterEach(() => assert.equal(streams.out(), '', 'stdout holds the result alone'));

  it('is confirmed by y, and by nothing less', async () => {
    for (const [keys, answer] of [
      ['y\r', true],
      ['n\r', false],
      ['\r', false],
    ] as const) {
      streams = fakeStreams({ isTerminal: true });
      const asked = confirm(streams, 'Close job 12 permanently?', '--yes');
      await typing(streams, /permanently\?/, keys);
      assert.equal(await asked, answer, JSON.stringify(keys));
    }
  });

  it('for a key shows neither the key nor its length', async () => {
    const asked = askSecret(streams, 'Partner key', '--with-key');
    await typing(streams, /Partner key/, 'sk_ext_abc\r');
    assert.equal(await asked, 'sk_ext_abc');
    assert.doesNotMatch(streams.err(), /sk_ext|abc|\*{2}/);
  });

  it('lets no escape sequence of its text through', async () => {
    const asked = confirm(streams, 'Which\x1b]0;owned\x07 a\x1b[2Jb?', '--x');
    await typing(streams, /ab/, '\r');
    await asked;
    assert.doesNotMatch(streams.err(), /owned|\x1b\[2J/);
  });

  it('that is left with Ctrl-C is an interruption, and the cursor is back', async () => {
    const asked = askSecret(streams, 'Partner key', '--with-key');
    await Promise.all([
      assert.rejects(asked, partnerError('INTERRUPTED')),
      typing(streams, /Partner key/, 'abc\x03'),
    ]);
    assert.ok(streams.err().endsWith(CURSOR_SHOWN), JSON.stringify(streams.err().slice(-20)));
  });

  it('whose input ends is an interruption, and does not wait for ever', async () => {
    for (const end of [() => streams.stdin.write('\x04'), () => streams.stdin.end()]) {
      streams = fakeStreams({ isTerminal: true });
      const asked = confirm(streams, 'Sure?', '--yes');
      const ended = assert.rejects(asked, partnerError('INTERRUPTED'));
      await typing(streams, /Sure/, '');
      end();
      await ended;
    }
  });

  it('can follow another on the same streams', async () => {
    const first = confirm(streams, 'First?', '--yes');
    await typing(streams, /First/, 'y\r');
    assert.equal(await first, true);
    const second = askText(streams, 'Second?', '--name');
    await typing(streams, /Second/, 'b\r');
    assert.equal(await second, 'b');
  });
});

describe('a question that nobody can answer', () => {
  it('is never asked: the error names it and the flag that answers it', async () => {
    const streams = fakeStreams();
    await assert.rejects(
      confirm(streams, 'Close job 12 permanently?', '--yes'),
      partnerError('INPUT_REQUIRED', /Close job 12 permanently\? → pass --yes instead/),
    );
    assert.equal(streams.err(), '');
  });
});
