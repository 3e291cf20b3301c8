import assert from 'node:assert/strict';
import { chmod, chown, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding } from '../../src/listings/check/finding.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { emptySet, type JobSet, listingOf, together } from './bulk.ts';

const it = together();

const { salaryPeriod: _, jobType: __, ...OWN } = COMPLETE_LISTING;
const FEED = fileURLToPath(new URL('../../examples/import/greenhouse.json', import.meta.url));
const SHARED = 'jobType: FULL_TIME\nsalaryPeriod: HOURLY\nplaces:\n  HQ: 4671654\n';

async function dozen(shared = SHARED): Promise<JobSet> {
  const set = await emptySet();
  await set.write('_defaults.yaml', shared);
  for (let at = 0; at < 12; at++) {
    const name = `${at % 2 === 0 ? '' : 'east/'}${at}.json`;
    await set.write(name, { ...OWN, title: `Job ${at}`, locations: ['hq'] });
  }
  return set;
}

async function validated(set: JobSet, path = 'jobs'): Promise<string[]> {
  const run = await set.home.run(['jobs', 'validate', path, '--json']);
  const { findings } = run.json() as { findings: readonly Finding[] };
  return findings.map(
    ({ file, line, column, field, message }) => `${file}:${line}:${column} ${field}: ${message}`,
  );
}

