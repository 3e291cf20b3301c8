import assert from 'node:assert/strict';
import type { ApplyProgress } from '../../src/bulk/apply/execute.ts';
import { applyStreamFlags, type Streams } from '../../src/cli/terminal/streams.ts';
import { getWidth } from '../../src/cli/terminal/width.ts';
import { showApplyProgress } from '../../src/reports/progress.ts';
import { fakeStreams } from '../cli/terminal/fake-streams.ts';

/** Shows a progress with a fake clock. */
function shown(streams: Streams, isQuiet = false) {
  let now = 1000;
  let tick: (() => void) | undefined;
  let tickEveryMs = 0;
  const progress = showApplyProgress(streams, {
    monotonicNow: () => now,
    isQuiet,
    ticker: (everyMs, onTick) => {
      tickEveryMs = everyMs;
      tick = onTick;
      return () => {
        tick = undefined;
      };
    },
  });
  return {
    progress,
    everyMs: () => tickEveryMs,
    async tick(): Promise<void> {
      tick?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
    async at(nextMs: number, counts: Partial<ApplyProgress>, pausedUntilMs?: number): Promise<void> {
      now = 1000 + nextMs;
      if (pausedUntilMs !== undefined) progress.paused(1000 + pausedUntilMs);
      progress.update({ total: 10_000, done: 0, failed: 0, startedAt: 1000, ...counts });
      tick?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Returns the line that a terminal shows after all redraws. */
function lastLine(text: string): string {
  return text.split(/\r(?:\x1b\[\d+A)?\x1b\[J/).at(-1) ?? '';
}

describe('the progress of an apply', () => {
  it('is one line on stderr with counts, rate and remaining time, and is erased at the end', async () => {
    const streams = fakeStreams({ isTerminal: true, columns: 80 });
    const { at, progress, everyMs } = shown(streams);
    assert.ok(everyMs() >= 100);
    await at(0, {});
    assert.equal(lastLine(streams.err()), '0/10,000 done');
    await at(4000, { done: 1240, failed: 3 });
    assert.equal(lastLine(streams.err()), '1,240/10,000 done, 3 failed, 310/s, about 29 s left');
    progress.stop();
    assert.ok(streams.err().endsWith('\r\x1b[J'));
    assert.doesNotMatch(streams.err(), /\n/);
    assert.equal(streams.out(), '');
  });

  it('shows the remaining wait while rate limited', async () => {
    const streams = fakeStreams({ isTerminal: true, columns: 80 });
    const { at } = shown(streams);
    await at(1000, { done: 500 }, 13_000);
    assert.match(lastLine(streams.err()), /500\/10,000 done. Rate limited\. Retrying in 12 s$/);
  });

  it('shortens the line on a narrow terminal, also after the window is resized', async () => {
    const wide = fakeStreams({ isTerminal: true, columns: 80 });
    let columnsErr = 80;
    const streams = Object.create(wide, { columnsErr: { get: () => columnsErr } }) as Streams;
    const { at, progress } = shown(streams);
    await at(0, {});
    await at(4000, { done: 1240, failed: 3 });
    columnsErr = 40;
    await at(5000, { done: 1300, failed: 3 });
    // A line of 51 columns wraps to two rows of 40.
    assert.ok(wide.err().includes('\r\x1b[1A\x1b[J'));
    assert.equal(lastLine(wide.err()), '1,300/10,000 done, 3 failed, 260/s, ab…');
    await at(6000, { done: 1300, failed: 3 }, 59_000);
    assert.equal(lastLine(wide.err()), '1,300/10,000 done, 3 failed. Rate limi…');
    columnsErr = 10;
    await at(60_000, { done: 1400, failed: 3 });
    assert.equal(lastLine(wide.err()), '1,400/10…');
    assert.ok(getWidth(lastLine(wide.err())) < 10);
    progress.stop();
  });

  it('is an occasional plain line in a pipe, in CI and with --json', async () => {
    const terminal = fakeStreams({ isTerminal: true, colour: true });
    const inCi: Streams = Object.create(terminal, { showsProgress: { value: false } });
    for (const streams of [fakeStreams(), inCi, applyStreamFlags(terminal, { json: true })]) {
      const { at, progress, everyMs } = shown(streams);
      assert.ok(everyMs() >= 5000);
      await at(0, {});
      await at(4000, { done: 1240, failed: 3 });
      await at(8000, { done: 1240, failed: 3 }, 12_000);
      await at(13_000, { done: 1240, failed: 3 }, 20_000);
      progress.stop();
    }
    const lines = `0/10,000 done
1,240/10,000 done, 3 failed, 310/s, about 29 s left
1,240/10,000 done, 3 failed. Rate limited. Retrying in 4 s
`;
    assert.equal(terminal.err(), lines.repeat(2));
  });

  it('prints nothing with --quiet', async () => {
    for (const streams of [fakeStreams(), fakeStreams({ isTerminal: true })]) {
      const { at, progress } = shown(streams, true);
      await at(4000, { done: 1240 });
      progress.stop();
      assert.equal(streams.err(), '');
    }
  });

  it('prints a message on a separate line, in a pipe and on a terminal', async () => {
    for (const streams of [fakeStreams(), fakeStreams({ isTerminal: true })]) {
      const { at, progress } = shown(streams);
      await at(0, {});
      progress.say('finishing what is \x1b[2Jin flight');
      await at(200, { done: 40 });
      const [before = '', after = ''] = streams.err().split('finishing what is in flight\n');
      assert.match(before, streams.showsProgress ? /0\/10,000 done\r\x1b\[J$/ : /^0\/10,000 done\n$/);
      assert.match(after, /^40\/10,000/);
    }
  });
});
