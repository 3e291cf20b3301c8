import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { resolvedListing } from '../../bench/listings.ts';
import { SpecUser } from '../spec-server/commands.ts';
import { times } from '../times.ts';
import { withCard, withLiveJob } from './homes.ts';

const TEXTS = {
  title: ' NO: 24/7 – Welder (m/f/d) 🔥',
  description: 'One:\n\n---\n- a list\n- of two, "quoted"; and so on\n\n# Not a heading',
};

const COUNT = times(102, 1000);
const SOME = times(12, 40);

describe('jobs export --out', () => {
  /** Texts and places that a writer could change, in a file that `apply` reads. */
  const listings = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...resolvedListing(at),
      ...(at % 9 === 0 ? { description: TEXTS.description, title: `${TEXTS.title} #${at}` } : {}),
      ...(at % 7 === 0 ? { budgets: [{ window: 'DAILY', budgetCents: 12_345, notes: ' Q3: "x" ' }] } : {}),
      ...(at % 2 === 0 ? { publish: true } : {}),
    }));

  it(`writes ${COUNT} jobs so that plan has nothing to do, and goes on after a lost state`, async () => {
    const home = await withCard();
    const lines = listings(COUNT - 2).map((listing) => JSON.stringify(listing));
    await home.file('set.ndjson', lines.join('\n'));
    await home.must('jobs apply set.ndjson --state first.json --yes');
    const some = Array.from({ length: SOME }, (_, at) => String(at + 1));
    for (const [format, ids, count] of [
      ['yaml', [], COUNT] as const,
      ['json', some, SOME] as const,
      ['md', some, SOME] as const,
    ]) {
      const line = ['jobs', 'export', ...ids, '--out', format, '--format', format];
      assert.equal((await home.must<{ items: object[] }>(line)).items.length, count);
      const { stderr } = await home.run(`jobs plan ${format} --exit-code`);
      assert.match(stderr.replaceAll(',', ''), new RegExp(`nothing to do ${count} unchanged`));
    }
    const before = await readdir(join(home.path, 'yaml'));
    await rm(join(home.path, 'yaml/.partner'), { recursive: true });
    await home.must('jobs export --out yaml');
    assert.deepEqual(await readdir(join(home.path, 'yaml')), before);
    await home.must('jobs plan yaml --exit-code');
  });

  it('keeps files it did not write, and fields that the defaults of the directory would fill', async () => {
    const home = await withLiveJob();
    for (const title of ['Night nurse', 'Night nurse']) await home.must(['jobs', 'create', '--title', title]);
    await home.must(['jobs', 'close', '1', '--yes']);
    const mine = {
      'jobs/Night-Nurse.yaml': 'title: Mine\n',
      'jobs/_defaults.yaml': 'publish: true\njobLevel: MID\n',
    };
    await mkdir(join(home.path, 'jobs'));
    for (const [name, text] of Object.entries(mine)) await home.file(name, text);
    const { items, ended } = await home.must<{ items: { file: string }[]; ended: number }>(
      'jobs export --out jobs --json',
    );
    assert.equal(ended, 1);
    const files = items.map(({ file }) => file);
    assert.deepEqual(
      files,
      ['2', '3', '4'].map((id) => `jobs/night-nurse-${id}.yaml`),
    );
    assert.match(
      await readFile(join(home.path, files[0] ?? ''), 'utf8'),
      /^# Exported from job 2 \(DRAFT\)\n/,
    );
    for (const [name, text] of Object.entries(mine))
      assert.equal(await readFile(join(home.path, name), 'utf8'), text);
    await rm(join(home.path, 'jobs/Night-Nurse.yaml'));
    await home.must('jobs plan jobs --exit-code');
    assert.equal((await home.run('jobs export')).code, 2);
    assert.equal((await home.run('jobs export 2 --status DRAFT')).code, 2);
  });

  it('exports given jobs of a server that lists none, to any state', async () => {
    const user = await SpecUser.of({});
    try {
      const ids = [await user.job(true), await user.job(false), await user.job(true)];
      await rm(user.home.data, { recursive: true });
      const state = ['--state', 'elsewhere.json'];
      const { items } = await user.json<{ items: object[] }>([
        'jobs',
        'export',
        ...ids,
        '--out',
        'out',
        ...state,
      ]);
      assert.equal(items.length, 3);
      await user.ends(0, ['jobs', 'plan', 'out', '--exit-code', ...state]);
      const { stderr } = await user.ends(0, ['jobs', 'export', '--out', 'none']);
      assert.match(stderr, /didn't list its jobs[\s\S]*exported 0 jobs/);
    } finally {
      await user.server.close();
    }
  });
});
