import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS, type CommandName, isCommand } from '../../src/commands/index.ts';
import { EXAMPLES } from '../cli/partner.ts';
import { scriptSteps } from './workflow-steps.ts';

const textOf = (name: string): string => readFileSync(join(EXAMPLES, 'ci', name), 'utf8');
const SCRIPT = join(EXAMPLES, 'ci', 'apply.sh');
const STEPS = ['github-actions.yml', 'import.yml', 'action.yml'].flatMap((name) => scriptSteps(textOf(name)));

describe('the files of examples/ci', () => {
  it('has a word for each exit code that it can meet', () => {
    for (const code of [0, 3, 4, 6, 8, 9, 11, 130])
      assert.match(textOf('apply.sh'), new RegExp(`^ {4}${code}\\) say '`, 'm'));
    assert.match(textOf('apply.sh'), /^ {2}10\) say '/m);
  });

  it('gives no job more than it needs, and runs nothing that can change under its name', () => {
    for (const [name, actions] of [
      ['github-actions.yml', 7],
      ['import.yml', 2],
    ] as const) {
      const text = textOf(name);
      assert.match(text, /^permissions: \{\}$/m);
      assert.equal(text.match(/contents: write/g)?.length, 1);
      const uses = text.match(/uses: .*/g) ?? [];
      for (const used of uses) assert.match(used, /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      assert.equal(uses.length, actions);
    }
  });

  it('are shell that sh and bash can read', () => {
    for (const shell of ['sh', 'bash']) assert.equal(spawnSync(shell, ['-n', SCRIPT]).status, 0, shell);
    for (const { name, script } of STEPS) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
      assert.deepEqual([status, stderr], [0, ''], name);
    }
  });

  for (const name of ['github-actions.yml', 'import.yml', 'gitlab-jobs.yml', 'apply.sh', 'README.md'])
    it(`${name} names only commands and flags that there are`, async () => {
      const called = calls(textOf(name));
      assert.ok(called.length >= (name === 'import.yml' ? 2 : 3));
      for (const { command, flags } of called) {
        const Command = await COMMANDS[command]();
        const known = Object.keys({ ...Command.baseFlags, ...Command.flags });
        for (const flag of flags) assert.ok(known.includes(flag), `partner ${command} --${flag}`);
      }
    });
});

/** The commands that a text calls, each with its flags; those of `set --` go to both that take `"$@"`. */
function calls(text: string): { command: CommandName; flags: string[] }[] {
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.flatMap((line) =>
    [...line.matchAll(/\b(?:partner|set --) ([^|;&`)]*)/g)].flatMap(([whole, words = '']) => {
      const flags = [...words.matchAll(/(?<![\w-])--([a-z][\w-]*)/g)].map(([, flag = '']) => flag);
      if (whole.startsWith('set'))
        return [
          { command: 'jobs plan' as const, flags },
          { command: 'jobs apply' as const, flags },
        ];
      const name = [3, 2, 1].map((n) => words.split(' ').slice(0, n).join(' ')).find(isCommand);
      return name === undefined ? [] : [{ command: name, flags }];
    }),
  );
}
