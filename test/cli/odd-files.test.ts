import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ERRORS, EXIT } from '../../src/contract/errors.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { fixture } from '../fixture.ts';
import { withDrafts, withEngine } from './homes.ts';
import { isNotHere, shellEnvironment } from './shell.ts';

const LISTING = JSON.stringify(COMPLETE_LISTING);

describe('a set of files with something odd in it', () => {
  const home = fixture('all tests', withEngine);

  it('is checked all the same where a name is not UTF-8: that is one finding', async () => {
    const directory = join(home.path, 'latin');
    await mkdir(directory);
    await writeFile(join(directory, 'good.json'), LISTING);
    const name = Buffer.concat([Buffer.from(`${directory}/caf`), Buffer.from([0xe9]), Buffer.from('.json')]);
    await writeFile(name, LISTING);
    // A shell passes the raw bytes, and Node decodes the invalid one as U+FFFD.
    const bySystem = `${directory}/caf\ufffd.json`;
    for (const paths of [[directory], [`${directory}/*.json`], [join(directory, 'good.json'), bySystem]]) {
      const run = await home.run(['jobs', 'validate', ...paths, '--json']);
      assert.equal(run.code, 3, run.stdout);
      const report = run.json() as { listings: number; findings: { level: string; file: string }[] };
      assert.equal(report.listings, 2);
      const errors = report.findings.filter(({ level }) => level === 'error');
      assert.equal(errors.length, 1);
      assert.match(errors[0]?.file ?? '', /latin\/caf\ufffd\.json$/, `${paths}`);
    }
    const run = await home.run(['jobs', 'plan', directory, '--keep-going']);
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stdout, /good\.json/);
  });

  it('ends with exit 2 and the path where a directory may not be entered, or a name is too long: no report of a bug', async () => {
    const other = await withEngine();
    await mkdir(join(other.path, 'closed'));
    await other.file('feed.json', '[]');
    await other.file('cook.json', LISTING);
    await other.handOver();
    await chmod(join(other.path, 'closed'), 0);
    const long = 'n'.repeat(300);
    const lines = [
      ['jobs import feed.json --from lever --out closed/out', 'closed/out'],
      ['jobs import closed --out out', 'closed'],
      ['jobs apply cook.json --state closed/state.json', 'closed/state.json'],
      [`jobs apply cook.json --state ${long}`, long],
    ] as const;
    const check = async ([line, path]: (typeof lines)[number]) => {
      const { code, stderr } = await other.run(line, { asNobody: true });
      assert.equal(code, 2, `${line}: ${stderr}`);
      assert.ok(stderr.includes(path), stderr);
      assert.doesNotMatch(stderr, /\n {4}at |bug in partner/);
    };
    await Promise.all(lines.map(check));
  });

  it('answers the first Ctrl-C in a wait for a named pipe: exit 130', async () => {
    const pipe = join(home.path, 'waiting.json');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const run = home.start(['jobs', 'validate', pipe]);
    // Opening the pipe for writing blocks until the command has opened it for reading.
    const writer = await open(pipe, 'w');
    run.child.kill('SIGINT');
    const { code, stderr } = await run.ended;
    await writer.close();
    assert.equal(code, EXIT.interrupted);
    assert.match(stderr, /^error: interrupted$/m);
  });
});

describe('a path below /dev', () => {
  const home = fixture('all tests', withDrafts);
  before(async () => {
    await mkdir(join(home.path, 'set'));
    await home.file('set/cook.json', { title: 'Line cook' });
  });

  it('of a link in /dev/shm is replaced as anywhere else: what the link leads to is unchanged, a backup private', async function () {
    if (isNotHere('/dev/shm')) return this.skip();
    const shared = await mkdtemp('/dev/shm/partner-');
    const theirs = await home.file('theirs', 'theirs');
    const links = ['report', 'plan', 'backup', 'forced'].map((name) => join(shared, name));
    for (const link of links) await symlink(theirs, link);
    const [report, plan, backup, forced] = links;
    await home.must(`jobs plan set --report json=${report} --out ${plan}`);
    assert.equal((await home.run(`engine backup ${backup}`)).code, ERRORS.USAGE.exit);
    await home.must(`engine backup ${forced} --force`);
    assert.equal(await readFile(theirs, 'utf8'), 'theirs');
    const written = links.filter((link) => lstatSync(link).isFile());
    assert.deepEqual(written, [report, plan, forced]);
    assert.equal(lstatSync(String(forced)).mode & 0o777, 0o600);
    await rm(shared, { recursive: true });
  });

  it('of a stream of the process is written to, a redirected file where it ends, and a process substitution', async () => {
    const env = await shellEnvironment(home);
    const shell = (line: string) =>
      execFileSync('bash', ['-c', line], { cwd: home.path, env, encoding: 'utf8', stdio: 'pipe' });
    const backUp = 'partner engine backup';
    shell(`printf before > out; ${backUp} /dev/stdout -q >> out; ${backUp} /dev/fd/3 -q 3> direct`);
    const sizes = ['out', 'direct'].map((name) => lstatSync(join(home.path, name)).size);
    assert.match(await readFile(join(home.path, 'out'), 'latin1'), /^before/);
    assert.ok(Number(sizes[1]) > 100 && Number(sizes[0]) >= Number(sizes[1]), String(sizes));
    shell('partner jobs plan set --report json=>(cat > given) --out /dev/null > /dev/null; wait $!');
    assert.ok('items' in JSON.parse(await readFile(join(home.path, 'given'), 'utf8')));
    // A link to a pipe must not make the command wait.
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(home.path, 'pipe')]);
    await symlink('pipe', join(home.path, 'to-pipe'));
    assert.equal((await home.run('engine backup to-pipe')).code, ERRORS.USAGE.exit);
    await home.must('engine backup to-pipe --force');
  });
});
