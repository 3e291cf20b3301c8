import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Mistake, mistakes } from './mistakes/mistakes.ts';
import { newHome } from './partner.ts';

describe('what validate says of the mistakes that recruiters make (test/cli/mistakes/mistakes.md)', () => {
  const table = mistakes();
  let printed: ReadonlyMap<Mistake, string>;

  before(async () => {
    const home = await newHome();
    const names = await Promise.all(
      table.map(async ({ file, bytes }, index) => {
        const name = join(String(index), file);
        await mkdir(dirname(join(home.path, name)), { recursive: true });
        await writeFile(join(home.path, name), bytes);
        return name;
      }),
    );
    const run = await home.run(['jobs', 'validate', ...names]);
    assert.equal(run.code, 3, run.stderr);
    const groups = run.stdout.split('\n\n');
    printed = new Map(
      names.map((name, index) => {
        const group = groups.find((lines) => lines.startsWith(`${name}:`)) ?? '';
        return [table[index] as Mistake, group.replaceAll(`${name}:`, '')];
      }),
    );
  });

  it('has at least 77 of them', () => assert.ok(table.length >= 77, `${table.length}`));

  for (const mistake of table)
    it(mistake.title, () => {
      assert.notEqual(mistake.says, '');
      assert.equal(printed.get(mistake), mistake.says);
    });
});
