import assert from 'node:assert/strict';
import { unknownCommand } from '../../../src/cli/help/unknown-command.ts';
import { COMMANDS } from '../../../src/commands/index.ts';

describe('a command line that names no command', () => {
  const rows: readonly (readonly [typed: string, named: string, next: string])[] = [
    ['jobs publsh 12', 'jobs publsh', 'did you mean `partner jobs publish`?'],
    ['job create nurse.json', 'job create', 'did you mean `partner jobs create`?'],
    ['publsh 1', 'publsh', 'did you mean `partner jobs publish`?'],
    ['jobs-create', 'jobs-create', 'did you mean `partner jobs create`?'],
    ['jobs:create 12', 'jobs:create', 'did you mean `partner jobs create`?'],
    ['engine key list', 'engine key list', 'did you mean `partner engine keys list`?'],
    ['jbs', 'jbs', 'did you mean `partner jobs`?'],
    [
      'status',
      'status',
      'did you mean `partner auth status` or `partner engine status` or `partner dashboard status`?',
    ],
    ['keys list', 'keys list', 'did you mean `partner engine keys list`?'],
    ['serve', 'serve', 'did you mean `partner engine serve`?'],
    ['jobs show 12', 'jobs show', '`partner help jobs` lists the commands'],
    ['jobs 12', 'jobs 12', '`partner help jobs` lists the commands'],
    ['jobs frobnicate 12', 'jobs frobnicate', '`partner help jobs` lists the commands'],
    ['frobnicate', 'frobnicate', '`partner help` lists the commands'],
  ];
  for (const [typed, named, next] of rows) {
    it(`is told of \`${named}\` alone where it is \`partner ${typed}\`, and what to do`, () => {
      const { code, message, hint } = unknownCommand(typed, Object.keys(COMMANDS));
      assert.equal(code, 'USAGE');
      assert.equal(message, `there is no command \`partner ${named}\``);
      assert.equal(hint, next);
    });
  }

  it('is told the truth where it would remove a job: none can be, and nobody sees a draft', () => {
    for (const typed of ['jobs delete 12', 'jobs rm 12', 'jobs remove 12', 'delete 12', 'rm 12']) {
      const { hint } = unknownCommand(typed, Object.keys(COMMANDS));
      assert.match(
        hint ?? '',
        /removes no job: `partner jobs close`.*a draft stays, is seen by nobody/,
        typed,
      );
    }
  });
});
