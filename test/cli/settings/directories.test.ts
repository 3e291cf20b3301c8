import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { configDirectory, dataPaths, directories } from '../../../src/cli/settings/directories.ts';
import { partnerError } from './partner-error.ts';

type System = NonNullable<Parameters<typeof directories>[1]>;

const system = (platform: NodeJS.Platform, home: string): System => ({ platform, homedir: () => home });
const linux = system('linux', '/home/ana');

describe('the directories', () => {
  it('are those of XDG on Linux', () => {
    const expected = { config: '/home/ana/.config/partner', data: '/home/ana/.local/share/partner' };
    assert.deepEqual(directories({}, linux), expected);
    const wanted = { config: '/x/config/partner', data: '/x/data/partner' };
    assert.deepEqual(directories({ XDG_CONFIG_HOME: '/x/config', XDG_DATA_HOME: '/x/data' }, linux), wanted);
    // The XDG specification says to ignore relative base directories.
    const actual = directories({ XDG_CONFIG_HOME: 'config', XDG_DATA_HOME: '' }, linux);
    assert.deepEqual(actual, directories({}, linux));
  });

  it('are in the Library on macOS', () =>
    assert.deepEqual(directories({}, system('darwin', '/Users/ana')), {
      config: '/Users/ana/Library/Preferences/partner',
      data: '/Users/ana/Library/Application Support/partner',
    }));

  it('are where PARTNER_CONFIG_DIR and PARTNER_DATA_DIR say, before everything else', () => {
    const env = { PARTNER_CONFIG_DIR: '/c', PARTNER_DATA_DIR: 'd', XDG_CONFIG_HOME: '/x' };
    assert.deepEqual(directories(env, linux), { config: '/c', data: resolve('d') });
  });

  it('hold the engine’s database and key, and the ledger', () =>
    assert.deepEqual(dataPaths(directories({ PARTNER_DATA_DIR: '/d' }, linux)), {
      directory: '/d',
      database: '/d/engine/partner.db',
      localKey: '/d/engine/key',
      createdJobs: '/d/ledger.ndjson',
      shownPlaces: '/d/places.json',
      shownJobs: '/d/jobs.json',
      formAnswers: '/d/form.json',
    }));
});

describe('without a home', () => {
  const homedir = (): string => {
    throw new Error('ENOENT: no such file or directory, uv_os_homedir');
  };
  for (const [what, without] of [
    ['HOME is empty', system('linux', '')],
    ['HOME is not absolute', system('linux', 'home')],
    ['the user is in no password file', { platform: 'linux', homedir }],
  ] as const)
    it(`the error says what to set, and the variables are enough: ${what}`, () => {
      const none = directories({ PARTNER_CONFIG_DIR: '', PARTNER_DATA_DIR: '' }, without);
      assert.deepEqual(none, { config: undefined, data: undefined });
      assert.throws(() => configDirectory(none), partnerError('CONFIG_UNREADABLE', /PARTNER_CONFIG_DIR/));
      assert.throws(() => dataPaths(none), partnerError('CONFIG_UNREADABLE', /PARTNER_DATA_DIR/));
      const named = directories({ PARTNER_CONFIG_DIR: '/c', PARTNER_DATA_DIR: '/d' }, without);
      assert.equal(configDirectory(named), '/c');
      assert.equal(dataPaths(named).createdJobs, '/d/ledger.ndjson');
    });
});
