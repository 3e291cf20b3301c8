import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realServers } from '../client/real-server.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { withDrafts, withLiveJob } from './homes.ts';
import type { Home } from './partner.ts';
import { ENDED, type Terminal, terminals } from './terminal.ts';

const WHICH = /\? What do you want to change\?/;

describe('the form of `jobs update ID`, at a terminal', () => {
  const servers = realServers('each test');
  const openTerminal = terminals();

  async function start(home: Home, line: string): Promise<Terminal> {
    const terminal = await openTerminal({ home, rows: 90, columns: 100 });
    await terminal.start(line);
    return terminal;
  }

  async function serving(job: object): Promise<{ readonly line: string; readonly sent: object[] }> {
    const sent: object[] = [];
    const server = await servers.listen(({ method, body }, _, response) => {
      if (method === 'PATCH') sent.push(JSON.parse(body));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...job, ...sent.at(-1) }));
    });
    const call = `PARTNER_API_KEY=sk_ext_4c1d9f3c2ab7e8d6 partner jobs update 1 --interactive`;
    return { line: `${call} --base-url ${server.origin}/v1`, sent };
  }

  it('sends what was changed alone, and shows what applications have locked', async () => {
    const home = await withLiveJob();
    const job = await home.must<object>('jobs get 1');
    const { line, sent } = await serving({ ...job, isFrozen: true });
    const window = await start(home, line);
    const menu = await window.shows(WHICH);
    assert.match(menu, /❯ Title Journeyman electrician\n/);
    await window.press('Enter');
    await window.shows(/\? Title[\s\S]*Enter keeps it[\s\S]*\n> \(Journeyman electrician\)/);
    await window.type('Master electrician');
    await window.press('Enter');
    await window.shows(/\? What else do you want to change\?\n❯ send 1 change title/);
    await window.type('your');
    await window.shows(/❯ Your bid \$18\.00/);
    await window.press('Down');
    await window.shows(
      /❯ Required qualifications Texas journeyman license \(locked: the job has applications\)/,
    );
    await window.press('Enter');
    await window.shows(/This option is disabled/);
    await window.type('send');
    await window.shows(/❯ send 1 change/);
    await window.press('Enter');
    assert.match(await window.shows(ENDED), /^Master electrician\njob 1 · ACTIVE[\s\S]*\[exit 0\]/m);
    assert.deepEqual(sent, [{ title: 'Master electrician' }]);
  });

  it('does not send what would leave a live job incomplete, and empties a field by Backspace', async () => {
    const home = await withLiveJob();
    const window = await start(home, 'partner jobs update 1 --interactive');
    await window.shows(WHICH);
    await window.press('Enter');
    await window.shows(/> \(Journeyman electrician\)/);
    await window.press('BSpace', 'Enter');
    await window.shows(
      /^- send 1 change title \(a live job must stay complete \(1 missing field\)\)\n❯ Title$/m,
    );
    await window.interrupt();
    const { title } = await home.must<{ title: string }>('jobs get 1');
    assert.equal(title, 'Journeyman electrician');
  });

  it('walks through what an incomplete draft lacks, in order, and warns of a cap below the bid', async () => {
    const {
      title: _,
      salaryMin,
      salaryMax,
      bidPerQualifiedApplicantCents,
      budgets,
      ...others
    } = COMPLETE_LISTING;
    const home = await withDrafts();
    const { id } = await home.must<{ id: number }>(['jobs', 'create', await home.file('part.json', others)]);
    const window = await start(home, `partner jobs update ${id} --interactive`);
    for (const [question, answer] of [
      [/\? Title\b/, 'Welder'],
      [/\? Pay from/, '$42-71'],
      [/✔ Pay from \$42 – \$71[\s\S]*\? Your bid/, '18.50'],
    ] as const) {
      await window.shows(question);
      await window.type(answer);
      await window.press('Enter');
    }
    await window.shows(/\? What else do you want to change\?\n❯ send 4 changes/);
    await window.type('spend');
    await window.press('Enter');
    await window.shows(/\? Cap 1/);
    await window.type('9 a day');
    await window.press('Enter');
    await window.shows(/warning: the DAILY cap of \$9\.00 is less than one bid \(\$18\.50\)[\s\S]*\? Cap 2/);
    await window.press('Enter');
    await window.shows(/❯ send 5 changes/);
    await window.press('Enter');
    await window.shows(ENDED);
    const job = await home.must<Record<string, unknown>>(`jobs get ${id}`);
    assert.deepEqual([job.title, job.salaryMin, job.salaryMax], ['Welder', 42, 71]);
    assert.equal(job.bidPerQualifiedApplicantCents, 1850);
  });

  it('asks nothing of a closed job, nor where nobody can answer', async () => {
    const home = await withLiveJob();
    await home.must('jobs close 1 --yes');
    const window = await start(home, 'partner jobs update 1 --interactive');
    assert.match(await window.shows(ENDED), /job 1 is CLOSED and can't be edited[\s\S]*\[exit 6\]/);
    for (const line of [
      'partner jobs update 2 --interactive --json',
      'CI=1 partner jobs update 2 --interactive',
    ]) {
      const { screen, code } = await window.run(line);
      assert.equal(code, 2);
      assert.match(screen, /there is no terminal to prompt on/);
    }
  });
});