describe('what listings share in a _defaults.yaml', () => {
  it('makes them complete, is no listing itself, and means the same for a file as for its directory', async () => {
    const set = await dozen();
    assert.deepEqual(await validated(set), []);
    assert.deepEqual(await validated(set, 'jobs/east/1.json'), []);
    assert.deepEqual(await validated(set, 'jobs/*.*'), []);
    const itself = await set.home.run('jobs validate jobs/_defaults.yaml');
    assert.deepEqual([itself.code, /isn't a listing/.test(itself.stderr)], [2, true]);
    assert.equal((await set.home.run('jobs create jobs/_defaults.yaml')).code, 2);
    assert.equal((await set.must()).done.length, 12);
  });

  it('is a change of each of them where it changes, and the plan names the file in every form', async () => {
    const set = await dozen();
    await set.must();
    const before = await set.jobs();
    await set.write(
      '_defaults.yaml',
      SHARED.replace('FULL_TIME', 'CONTRACT').replace('4671654', 'Boston, MA'),
    );
    await set.write('east/_defaults.json', { jobType: 'PART_TIME' });
    const plan = await set.plan('--report markdown=plan.md');
    assert.equal(plan.done.filter((one) => one.startsWith('update ')).length, 12);
    const [first] = plan.items as unknown as readonly { changes: { field: string }[]; origins: object }[];
    const fields = first?.changes.map(({ field }) => field);
    assert.deepEqual(fields, ['jobType', 'locations']);
    assert.deepEqual(Object.keys(first?.origins ?? {}).sort(), ['jobType', 'locations', 'salaryPeriod']);
    const rows = (await set.home.run('jobs plan jobs')).stdout;
    assert.match(rows, /^update\t0\.json\t.*jobType FULL_TIME → CONTRACT \(from jobs\/_defaults\.yaml\)/m);
    assert.match(rows, /^update\teast\/1\.json\t.*PART_TIME \(from jobs\/east\/_defaults\.json\)/m);
    assert.deepEqual((await set.must()).done.length, 12);
    assert.deepEqual(await set.jobs(), before);
  });

  it('is wrong once, at its line, however many listings have it; what only one makes wrong names that one', async () => {
    const shared = `${SHARED.replace('HOURLY', 'YEARLY')}  Depot: Astinn\n  Lab: [0]\nsalaryMin: 40\nsalaryperiod: 1\n`;
    const set = await dozen(shared);
    await set.write('0.json', { ...OWN, locations: ['depot'] });
    await set.write('2.json', { ...OWN, salaryMin: undefined, salaryMax: 30, locations: ['HQ'] });
    const found = await validated(set);
    assert.deepEqual(
      found.map((line) => line.split(' ').slice(0, 2).join(' ')),
      [
        'jobs/_defaults.yaml:2:15 salaryPeriod:',
        'jobs/_defaults.yaml:5:10 locations[0]:',
        'jobs/_defaults.yaml:6:8 places.Lab:',
        'jobs/_defaults.yaml:8:1 salaryperiod:',
        'jobs/_defaults.yaml:7:12 salaryMin:',
      ],
    );
    assert.match(found.at(-1) ?? '', /40 is more than salaryMax, 30 \(for jobs\/2\.json:1\)$/);
    const { code, error, calls } = await set.apply();
    const expected = [3, '12 of 12 listings are invalid. Nothing was sent', []];
    assert.deepEqual([code, error?.message, calls], expected);
  });

  it('that cannot be read keeps every listing below it back, and is named once', async () => {
    const set = await dozen();
    await set.must('--publish');
    await set.write('_defaults.yaml', 'jobType: "FULL_TIME\n');
    await rename(join(set.home.path, 'jobs/east/1.json'), join(set.home.path, 'jobs/east/moved.json'));
    const found = await validated(set);
    assert.equal(found.length, 1);
    assert.match(found[0] ?? '', /^jobs\/_defaults\.yaml:\d+:\d+ /);
    const pruned = await set.apply('--prune --yes --keep-going');
    assert.deepEqual([pruned.code, pruned.sent], [3, []]);
    await set.write('_defaults.yaml', SHARED);
    await set.write('_defaults.json', {});
    const expected = /^jobs\/_defaults\.\w+:1:1 : _defaults\.\w+ is in the same directory$/;
    assert.match((await validated(set)).join('\n'), expected);
  });

  it('counts further up only where nobody else could write it; what is ignored is a warning, and publishes nothing', async () => {
    // Only root can change the owner of a file.
    if (process.getuid?.() !== 0) return;
    const set = await emptySet();
    const above = join(set.home.path, 'jobs');
    const parent = await set.write('_defaults.yaml', 'publish: true\n');
    const listing = await set.write('east/a.json', listingOf('Nurse'));
    const planned = async (path: string) => {
      const { stdout, stderr } = await set.home.run(`jobs plan ${path} --json`);
      const isIgnored = /other users can change it/.test(stdout + stderr);
      return `published: ${/"publish": true/.test(stdout)}, ignored: ${isIgnored}`;
    };
    const [USED, IGNORED] = ['published: true, ignored: false', 'published: false, ignored: true'];
    assert.equal(await planned('jobs/east'), USED);
    for (const own of [parent, above]) {
      await chown(own, 65_534, 65_534);
      for (const path of ['jobs/east', 'jobs/east/a.json', 'jobs/east/*.json'])
        assert.equal(await planned(path), IGNORED, path);
      assert.match((await set.home.run('jobs validate jobs/east')).stdout, /_defaults\.yaml.*ignored/);
      for (const line of ['locations resolve jobs/east', `jobs import ${FEED} --dry-run --out jobs/east`])
        assert.match(
          (await set.home.run(line)).stderr,
          /^warning: jobs\/_defaults\.yaml:1:1: ignored/m,
          line,
        );
      assert.equal(await planned('jobs'), USED, 'what was passed is trusted');
      await chown(own, 0, 0);
    }
    await chmod(above, 0o777);
    assert.equal(await planned('jobs/east'), IGNORED);
    await chmod(above, 0o755);
    // Simulates a checkout owned by another user, as in a container.
    for (const path of [parent, above, listing, dirname(listing)]) await chown(path, 1001, 1001);
    for (const path of ['jobs', 'jobs/east', 'jobs/east/a.json', 'jobs/east/*.json'])
      assert.equal(await planned(path), USED, path);
  });

  it('gives way to a flag of create; update takes its places and no field', async () => {
    const set = await emptySet();
    await set.write('_defaults.yaml', SHARED);
    const file = await set.write('a.json', { ...listingOf('Nurse'), jobType: undefined, locations: ['HQ'] });
    const home = set.home;
    const made = await home.must<{ id: number; jobType: string; locations: { city: string }[] }>([
      ...[
        'jobs',
        'create',
        file,
        '--salary-period',
        'HOURLY',
        '--salary-min',
        '30',
        '--salary-max',
        '40',
        '--json',
      ],
    ]);
    assert.deepEqual([made.jobType, made.locations[0]?.city], ['FULL_TIME', 'Austin']);
    await home.must(['jobs', 'update', String(made.id), '--job-type', 'CONTRACT']);
    const changed = await set.write('change.json', { locations: ['Dallas, TX', 'hq'] });
    const job = await home.must<typeof made>(['jobs', 'update', String(made.id), changed, '--json']);
    const expected = ['CONTRACT', ['Dallas', 'Austin']];
    assert.deepEqual([job.jobType, job.locations.map(({ city }) => city)], expected);
    const stdin = await home.run(['jobs', 'validate', '-', '--json'], {
      cwd: join(home.path, 'jobs'),
      stdin: '{}',
    });
    assert.match(stdin.stdout, /"field": "jobType"/);
  });
});
