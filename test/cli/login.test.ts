import assert from 'node:assert/strict';
import { realServers } from '../client/real-server.ts';
import { type Home, newHome } from './partner.ts';
import { answering, KEY } from './servers.ts';
import { ENDED, type Terminal, terminals } from './terminal.ts';

const servers = realServers('each test');

/** With `undefined`, the server can't list jobs. */
async function serverWith(jobs: readonly object[] | undefined): Promise<string> {
  const missing = { error: { code: 'NOT_FOUND', message: 'address not found' } };
  const { origin } = await servers.listen((arrived, ...io) => {
    const isList = arrived.url?.startsWith('/v1/jobs') === true;
    const answer =
      isList && jobs === undefined ? answering(404, missing) : answering(200, { items: isList ? jobs : [] });
    answer(arrived, ...io);
  });
  return `${origin}/v1`;
}

const JOB = { id: 1, title: 'Nurse', status: 'DRAFT', companyId: 'cmp_acme' };

async function withAtlas(): Promise<Home> {
  const home = await newHome();
  const atlas = { baseUrl: 'https://atlas.example/v1', key: KEY };
  await home.file('config/config.json', { current: 'atlas', profiles: { atlas } });
  return home;
}

function login(home: Home, url: string, flags = '') {
  return home.run(`auth login acme --with-key --base-url ${url}${flags}`, { stdin: KEY });
}

async function currentOf(home: Home): Promise<string | undefined> {
  const { items } = await home.must<{ items: { name: string; isCurrent: boolean }[] }>('auth list');
  return items.find(({ isCurrent }) => isCurrent)?.name;
}

describe('a login says whose jobs the key acts on', () => {
  it('where the server lists one, and shows nothing of it raw', async () => {
    const [home, url] = [
      await newHome(),
      await serverWith([{ ...JOB, companyId: 'cmp\u001b[31m_acme\u202e' }]),
    ];
    const { code, stdout } = await login(home, url);
    const said =
      'as profile acme, which is now the current profile\nThis key manages the jobs of company cmp_acme\n';
    assert.deepEqual([code, stdout], [0, `Logged in to ${url} ${said}`]);
    const json = (await login(home, await serverWith([JOB]), ' --json')).json() as object;
    const expected = { name: 'acme', baseUrl: url, isCurrent: true, companyId: 'cmp_acme' };
    assert.deepEqual({ ...json, baseUrl: url }, expected);
  });

  it('and that it cannot tell where no job does: the login is done all the same', async () => {
    for (const jobs of [[], undefined, [{ id: 1, title: 'Nurse' }]]) {
      const [home, url] = [await newHome(), await serverWith(jobs)];
      const { code, stdout } = await login(home, url);
      assert.equal(code, 0);
      assert.match(stdout, /^The key's company is unknown, because the server listed no jobs/m);
      const expected = { name: 'acme', baseUrl: url, isCurrent: true };
      assert.deepEqual((await login(home, url, ' --json')).json(), expected);
      assert.equal(await currentOf(home), 'acme');
    }
  });
});

describe('a login makes its profile the current one', () => {
  it('also in place of another where nobody can be asked, as scripts rely on', async () => {
    const home = await withAtlas();
    const expected = /as profile acme, which is now the current profile\n/;
    assert.match((await login(home, await serverWith([JOB]))).stdout, expected);
    assert.equal(await currentOf(home), 'acme');
  });

  it('but not under --no-switch, and says where calls still go', async () => {
    const [home, url] = [await withAtlas(), await serverWith([JOB])];
    const { stdout, stderr } = await login(home, url, ' --no-switch');
    assert.match(stdout, /as profile acme\. Requests still go to the server of profile atlas\n/);
    assert.match(stderr, /with `partner auth switch acme`, or use `--profile acme`/);
    assert.equal(await currentOf(home), 'atlas');
    const first = await newHome();
    assert.match(
      (await login(first, url, ' --no-switch')).stdout,
      /Requests still go to the bundled engine\n/,
    );
    assert.equal(await currentOf(first), undefined);
  });
});

describe('a login at a terminal', () => {
  const QUESTION = /Make acme the current profile instead of atlas\? \(Y\/n\)/;
  const openTerminal = terminals();

  async function typed(home: Home, flags: string, then: RegExp): Promise<Terminal> {
    const terminal = await openTerminal({ home, columns: 100 });
    await terminal.start(`partner auth login acme --base-url ${await serverWith([])} ${flags}`);
    await terminal.shows(/Partner key:/);
    await terminal.type(KEY);
    await terminal.press('Enter');
    await terminal.shows(then);
    return terminal;
  }

  it('asks where another profile is the current one: Enter makes it acme, n leaves it', async () => {
    for (const [keys, current] of [
      [['Enter'], 'acme'],
      [['n', 'Enter'], 'atlas'],
    ] as const) {
      const home = await withAtlas();
      const window = await typed(home, '', QUESTION);
      await window.press(...keys);
      assert.match(await window.shows(ENDED), /\[exit 0\]/);
      assert.equal(await currentOf(home), current);
    }
  });

  it('keeps nothing where that question is left by Ctrl-C', async () => {
    const window = await typed(await withAtlas(), '', QUESTION);
    await window.interrupt();
    assert.doesNotMatch((await window.run('partner auth list')).screen, /acme/);
  });

  it('asks nothing where the answer is given, or where no other profile would give way', async () => {
    for (const [home, flags] of [
      [await withAtlas(), '--switch'],
      [await newHome(), ''],
    ] as const) {
      const window = await typed(home, flags, ENDED);
      assert.doesNotMatch(await window.screen(), /Make acme/);
      assert.equal(await currentOf(home), 'acme');
    }
  });
});
