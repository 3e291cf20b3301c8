import assert from 'node:assert/strict';
import { chmod, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fixture } from '../../fixture.ts';
import { DIST, newHome } from '../partner.ts';
import { KEY } from '../servers.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('the configuration that the binary stores', () => {
  let path: string;
  const home = fixture('each test', newHome);
  beforeEach(async () => {
    const profile = { baseUrl: 'https://api.example.com/v1', key: KEY };
    const profiles = Object.fromEntries(NAMES.map((name) => [name, profile]));
    path = await home.file('config/config.json', { current: 'a', theme: 'dark', profiles });
  });

  it('is written by conf, which is loaded for a change alone', async () => {
    for (const [line, isLoaded] of [
      ['auth switch b', true],
      ['auth switch b', false],
      ['auth list', false],
      ['auth switch x', false],
    ] as const) {
      const { loaded } = await home.observe(line);
      assert.equal(loaded.includes('./apart/conf.cjs'), isLoaded, line);
    }
    const { current, theme } = JSON.parse(await readFile(path, 'utf8'));
    assert.deepEqual([current, theme], ['b', 'dark']);
  });

  it('is for its owner alone, and replaced rather than overwritten, also in the terminal of a snap', async () => {
    await chmod(path, 0o644);
    const before = await stat(path);
    await home.must('auth switch b', { env: { SNAP: '/snap/code/1' } });
    const after = await stat(path);
    assert.equal(after.mode & 0o777, 0o600);
    assert.notEqual(after.ino, before.ino);
  });

  it('loses nothing to processes that change it at once', async () => {
    await Promise.all(NAMES.map((name) => home.must(`auth logout ${name}`)));
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { theme: 'dark', profiles: {} });
  });

  it('leaves Ctrl-C to the command: conf brings no handlers of signals', () => {
    const before = process.eventNames();
    createRequire(import.meta.url)(join(DIST, 'apart/conf.cjs'));
    assert.deepEqual(process.eventNames(), before);
  });
});
