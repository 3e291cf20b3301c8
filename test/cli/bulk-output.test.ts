import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { draftSet, type JobSet, listingOf, liveSet, newSet } from './bulk.ts';
import { terminals } from './terminal.ts';
import unasked from './unasked.json' with { type: 'json' };

async function mixed(): Promise<JobSet> {
  const set = await draftSet();
  await set.home.must('jobs update 3 --salary-max 49');
  await set.write('b.json', listingOf('Welder', { salaryMax: 50 }));
  await set.write('c.json', listingOf('Cook', { salaryMax: 51 }));
  await set.write('d.json', listingOf('Driver'));
  return set;
}

describe('jobs plan and jobs apply in a pipe', () => {
  it('print a tab-separated row for each listing that needs something, and the summary on stderr', async () => {
    const set = await mixed();
    const planned = await set.home.run('jobs plan jobs');
    assert.deepEqual(planned.stdout.split('\n'), [
      'update\tb.json\t2\t\tsalaryMax\t\tsalaryMax $46 → $50\tb.json',
      'held\tc.json\t3\t\tsalaryMax\tBOTH_CHANGED\tsalaryMax $49 → $51\tc.json',
      'create\td.json\t\t\t\t\t\td.json',
      '',
    ]);
    assert.match(planned.stderr, /^Plan: 1 to create, 1 to update, 1 held, 1 unchanged$/m);
    const applied = await set.home.run('jobs apply jobs');
    assert.equal(applied.code, 9);
    const rows = applied.stdout.split('\n').map((row) => row.split('\t').slice(0, 4).join(' '));
    assert.deepEqual(rows, ['updated b.json 2 ', 'held c.json 3 BOTH_CHANGED', 'created d.json 4 ', '']);
    assert.match(applied.stderr, /^Apply: 1 created, 1 updated, 1 held, 1 unchanged in /m);
  });
});

describe('jobs plan --fail-on-drift', () => {
  it('is exit 10 for edits made on the server, also where no file has changed, and 0 for changes of files alone', async () => {
    const set = await draftSet();
    const drift = (...flags: string[]) => set.plan(['--fail-on-drift', ...flags]);
    assert.equal((await drift()).code, 0);
    await set.write('b.json', listingOf('Welder', { salaryMax: 50 }));
    assert.equal((await drift()).code, 0);
    assert.equal((await drift('--exit-code')).code, 10);
    await set.write('b.json', listingOf('Welder'));
    await set.home.must('jobs update 3 --salary-max 49');
    const edited = await drift();
    assert.deepEqual([edited.code, edited.done, edited.noted], [10, [], ['EDITED_ON_SERVER']]);
    const undone = await drift('--overwrite');
    const expected = [10, ['EDITED_ON_SERVER']];
    assert.deepEqual([undone.code, undone.noted], expected, 'also where the plan undoes them');
    assert.equal((await set.plan('--exit-code')).code, 0, 'without it an edit is nothing to do');
    const { stderr } = await set.home.run('jobs plan jobs --fail-on-drift');
    assert.match(stderr, /^1 job was edited on the server$/m);
  });
});

