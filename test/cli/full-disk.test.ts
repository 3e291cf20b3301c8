import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RealServers } from '../client/real-server.ts';
import { fillDisk, remountDisk, smallDisk } from '../small-disk.ts';
import { itAtLength } from '../times.ts';
import * as fullDisk from './full-disk.ts';
import { withLiveJob } from './homes.ts';
import type { Home } from './partner.ts';
import { answering, callsTo, KEY, type ServedEngine, serveEngine } from './servers.ts';

/** Enough for one page of SQLite's log, but not for everything that is written. */
const SOME_ROOM = 4 * 1024;

describe('a full disk under an existing database', () => {
  const home = fullDisk.homeOnSmallDisk();

  // A sample: test/long covers every command.
  it('stops commands that write with exit 2 and the cause, changes nothing, and stops none afterwards', async () => {
    const sample = fullDisk.DATABASE_WRITES.filter((_, index) => index % 6 === 0);
    await fullDisk.assertAllStopped(home(), sample, SOME_ROOM);
    for (const line of fullDisk.DATABASE_WRITES.slice(0, 2)) await home().must(line, { alone: true });
  });

  it('stops no command that reads, as long as SQLite can share its memory', async () => {
    for (const line of fullDisk.DATABASE_READS.slice(0, 2)) {
      fullDisk.fillData(home(), SOME_ROOM);
      const { code, stderr } = await home().run(line, { env: { PARTNER_BASE_URL: 'local' }, alone: true });
      assert.equal(code, 0, `${line}: ${stderr}`);
    }
  });
});

describe('a full disk under the files of a run', () => {
  const servers = new RealServers();
  let home: Home;
  let small: string;
  let takeAway: (() => void) | undefined;
  let served: ServedEngine;
  before(async function () {
    home = await withLiveJob();
    served = await serveEngine(home);
    small = join(home.path, 'small');
    mkdirSync(small);
    takeAway = smallDisk(small, 'size=1m');
    if (takeAway === undefined) return this.skip();
    await home.must('engine apply 1 --count 1 --seed 1');
    for (const directory of ['config', 'set', 'data', 'places']) mkdirSync(join(small, directory), 0o700);
    const profile = { baseUrl: 'https://api.example.com/v1', key: KEY };
    await home.file('small/config/config.json', {
      current: 'a',
      profiles: { a: profile, b: profile, c: { baseUrl: served.url, key: served.env.PARTNER_API_KEY } },
    });
    await home.file('small/set/cook.json', { title: 'Line cook' });
    await home.must('jobs apply small/set --yes');
    await home.file('small/set/welder.json', { title: 'Welder' });
    await home.file('small/places/cook.json', { title: 'Cook', locations: ['Austin, TX'] });
    copyFileSync(new URL('../fixtures/import/lever.json', import.meta.url), join(small, 'feed.json'));
    for (const name of ['plan.json', 'report.md']) await home.file(`small/${name}`, 'as it was');
  });
  after(() => {
    takeAway?.();
    return Promise.all([servers.close(), served.stop()]);
  });
  const run = (line: string, env = {}) =>
    home.run(line.replace('URL', served.url), {
      cwd: small,
      stdin: served.env.PARTNER_API_KEY,
      env: { PARTNER_CONFIG_DIR: join(small, 'config'), ...env },
    });
  const bundled = { PARTNER_BASE_URL: 'local' };
  const WRITES: readonly (readonly [line: string, names: string, code: number, env?: object])[] = [
    ['auth switch b', 'config/config.json', 2],
    ['auth logout b', 'config/config.json', 2],
    ['auth login d --with-key --base-url URL', 'config/config.json', 2],
    ['doctor --remote --write --profile c', 'config/config.json', 2],
    ['jobs apply set --yes', 'set/.partner/state.(?:journal.ndjson|lock.db)', 2, bundled],
    ['jobs plan set --out plan.json', 'plan.json', 1, bundled],
    ['jobs plan set --report markdown=report.md', 'report.md', 1, bundled],
    ['dashboard applications show 1 --save-files out', 'out(?:/application-1-resume.pdf)?', 1, bundled],
    ['engine backup fresh.backup', 'fresh.backup', 1, bundled],
    ['locations resolve places --write', 'places/cook.json', 1],
    ['jobs import feed.json --out imported', 'imported/.partner/import.json', 1],
  ];
  const DISKS = {
    full: ['the disk is full', () => fillDisk(join(small, 'filler')), () => rmSync(join(small, 'filler'))],
    'read-only': ['it is on a read-only', () => remountDisk(small, 'ro'), () => remountDisk(small, 'rw')],
  } as const;
  for (const [at, [line, names, code, env]] of WRITES.entries()) {
    const test = at % 2 === 0 ? it : itAtLength;
    test(`is named with the file by \`${line}\`, read-only or full, and all is as it was; with room it succeeds`, async () => {
      const before = fullDisk.filesIn(small);
      for (const [why, begin, end] of Object.values(DISKS)) {
        begin();
        const stopped = await run(line, env).finally(end);
        assert.equal(stopped.code, code, stopped.stderr);
        assert.match(
          stopped.stderr + stopped.stdout,
          new RegExp(`can't \\w+ .*${names}.*: ${why}|${names}.* can't be \\w+: ${why}`),
        );
        assert.doesNotMatch(stopped.stderr, /\n {4}at |bug in partner/);
        assert.deepEqual(fullDisk.filesIn(small), before);
      }
      const { code: then, stderr } = await run(line, env);
      assert.equal(then, 0, stderr);
    });
  }

  it('is named for a configuration of which only a part has room, and the file is as it was', async () => {
    const profile = { baseUrl: 'https://api.example.com/v1', key: KEY };
    const profiles = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}`, profile]));
    await home.file('small/config/config.json', { profiles });
    const before = fullDisk.filesIn(small);
    fillDisk(join(small, 'filler'), SOME_ROOM);
    const { code, stderr } = await run('auth switch p1');
    rmSync(join(small, 'filler'));
    assert.equal(code, 2, stderr);
    assert.match(stderr, /can't write the configuration .*config\.json: the disk is full/);
    assert.deepEqual(fullDisk.filesIn(small), before);
  });

  it('makes no error of a job that was created: what cannot be written down is said', async () => {
    const server = await servers.listen(answering(201, { id: 12, status: 'DRAFT' }));
    fillDisk(join(small, 'filler'));
    const env = { ...callsTo(server), PARTNER_DATA_DIR: join(small, 'data') };
    const { code, stderr } = await run('jobs create --title Cook', env);
    rmSync(join(small, 'filler'));
    assert.equal(code, 0, stderr);
    assert.match(stderr, /can't record job 12 in .*: the disk is full/);
  });
});
