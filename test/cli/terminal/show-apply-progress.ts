/** An apply of 10,000 that is stuck, at a real terminal: a line on stdin ends it. */
import { showApplyProgress } from '../../../src/bulk/view/apply-progress.ts';
import { processStreams } from '../../../src/cli/terminal/streams.ts';

const streams = processStreams(process);
const progress = showApplyProgress(streams, { monotonicNow: () => 0 });
progress.update({ total: 10_000, done: 1240, failed: 3, startedAt: 0 });
progress.paused(12_000);
streams.stdin.once('data', () => {
  progress.say('finishing what is in flight');
  progress.stop();
  streams.stdin.destroy();
});
