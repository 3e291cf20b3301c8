import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../../src/contract/errors.ts';
import { withEngine } from './homes.ts';
import type { Home } from './partner.ts';

describe('a set of files with something odd in it', () => {
  let home: Home;
  before(async () => {
    home = await withEngine();
  });

  it('answers the first Ctrl-C in a wait for a named pipe: exit 130', async () => {
    const pipe = join(home.path, 'waiting.json');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const run = home.start(['jobs', 'validate', pipe]);
    // Opened for writing only when the command has opened it for reading.
    const writer = await open(pipe, 'w');
    run.child.kill('SIGINT');
    const { code, stderr } = await run.ended;
    await writer.close();
    assert.equal(code, EXIT.interrupted);
    assert.match(stderr, /^error: interrupted$/m);
  });
});
