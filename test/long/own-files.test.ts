import assert from 'node:assert/strict';
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withCard, withEngine } from '../cli/homes.ts';
import { newHome } from '../cli/partner.ts';
import { answering, KEY } from '../cli/servers.ts';
import { realServers } from '../client/real-server.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { fixture } from '../fixture.ts';

const OURS: readonly (readonly [argv: string, paths: readonly string[]])[] = [
  ...['jobs plan jobs', 'jobs apply jobs', 'jobs apply jobs --no-lock --only failed'].map(
    (argv) => [argv, besideState('jobs/.partner')] as const,
  ),
  ['jobs apply jobs --state kept/state.json', besideState('kept').slice(2)],
  ...['auth list', 'auth switch bundled', 'auth logout acme', 'doctor', 'jobs list'].map(
    (argv) => [argv, ['config/config.json']] as const,
  ),
  ...['jobs list', 'doctor', 'engine status', 'engine reset --yes', 'dashboard status'].map(
    (argv) =>
      [argv, ['', '-journal', '-wal', '-shm'].map((ending) => `data/engine/partner.db${ending}`)] as const,
  ),
  ['jobs list', ['data/engine/key']],
  ['engine reset --yes', ['data/engine/partner.db-files.reset']],
];

function besideState(directory: string): string[] {
  const endings = ['json', 'journal.ndjson', 'last-run.json', 'lock', 'lock.db'];
  const database = ['-journal', '-wal', '-shm'].map((ending) => `lock.db${ending}`);
  const files = [...endings, ...database].map((ending) => `${directory}/state.${ending}`);
  return [directory, `${directory}/.gitignore`, ...files];
}

const TARGETS = { 'a file': 'theirs.json', nothing: 'nothing', 'a directory': 'directory' } as const;

describe('the built binary, where a link is in the place of one of its own files', () => {
  const home = fixture('all tests', withCard);
  before(async () => {
    await mkdir(join(home.path, 'jobs'));
    await mkdir(join(home.path, 'outside/directory'), { recursive: true });
    await home.file('jobs/nurse.json', { ...COMPLETE_LISTING, title: 'Nurse' });
    await home.file('outside/theirs.json', '{}');
  });

  async function linked(path: string, target: string): Promise<string> {
    const link = join(home.path, path);
    await rm(link, { recursive: true, force: true });
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(home.path, 'outside', target), link);
    return link;
  }
  async function assertOutsideIsUntouched(): Promise<void> {
    const outside = join(home.path, 'outside');
    assert.deepEqual((await readdir(outside, { recursive: true })).sort(), ['directory', 'theirs.json']);
    assert.equal(await readFile(join(outside, 'theirs.json'), 'utf8'), '{}');
  }

  for (const [argv, paths] of OURS)
    it(`partner ${argv}: names the link, and changes no file outside`, async () => {
      for (const path of paths) {
        for (const target of Object.values(TARGETS)) {
          const link = join(home.path, path);
          const before = await readFile(link).catch(() => undefined);
          await linked(path, target);
          const run = await home.run(`${argv} --json`);
          assert.equal(run.code, 2, `${path} to ${target}: ${run.stdout}${run.stderr}`);
          assert.ok(run.stdout.includes(`refusing to use a symbolic link: ${link}`), run.stdout);
          await assertOutsideIsUntouched();
          assert.equal((await lstat(link)).isSymbolicLink(), true);
          await rm(link);
          if (before !== undefined) await writeFile(link, before, { mode: 0o600 });
        }
      }
    });

  it('replaces the link where a report or a plan is to be', async () => {
    for (const target of [TARGETS['a file'], TARGETS.nothing]) {
      for (const flags of ['--report markdown=out', '--report junit=out', '--report json=out', '--out out']) {
        const link = await linked('out', target);
        const run = await home.run(`jobs plan jobs ${flags}`);
        assert.equal(run.code, 0, run.stderr);
        await assertOutsideIsUntouched();
        assert.equal((await lstat(link)).isFile(), true);
      }
    }
  });
});

describe('logins that run at the same time', () => {
  const servers = realServers('all tests');

  it('keep every profile, in 15 rounds of 4', async function () {
    this.timeout(300_000);
    const { origin } = await servers.listen(answering(200, { items: [] }));
    for (let round = 0; round < 15; round++) {
      const home = round % 2 ? await newHome() : await withEngine();
      const names = ['a', 'b', 'c', 'd'];
      const runs = names.map((name) => {
        return home.start(`auth login ${name} --with-key --base-url ${origin}/v1`, { stdin: KEY }).ended;
      });
      for (const run of await Promise.all(runs)) assert.equal(run.code, 0, run.stderr);
      const { items } = await home.must<{ items: { name: string }[] }>('auth list');
      const actual = items.map(({ name }) => name);
      assert.deepEqual(actual, names);
    }
  });
});
