import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { chmod, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../../../src/cli/settings/config.ts';
import {
  configFile,
  loadProfiles,
  removeProfile,
  saveProfile,
  switchProfile,
} from '../../../src/cli/settings/profiles.ts';
import { fixture } from '../../fixture.ts';
import { tempDirectory } from '../../temp-directory.ts';
import { DIST, newHome } from '../partner.ts';
import { KEY } from '../servers.ts';
import rubbish from './damaged-configs.json' with { type: 'json' };
import NO_NAMES from './no-names.json' with { type: 'json' };
import { partnerError } from './partner-error.ts';
import storedConfig from './stored-config.json' with { type: 'json' };

const ACME: Profile = {
  name: 'acme',
  baseUrl: 'https://api.acme.example/v1',
  key: 'sk_ext_0123456789abcdef',
};
const STAGING: Profile = {
  name: 'staging',
  baseUrl: 'http://localhost:8080/v1',
  locationQueryParameter: 'query',
  limits: 'none',
  allowInsecure: true,
};

const modeOf = (path: string) => (fs.statSync(path).mode & 0o777).toString(8);

describe('profiles', () => {
  const temp = tempDirectory();
  const directory = () => join(temp(), 'nested', 'partner');

  it('are none where there is no config, and looking makes no file', () => {
    assert.deepEqual(loadProfiles(directory()), { current: undefined, all: [] });
    assert.deepEqual(loadProfiles(undefined), { current: undefined, all: [] });
    assert.equal(fs.existsSync(directory()), false);
    fs.mkdirSync(directory(), { recursive: true });
    fs.writeFileSync(configFile(directory()), '{}');
    assert.deepEqual(loadProfiles(directory()), { current: undefined, all: [] });
  });

  it('come back as they were stored, the last stored being the current one', async () => {
    await saveProfile(directory(), ACME);
    await saveProfile(directory(), STAGING);
    assert.deepEqual(loadProfiles(directory()), {
      current: 'staging',
      all: [{ baseUrl: ACME.baseUrl, key: ACME.key, name: 'acme' }, { ...STAGING }],
    });
  });

  it('can be switched, also to the bundled engine', async () => {
    await saveProfile(directory(), ACME);
    await saveProfile(directory(), STAGING);
    await switchProfile(directory(), 'acme');
    assert.equal(loadProfiles(directory()).current, 'acme');
    await switchProfile(directory(), 'bundled');
    assert.equal(loadProfiles(directory()).current, undefined);
    assert.equal(loadProfiles(directory()).all.length, 2);
  });

  it('can be removed with their key; without the current one calls go to the bundled engine', async () => {
    await saveProfile(directory(), STAGING);
    await saveProfile(directory(), ACME);
    await removeProfile(directory(), 'acme');
    assert.deepEqual(loadProfiles(directory()), { current: undefined, all: [STAGING] });
    assert.doesNotMatch(fs.readFileSync(configFile(directory()), 'utf8'), /sk_ext/);
    await saveProfile(directory(), ACME);
    await removeProfile(directory(), 'staging');
    assert.equal(loadProfiles(directory()).current, 'acme');
  });

  it('that are unknown are refused with the nearest name, and nothing is written', async () => {
    await assert.rejects(switchProfile(directory(), 'acme'), partnerError('USAGE', /unknown profile "acme"/));
    assert.equal(fs.existsSync(directory()), false);
    await saveProfile(directory(), ACME);
    await assert.rejects(switchProfile(directory(), 'acmee'), partnerError('USAGE', /did you mean `acme`/));
    await assert.rejects(removeProfile(directory(), 'constructor'), partnerError('USAGE'));
  });

  it('cannot have a name that is a path, an object’s own, the bundled engine’s or a key', async () => {
    for (const name of NO_NAMES)
      await assert.rejects(
        saveProfile(directory(), { ...ACME, name }),
        partnerError('USAGE', /invalid profile name/),
      );
    await saveProfile(directory(), { ...ACME, name: 'constructor' });
    const names = loadProfiles(directory()).all.map(({ name }) => name);
    assert.deepEqual(names, ['constructor']);
  });
});

describe('the config file', () => {
  const temp = tempDirectory();
  const directory = () => join(temp(), 'partner');
  const write = (text: string | Buffer) => {
    fs.mkdirSync(directory(), { recursive: true });
    fs.writeFileSync(configFile(directory()), text);
  };

  it('is for its owner alone, 0600 in a directory of 0700, whatever the umask; reading it loads no database driver', () => {
    const file = fileURLToPath(new URL('../../../src/cli/settings/profiles.ts', import.meta.url));
    const code = `import { createRequire } from 'node:module';
import { loadProfiles, saveProfile } from ${JSON.stringify(file)};
const isDriverLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('/libsql/'));
process.umask(0);
const directory = ${JSON.stringify(directory())};
await saveProfile(directory, ${JSON.stringify(ACME)});`;
    const reading = code.replace(/await saveProfile.*/, 'loadProfiles(directory);');
    const run = (script: string) =>
      execFileSync(process.execPath, [
        '--import=tsx',
        '--input-type=module',
        '--eval',
        `${script}\nprocess.stdout.write(String(isDriverLoaded()));`,
      ]).toString();
    assert.equal(run(code), 'true');
    assert.deepEqual([modeOf(directory()), modeOf(configFile(directory()))], ['700', '600']);
    assert.equal(run(reading), 'false');
  });

  it('is 0600 after a write, also where it was more open before, and nothing else is left in the directory', async () => {
    await saveProfile(directory(), ACME);
    fs.chmodSync(configFile(directory()), 0o644);
    await saveProfile(directory(), STAGING);
    assert.equal(modeOf(configFile(directory())), '600');
    assert.deepEqual(fs.readdirSync(directory()).sort(), ['.lock', 'config.json']);
  });

  it('keeps what a newer version has put there', async () => {
    write(
      JSON.stringify({ theme: 'dark', profiles: { old: { baseUrl: 'https://a.example', colour: 'red' } } }),
    );
    await saveProfile(directory(), ACME);
    const stored = JSON.parse(fs.readFileSync(configFile(directory()), 'utf8'));
    assert.equal(stored.theme, 'dark');
    assert.deepEqual(stored.profiles.old, { baseUrl: 'https://a.example', colour: 'red' });
  });

  for (const [what, content = '', says = ''] of rubbish)
    it(`with ${what} in it is named with what to do, and kept byte for byte`, async () => {
      write(content);
      const before = fs.readFileSync(configFile(directory()));
      const isTold = partnerError('CONFIG_UNREADABLE', new RegExp(says), /secret/);
      assert.throws(() => loadProfiles(directory()), isTold);
      await assert.rejects(saveProfile(directory(), ACME), isTold);
      await assert.rejects(removeProfile(directory(), 'acme'), /can't use the configuration .*config\.json/);
      assert.deepEqual(fs.readFileSync(configFile(directory())), before);
    });

  it('that cannot be written is named', async () => {
    fs.writeFileSync(join(temp(), 'file'), '');
    const below = join(temp(), 'file', 'partner');
    const expected = partnerError('CONFIG_UNREADABLE', /: part of its path is a file.*PARTNER_CONFIG_DIR/);
    await assert.rejects(saveProfile(below, ACME), expected);
  });
});

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
    for (const [line, isLoaded] of storedConfig.lines as [string, boolean][]) {
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
