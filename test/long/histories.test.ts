import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Tally } from '../bulk/histories.ts';
import { childScript } from '../child-script.ts';

describe('in 5,000 histories of edits to job files', () => {
  it('no job serves two openings, no opening has two live jobs, and the same listing keeps its job', async () => {
    // Without tsx, whose hooks resolve each `import()` in another thread.
    const script = await childScript(new URL('../bulk/history-runs.ts', import.meta.url));
    const halves = [1, 2].map(async (seed): Promise<Tally> => {
      const argv = [script, `${seed}`, '2500'];
      const { stdout } = await promisify(execFile)(process.execPath, argv, { maxBuffer: 2 ** 26 });
      return JSON.parse(stdout);
    });
    const tallies = await Promise.all(halves);
    for (const { applies, held, reasons } of tallies)
      console.log(`      ${held} held in ${applies} applies`, reasons);
    const failures = tallies.flatMap(({ failures }) => failures);
    assert.deepEqual(failures, []);
  });
});
