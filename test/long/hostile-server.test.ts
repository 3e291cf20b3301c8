import assert from 'node:assert/strict';
import { LINES } from '../hostile-server/commands.ts';
import { MODES } from '../hostile-server/modes.ts';
import { runCases } from '../hostile-server/runs.ts';

describe('a hostile server', () => {
  it('brings no command to a stack trace, a hang, or its key to another origin: every way × every command', async () => {
    const modes = Object.keys(MODES);
    const { failures, exits } = await runCases(
      LINES.flatMap((line) => modes.map((mode) => ({ mode, line }))),
      2,
    );
    console.log(`      ${modes.length} modes × ${LINES.length} command lines: ${exits.length} runs`);
    assert.deepEqual(failures, []);
  });
});
