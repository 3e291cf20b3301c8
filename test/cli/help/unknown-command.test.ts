import assert from 'node:assert/strict';
import { unknownCommand } from '../../../src/cli/help/unknown-command.ts';
import { COMMANDS } from '../../../src/commands/index.ts';
import meant from './meant-commands.json' with { type: 'json' };
import rows from './unknown-commands.json' with { type: 'json' };

describe('a command line that names no command', () => {
  for (const [typed = '', named, next] of rows)
    it(`is told of \`${named}\` alone where it is \`partner ${typed}\`, and what to do`, () => {
      const { code, message, hint } = unknownCommand(typed, Object.keys(COMMANDS));
      assert.equal(code, 'USAGE');
      assert.equal(message, `unknown command \`partner ${named}\``);
      assert.equal(hint, next);
    });

  for (const [typed = '', command] of meant)
    it(`is answered with the right command where it is \`partner ${typed}\``, () =>
      assert.equal(
        unknownCommand(typed, Object.keys(COMMANDS)).hint,
        `did you mean \`partner ${command}\`?`,
      ));

  it('is told the truth where it would remove a job: none can be, and nobody sees a draft', () => {
    for (const typed of ['jobs delete 12', 'jobs rm 12', 'jobs remove 12', 'delete 12', 'rm 12']) {
      const { hint } = unknownCommand(typed, Object.keys(COMMANDS));
      const expected = /jobs can't be deleted\. `partner jobs close`.*Drafts are hidden from candidates/;
      assert.match(hint ?? '', expected, typed);
    }
  });
});
