import assert from 'node:assert/strict';
import { withDrafts, withLiveJob } from './homes.ts';
import { type Home, newHome, type Run } from './partner.ts';

async function inEachForm(from: () => Promise<Home>, line: string): Promise<[Run, Run, Run]> {
  const run = async (form: string): Promise<Run> => (await from()).run(`${line}${form}`);
  return [await run(''), await run(' --json'), await run(' --quiet')];
}

describe('what is said on stderr after a command', () => {
  const TOO_LOW =
    /^warning: the DAILY cap of \$0\.50 is less than one bid \(\$[\d.]+\): .* caps are in cents: 5000 is \$50\.00$/;
  const lineOf = ({ stderr }: Run): string => stderr.trim().replace(/\n/g, ' ');

  it('is that a cap hides the job, but not under --json or --quiet', async () => {
    const caps = '--budget DAILY=50 --budget WEEKLY=36000 --budget LIFETIME=0';
    for (const line of ['budgets set 1 --daily-cents 50', `jobs update 1 ${caps}`]) {
      const [text, json, quiet] = await inEachForm(withLiveJob, line);
      assert.match(lineOf(text), TOO_LOW);
      assert.deepEqual([json.stderr, quiet.stderr], ['', '']);
      assert.deepEqual([text.code, json.code, quiet.code], [0, 0, 0]);
    }
  });

  it('is what leads on from the state of the job that a move was refused for', async () => {
    const [drafts, live] = [await withDrafts(), await withLiveJob()];
    const refused = async (home: Home, line: string) => (await home.run(line)).stderr;
    const expected = /→ nothing to do: candidates can't see drafts/;
    assert.match(await refused(drafts, 'jobs pause 1'), expected);
    const draft = /→ drafts can't be closed or deleted, .*candidates can't see them.*`partner jobs update 1`/;
    assert.match(await refused(drafts, 'jobs close 1 --yes'), draft);
    assert.match(await refused(live, 'jobs publish 1'), /→ nothing to do\. Pass `--ensure`/);
    await live.must('jobs close 1 --yes');
    for (const line of ['jobs resume 1', 'jobs update 1 --title Cook'])
      assert.match(await refused(live, line), /→ copy it to a new draft with `partner jobs repost 1`/);
  });
});

describe('what a command says it did', () => {
  it('is nothing of a job that --ensure found there already', async () => {
    const home = await withLiveJob();
    const run = await home.run('jobs publish 1 --ensure');
    assert.match(run.stdout, /^✓ No change needed: 1 Journeyman electrician · live until /);
    const batch = await home.run('jobs publish 1 999 --ensure --json');
    const { items } = batch.json() as { items: object[] };
    assert.deepEqual(Object.keys(items[0] ?? {}), ['id', 'job'], 'the document is that of any other job');
  });
});

describe('a next step leads somewhere', () => {
  it('from logging out without a profile, to logging in', async () =>
    assert.match(
      (await (await newHome()).run('auth logout')).stderr,
      /→ log in to a server with `partner auth login`/,
    ));
});
