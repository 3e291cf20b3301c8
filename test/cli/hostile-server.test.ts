import assert from 'node:assert/strict';
import { COMMANDS } from '../../src/commands/index.ts';
import { LINES, type Line, WITHOUT_A_SERVER } from '../hostile-server/commands.ts';
import { MODES } from '../hostile-server/modes.ts';
import { runCases, type Tally } from '../hostile-server/runs.ts';
import UNREADABLE from './unreadable.json' with { type: 'json' };

describe('a hostile server', () => {
  const modes = Object.keys(MODES);
  let tally: Tally;
  before(async () => {
    // The server created the job, but its response is unreadable.
    const creates = UNREADABLE.map((mode) => ({ mode, line: LINES[0] as Line }));
    // A sample: test/long runs every command in every mode.
    const sample = modes.map((mode, at) => ({ mode, line: LINES[at % LINES.length] as Line }));
    tally = await runCases([...creates, ...sample]);
  });

  it('is met by every command that calls one', () => {
    const met = LINES.map(({ argv }) => `${argv.join(' ')} `);
    const unmet = Object.keys(COMMANDS).filter(
      (name) => !met.some((line) => line.startsWith(`${name} `)) && !WITHOUT_A_SERVER.test(name),
    );
    assert.deepEqual(unmet, []);
    assert.ok(modes.length >= LINES.length);
  });

  it('brings no command to a stack trace, a hang, or its key to another origin, in any of its ways', () =>
    assert.deepEqual(tally.failures, []));

  it('leaves the outcome of a create unknown where its answer cannot be read: exit 8', () => {
    const exits = tally.exits.slice(0, UNREADABLE.length);
    assert.deepEqual(
      exits,
      UNREADABLE.map(() => 8),
    );
  });
});
