import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Libsql from 'libsql';
import { withDrafts } from './homes.ts';
import { type Home, newHome } from './partner.ts';
import type { Refused } from './refusal.ts';

const CREATE = ['jobs', 'create', '--title', 'Night nurse'];

async function refusedCreate(home: Home, options = {}): Promise<Refused> {
  const [text, json] = await Promise.all([
    home.run(CREATE, options),
    home.run([...CREATE, '--json'], options),
  ]);
  assert.equal(text.code, 2, text.stderr);
  assert.equal(json.code, 2, json.stdout);
  const { error } = json.json() as { error: Refused };
  assert.equal(text.stdout, '');
  assert.ok(text.stderr.includes(error.message) && error.hint && text.stderr.includes(error.hint));
  return error;
}

async function bytesIn(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory)).filter((name) => !name.endsWith('-shm'));
  const bytes = names.map(async (name) => [name, (await readFile(join(directory, name))).toString('hex')]);
  const files: [string, string][] = (await Promise.all(bytes)) as [string, string][];
  return Object.fromEntries(files.filter(([name, hex]) => !(name.endsWith('-wal') && hex === '')));
}

const NO_DATABASES: Readonly<Record<string, readonly [make: (path: string) => Promise<void>, says: RegExp]>> =
  {
    'a text file': [
      (path) => writeFile(path, 'this is no database at all, only text\n'.repeat(50)),
      /isn't a database/,
    ],
    "another program's database": [
      async (path) => {
        const file = new Libsql(path);
        file.exec('create table bookmarks (url text); insert into bookmarks values (1)');
        file.close();
      },
      /it was created by another program/,
    ],
    'a database of a newer release': [
      async (path) => {
        await writeFile(path, await readFile((await withDrafts()).database));
        const file = new Libsql(path);
        file.exec('pragma user_version = 999');
        file.close();
        for (const log of ['-wal', '-shm']) await rm(`${path}${log}`, { force: true });
      },
      /it was created by a newer release/,
    ],
    'a damaged database': [
      async (path) => {
        const bytes = await readFile((await withDrafts()).database);
        await writeFile(path, bytes.fill(0xa5, 100, 4096));
      },
      /it is damaged|not a database/,
    ],
  };

describe('a database that is none of ours', () => {
  for (const [what, [make, says]] of Object.entries(NO_DATABASES))
    it(`is refused with exit 2 and left as it is, to the byte, where it is ${what}`, async () => {
      const home = await newHome();
      const directory = dirname(home.database);
      await mkdir(directory, { recursive: true });
      await make(home.database);
      const before = await bytesIn(directory);
      const error = await refusedCreate(home);
      assert.equal(error.code, 'DATABASE_UNUSABLE');
      assert.match(error.message, says);
      assert.ok(error.message.includes(home.database), 'the message names the file');
      assert.deepEqual(await bytesIn(directory), before);
    });
});

describe('a data directory that cannot be written', () => {
  it('is refused with exit 2 where a part of its path is a file', async () => {
    const home = await newHome();
    const file = await home.file('file', 'text');
    const error = await refusedCreate(home, { env: { PARTNER_DATA_DIR: join(file, 'data') } });
    assert.equal(error.code, 'DATABASE_UNUSABLE');
    assert.match(error.message, /part of its path is a file, not a directory/);
  });

  it('is refused with exit 2 where it is read-only, new or with jobs in it: nothing is stored', async () => {
    const fresh = await newHome();
    await mkdir(fresh.data);
    const used = await withDrafts();
    for (const home of [fresh, used]) {
      await home.handOver();
      const paths = home === used ? ['data', 'data/engine', 'data/engine/partner.db'] : ['data'];
      const setModes = (mode: number) => Promise.all(paths.map((path) => chmod(join(home.path, path), mode)));
      await setModes(0o555);
      const error = await refusedCreate(home, { asNobody: true });
      await setModes(0o755);
      assert.equal(error.code, 'DATABASE_UNUSABLE');
      assert.match(error.message, /permission denied/);
    }
    assert.equal(used.storedJobs(), 2);
  });
});

describe('a damaged configuration', () => {
  const RUBBISH: Readonly<Record<string, string | Uint8Array>> = {
    'cut off': '{"current": "acme", "profiles": {"acme": {"baseUrl": "https://api.exa',
    'of another shape': '[1, 2, 3]',
    'with a wrong key': '{"profiles": {"acme": {"baseUrl": "https://api.example.com/v1", "key": "hunter2"}}}',
    binary: Buffer.alloc(300, 0xa5),
  };
  for (const [what, rubbish] of Object.entries(RUBBISH))
    it(`is refused with exit 2 by every command that reads it, and kept byte for byte: ${what}`, async () => {
      const home = await newHome();
      const path = await home.file('config/config.json', rubbish);
      const login = 'auth login acme --with-key --base-url http://127.0.0.1:9/v1';
      for (const line of ['jobs list', 'auth list', login, 'doctor']) {
        const run = await home.run(`${line} --json`, { stdin: 'sk_ext_4c1d9f3c2ab7e8d6' });
        assert.equal(run.code, 2, run.stdout);
        assert.ok(JSON.stringify(run.json()).includes(path), 'the message names the file');
        assert.doesNotMatch(run.stdout, /hunter2/, 'what may be a key is not shown');
      }
      assert.deepEqual(await readFile(path), Buffer.from(rubbish));
      assert.deepEqual(await readdir(home.config), ['config.json']);
    });
});