describe('`jobs edit ID`, at a terminal', () => {
  const openTerminal = terminals();
  const EDIT = 'partner jobs edit 1';

  /** The editor runs these `sed` scripts in turn, and keeps what it was shown. */
  async function start(scripts: readonly string[], line = EDIT) {
    const home = await withLiveJob();
    for (const [at, script] of scripts.entries()) await home.file(`sed-${at}`, script);
    await home.file(
      'editor.sh',
      'n=$(ls shown-* 2>/dev/null | wc -l); cp "$1" "shown-$n"; sed -i -f "sed-$n" "$1"\n',
    );
    const terminal = await openTerminal({ home, rows: 60, columns: 120, env: { VISUAL: 'sh editor.sh' } });
    await terminal.start(line);
    const shown = (at: number) => readFile(join(home.path, `shown-${at}`), 'utf8');
    return { home, terminal, shown };
  }

  it('shows the problems in the file again, then the changes, and sends those alone once they are confirmed', async () => {
    const { home, terminal, shown } = await start([
      's/^jobLevel: .*/jobLevel: BOSS/',
      's/BOSS/SENIOR/; /^atsJobUrl/d',
    ]);
    assert.match(await terminal.shows(/\? Update job 1/), /jobLevel +\S+ → SENIOR/);
    assert.match(await shown(0), /^# Save and close[\s\S]*\ntitle: /);
    assert.match(
      await shown(1),
      /^# ! .*invalid listing: 1 problem\n# ! jobLevel: must be[\s\S]*\njobLevel: BOSS\n/m,
    );
    await terminal.type('y');
    await terminal.press('Enter');
    await terminal.shows(/\[exit 0\]/);
    const { jobLevel, title } = await home.must<{ jobLevel: string; title: string }>('jobs get 1');
    assert.deepEqual([jobLevel, title], ['SENIOR', 'Journeyman electrician']);
  });

  for (const [what, script] of Object.entries({ unchanged: 's/x/x/', emptied: 'd' }))
    it(`sends nothing if the file is ${what}`, async () => {
      const { terminal } = await start([script]);
      assert.match(await terminal.shows(ENDED), /nothing was changed or sent\n\[exit 0\]/);
    });

  it('keeps the file if the changes are declined, and needs a terminal', async () => {
    const { home, terminal } = await start(['s/^title: .*/title: Welder/']);
    await terminal.shows(/\? Update job 1/);
    await terminal.type('n');
    await terminal.press('Enter');
    const [, path = ''] = /your version is in (\S+\.yaml)/.exec(await terminal.shows(ENDED)) ?? [];
    assert.match(await readFile(path, 'utf8'), /^title: Welder$/m);
    const { code, stderr } = await home.run('jobs edit 1');
    assert.equal(code, 2);
    assert.match(stderr, /partner jobs update 1/);
  });
});
