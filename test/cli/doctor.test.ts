import assert from 'node:assert/strict';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withEngine } from './homes.ts';
import type { Home } from './partner.ts';

async function looked(home: Home, ...flags: string[]) {
  const run = await home.run(['doctor', ...flags, '--json']);
  const { items } = run.json() as { items: { name: string; ok: boolean; found: string; advice?: string }[] };
  return { code: run.code, files: items.find(({ name }) => name === 'Files') };
}

describe('doctor', () => {
  it('names what of key, database and files others can get at, with its mode, and --fix closes it to them', async () => {
    const home = await withEngine();
    const key = join(home.data, 'engine', 'key');
    await chmod(key, 0o644);
    await chmod(home.database, 0o664);
    const open = await looked(home);
    assert.equal(open.code, 2);
    assert.equal(open.files?.ok, false);
    assert.equal(
      open.files?.found,
      `other users can access ${key} (mode 0644), ${home.database} (mode 0664)`,
    );
    assert.match(open.files?.advice ?? '', /`partner doctor --fix`/);

    const mended = await looked(home, '--fix');
    assert.equal(mended.code, 0);
    const expected = /Removed other users' access to .*key \(mode 0644\), .*partner\.db \(mode 0664\)$/;
    assert.match(mended.files?.found ?? '', expected);
    for (const path of [key, home.database]) assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(await looked(home), {
      code: 0,
      files: { name: 'Files', ok: true, found: `${home.data}, only readable by you` },
    });
  });
});
