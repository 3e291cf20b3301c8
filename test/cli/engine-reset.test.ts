import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createFileStore } from '../../src/engine/applications/files.ts';
import { openSqliteStore } from '../../src/engine/store/sqlite.ts';
import { PDF } from '../engine/applications/documents.ts';
import { withEngine } from './homes.ts';

const KILLED_AT_REMOVAL = fileURLToPath(new URL('killed-at-removal.cjs', import.meta.url));

describe('engine reset', () => {
  it('that is killed half way leaves no file of a candidate behind the next start', async () => {
    const home = await withEngine();
    const directory = `${home.database}-files`;
    const store = await openSqliteStore(home.database);
    const files = createFileStore({ store, directory, machine: Date.now, reportBug: assert.ifError });
    for (const name of ['a', 'b'])
      await files.put({ name, content: Buffer.concat([PDF, Buffer.from(name)]), now: Date.now() });
    await store.close();

    const env = { NODE_OPTIONS: `--require ${KILLED_AT_REMOVAL}` };
    const killed = await home.run('engine reset --yes', { env });
    assert.equal(killed.signal, 'SIGKILL');
    assert.equal(readdirSync(directory).length, 2);
    await home.must('engine status');
    assert.deepEqual(readdirSync(directory), []);
    assert.equal(existsSync(`${directory}.reset`), false);
  });
});