describe('--report', () => {
  it('writes json, junit and markdown, and annotates on stderr, whether it went well or not', async () => {
    const set = await mixed();
    const flags = ['json=all.json', 'junit=all.xml', 'markdown=all.md', 'github'];
    const { code, stderr } = await set.apply(flags.flatMap((each) => ['--report', each]));
    assert.equal(code, 9);
    const read = (name: string) => readFile(join(set.home.path, name), 'utf8');
    const json = JSON.parse(await read('all.json'));
    const done = json.items.map(({ key, result }: { key: string; result: string }) => `${result} ${key}`);
    assert.deepEqual(done, ['updated b.json', 'held c.json', 'created d.json']);
    assert.match(await read('all.xml'), /<testcase[^>]*c\.json[\s\S]*BOTH_CHANGED/);
    assert.match(await read('all.md'), /c\.json/);
    assert.equal(stderr.match(/^::(?:error|warning) file=jobs\/c\.json,line=1/gm)?.length, 1, stderr);
    assert.equal(stderr.match(/^Apply: /gm)?.length, 1, stderr);
  });

  it('and --out are refused where the next run would take them for job files, or they would replace one', async () => {
    const set = await newSet();
    const before = await readFile(join(set.home.path, 'jobs/a.json'), 'utf8');
    const runs = await Promise.all([
      set.plan('--out jobs/plan.json'),
      set.plan('--out jobs/a.json', { paths: ['jobs/a.json'] }),
      set.apply('--report json=report.json', { paths: ['.'] }),
    ]);
    for (const { code, error, calls } of runs) assert.deepEqual([code, error?.code, calls], [2, 'USAGE', []]);
    assert.equal(await readFile(join(set.home.path, 'jobs/a.json'), 'utf8'), before);
    assert.equal((await set.plan('--out jobs/plan.txt')).code, 0);
  });
});

describe('on a terminal', () => {
  const openTerminal = terminals();

  it('of 40 columns a plan is read from line to line, and an apply says what is left', async () => {
    const set = await mixed();
    const terminal = await openTerminal({ home: set.home, columns: 40, rows: 60 });
    const planned = await terminal.run('partner jobs plan jobs');
    assert.equal(planned.code, 0);
    assert.match(planned.screen, /~ update +b\.json[\s\S]*salaryMax[\s\S]*46 *→ *50|46[\s\S]*50/);
    assert.match(planned.screen, /! held +c\.json/);
    assert.match(planned.screen, /\+ create +d\.json/);
    assert.match(planned.screen, /apply it with `partner jobs apply\s+jobs`/);
    const applied = await terminal.run('partner jobs apply jobs');
    assert.equal(applied.code, 9);
    assert.match(applied.screen, /Held: 1[\s\S]*c\.json · job 3[\s\S]*--overwrite/);
  });

  it('jobs go live only once the plan was shown and agreed to: one question, also where others are closed', async () => {
    const set = await liveSet();
    await set.remove('b.json');
    await set.write('d.json', listingOf('Driver'));
    const env = { NODE_OPTIONS: `--require ${fileURLToPath(new URL('an-hour-later.cjs', import.meta.url))}` };
    const terminal = await openTerminal({ home: set.home, env });
    const apply = 'partner jobs apply jobs --publish --prune';
    await terminal.enter(`${apply} --report json=r.json; echo "[exit $?]"`);
    await terminal.shows(
      /\+ create +d\.json · goes live\n[\s\S]*Plan: 1 to create, 1 to close[\s\S]*Publish 1 job and close 1 job permanently\?/,
    );
    await terminal.press('Enter');
    await terminal.shows(/Nothing was changed[\s\S]*\[exit 130\]/);
    assert.equal(set.home.storedJobs(), 3);
    const { error } = JSON.parse(await readFile(join(set.home.path, 'r.json'), 'utf8'));
    assert.deepEqual([error.code, error.message], ['INTERRUPTED', 'canceled. Nothing was changed']);
    await terminal.enter(`${apply}; echo "[exit $?]"`);
    await terminal.shows(/permanently\?/);
    await set.home.file('an-hour-later', '');
    await terminal.press('y', 'Enter');
    await terminal.shows(/1 created, 1 closed[^\n]* in [\d.]+ m?s\b[\s\S]*\[exit 0\]/);
  });

  it('an apply asks nothing with --yes, --no-input or --json, of a saved plan, and where nothing goes live', async () => {
    const set = await newSet();
    const terminal = await openTerminal({ home: set.home });
    for (const line of unasked) assert.equal((await terminal.run(line)).code, 0, line);
    const { items } = await set.home.must<{ items: { status: string }[] }>('jobs list');
    const statuses = items.map(({ status }) => status);
    assert.deepEqual(statuses, ['ACTIVE', 'ACTIVE', 'ACTIVE']);
  });
});
