import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMissing } from '../shell.ts';
import { Terminal } from '../terminal.ts';

describe('the progress of an apply at a terminal', () => {
  let terminal: Terminal | undefined;

  before(function () {
    if (isMissing('tmux', 'bash')) this.skip();
  });
  afterEach(async () => {
    await terminal?.close();
  });

  for (const [columns, line] of [
    [100, '1,240/10,000 done, 3 failed, waiting 12 s: the server asks for patience'],
    [40, '1,240/10,000 done, 3 failed, waiting 1…'],
  ] as const) {
    it(`is one line of ${columns} columns, and gone when it ends`, async () => {
      terminal = await Terminal.open({ columns });
      const script = fileURLToPath(new URL('./show-apply-progress.ts', import.meta.url));
      const run = `'${process.execPath}' --import '${pathToFileURL(createRequire(import.meta.url).resolve('tsx'))}' '${script}'`;
      await terminal.enter(`clear; stty -echo; echo above; ${run}; stty echo`);
      const shown = await terminal.shows(/patience$|…$/m);
      assert.equal(shown, `above\n${line}`);
      await terminal.press('Enter');
      assert.equal(await terminal.shows(/^\$/m), 'above\nfinishing what is in flight\n$');
    });
  }
});
