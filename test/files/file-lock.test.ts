import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { loadProfiles, saveProfile } from '../../src/cli/settings/profiles.ts';
import { openShownPlaces } from '../../src/cli/settings/server-memory.ts';
import { takeLock } from '../../src/files/file-lock.ts';
import { childScript } from '../child-script.ts';
import { tempDirectory } from '../temp-directory.ts';

const SERVER = 'https://api.acme.example/v1';
const EACH = 10;

describe('files that several processes change at once', () => {
  const temp = tempDirectory();

  /** The process reports that it's ready, waits for a line, and then runs `code`. */
  async function processOf(imports: string, code: string, number = ''): Promise<ChildProcess> {
    const program = `import { once } from 'node:events';
${imports}
process.stdout.write('ready');
await once(process.stdin, 'data');
process.stdin.destroy();
${code}`;
    const argv = [await childScript(program), number];
    return spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  }

  async function start(processes: readonly ChildProcess[]): Promise<void> {
    await Promise.all(processes.map(({ stdout }) => once(stdout ?? assert.fail(), 'data')));
    for (const { stdin } of processes) stdin?.end('go');
  }

  it('lose no profile and no place, whoever writes last', async () => {
    const places = join(temp(), 'places.json');
    const imports = `import { saveProfile } from './src/cli/settings/profiles.ts';
import { openShownPlaces } from './src/cli/settings/server-memory.ts';`;
    const writing = ['1', '2'].map((number) =>
      processOf(
        imports,
        `for (let n = 0; n < ${EACH}; n++) {
  const id = Number(process.argv[2]) * 1000 + n;
  await saveProfile(${JSON.stringify(temp())}, { name: 'p' + id, baseUrl: ${JSON.stringify(SERVER)} });
  const shown = openShownPlaces(${JSON.stringify(places)}, ${JSON.stringify(SERVER)});
  shown.add([{ locationId: id, displayName: 'x', city: 'x', stateProvince: '', country: 'x' }]);
  await shown.save();
}`,
        number,
      ),
    );
    const writers = await Promise.all(writing);
    const closed = writers.map((writer) => once(writer, 'close'));
    await start(writers);
    for (const [code] of await Promise.all(closed)) assert.equal(code, 0);
    assert.equal(loadProfiles(temp()).all.length, writers.length * EACH);
    const shown = openShownPlaces(places, SERVER);
    for (const { name } of loadProfiles(temp()).all)
      assert.equal(shown.byId(Number(name.slice(1)))?.displayName, 'x', name);
  });

  it('wait for the process that has the lock, and for none that was killed with it', async () => {
    const holder = await processOf(
      `import { writeSync } from 'node:fs';
import { withDirectoryLock } from './src/files/file-lock.ts';`,
      `await withDirectoryLock(${JSON.stringify(temp())}, () => {
  writeSync(1, 'held');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`,
    );
    await start([holder]);
    await once(holder.stdout ?? assert.fail(), 'data');
    assert.equal(await takeLock(join(temp(), '.lock')), undefined);
    const saving = saveProfile(temp(), { name: 'acme', baseUrl: SERVER });
    holder.kill('SIGKILL');
    await saving;
    assert.deepEqual(loadProfiles(temp()).all, [{ name: 'acme', baseUrl: SERVER }]);
  });
});
