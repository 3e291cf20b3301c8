import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../../src/contract/errors.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { withEngine } from './homes.ts';
import type { Home } from './partner.ts';

const LISTING = JSON.stringify(COMPLETE_LISTING);

describe('a set of files with something odd in it', () => {
  let home: Home;
  before(async () => {
    home = await withEngine();
  });

  it('is checked all the same where a name is not UTF-8: that is one finding', async () => {
    const directory = join(home.path, 'latin');
    await mkdir(directory);
    await writeFile(join(directory, 'good.json'), LISTING);
    const name = Buffer.concat([Buffer.from(`${directory}/caf`), Buffer.from([0xe9]), Buffer.from('.json')]);
    await writeFile(name, LISTING);
    // A shell gives the bytes of the name, which Node does not take apart.
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
    for (const [line, path] of [
      ['jobs import feed.json --from lever --out closed/out', 'closed/out'],
      ['jobs import closed --out out', 'closed'],
      ['jobs apply cook.json --state closed/state.json', 'closed/state.json'],
      [`jobs apply cook.json --state ${long}`, long],
      [`jobs import feed.json --from lever --out ${long}`, long],
    ] as const) {
      const { code, stderr } = await other.run(line, { asNobody: true });
      assert.equal(code, 2, `${line}: ${stderr}`);
      assert.ok(stderr.includes(path), stderr);
      assert.doesNotMatch(stderr, /\n {4}at |bug in partner/);
    }
  });

  it('answers the first Ctrl-C in a wait for a named pipe: exit 130', async () => {
    const pipe = join(home.path, 'waiting.json');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const run = home.start(['jobs', 'validate', pipe]);
    // Opened for writing only when the command has opened it for reading.
    const writer = await open(pipe, 'w');
    run.child.kill('SIGINT');
    const { code, stderr } = await run.ended;
    await writer.close();
    assert.equal(code, EXIT.interrupted);
    assert.match(stderr, /^error: interrupted$/m);
  });
});
