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

  const meant: readonly (readonly [typed: string, command: string])[] = [
    ['jobs show 12', 'jobs get'],
    ['jobs edit 12', 'jobs update'],
    ['jobs start 12', 'jobs publish` or `partner jobs resume'],
    ['jobs stop 12', 'jobs pause` or `partner jobs close'],
    ['jobs copy 12', 'jobs repost'],
    ['budgets rm 12', 'budgets clear'],
    ['locations find Boston', 'locations search'],
    ['auth use acme', 'auth switch'],
    ['auth show', 'auth status'],
    ['engine start', 'engine serve'],
    ['engine keys delete 1', 'engine keys revoke'],
    ['dashboard applications approve 3', 'dashboard applications accept'],
    ['applications open 3', 'dashboard applications show'],
    ['clock advnce 1d', 'engine clock advance'],
    ['signin', 'auth login'],
    ['whoami', 'auth status'],
    ['show 12', 'jobs get'],
    ['ls', 'jobs list'],
    ['new', 'jobs create'],
    ['serve', 'engine serve'],
  ];
  for (const [typed, command] of meant) {
    it(`is answered with the right command where it is \`partner ${typed}\``, () => {
      assert.equal(unknownCommand(typed, Object.keys(COMMANDS)).hint, `did you mean \`partner ${command}\`?`);
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
