import assert from 'node:assert/strict';
import { RealServers } from '../client/real-server.ts';
import { type Home, newHome } from './partner.ts';
import { type Terminal, terminals } from './terminal.ts';

const KEY = 'sk_ext_4c1d9f3c2ab7e8d6';
const ENDED = /^\[exit \d+\]\n\$/m;

const servers = new RealServers();

/** A server that takes every key; `jobs` is what it lists, `undefined` where it lists nothing at all. */
async function serverWith(jobs: readonly object[] | undefined): Promise<string> {
  const server = await servers.listen(({ url }, _, response) => {
    const isList = url?.startsWith('/v1/jobs') === true;
    const isMissingHere = isList && jobs === undefined;
    const error = { code: 'NOT_FOUND', message: 'there is no such address' };
    response.writeHead(isMissingHere ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isMissingHere ? { error } : { items: isList ? jobs : [] }));
  });
  return `${server.origin}/v1`;
}

const JOB = { id: 1, title: 'Nurse', status: 'DRAFT', companyId: 'cmp_acme' };

/** A home with the profile `atlas`, which is the current one. */
async function withAtlas(): Promise<Home> {
  const home = await newHome();
  const atlas = { baseUrl: 'https://atlas.example/v1', key: KEY };
  await home.file('config/config.json', { current: 'atlas', profiles: { atlas } });
  return home;
}

function login(home: Home, url: string, ...flags: readonly string[]) {
  return home.run(['auth', 'login', 'acme', '--base-url', url, '--with-key', ...flags], { stdin: KEY });
}

async function currentOf(home: Home): Promise<string | undefined> {
  const { items } = await home.must<{ items: { name: string; isCurrent: boolean }[] }>('auth list');
  return items.find(({ isCurrent }) => isCurrent)?.name;
}

afterEach(() => servers.close());

describe('a login says whose jobs the key acts on', () => {
  it('where the server lists one', async () => {
    const [home, url] = [await newHome(), await serverWith([JOB])];
    const { code, stdout } = await login(home, url);
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `Logged in to ${url} as profile acme, now the current one\nIts key acts on the jobs of company cmp_acme\n`,
    );
    const json = (await login(home, url, '--json')).json();
    assert.deepEqual(json, { name: 'acme', baseUrl: url, isCurrent: true, companyId: 'cmp_acme' });
  });

  for (const [jobs, because] of [
    [[], 'there is none yet'],
    [undefined, 'it has no list'],
    [[{ id: 1, title: 'Nurse' }], 'its jobs do not tell'],
  ] as const) {
    it(`and that it cannot tell where ${because}: the login is done all the same`, async () => {
      const [home, url] = [await newHome(), await serverWith(jobs)];
      const { code, stdout } = await login(home, url);
      assert.equal(code, 0);
      assert.match(stdout, /^Which company its key acts for cannot be told: the server lists no job/m);
      const json = (await login(home, url, '--json')).json();
      assert.deepEqual(json, { name: 'acme', baseUrl: url, isCurrent: true });
      assert.equal(await currentOf(home), 'acme');
    });
  }

  it('and shows nothing of it raw', async () => {
    const url = await serverWith([{ ...JOB, companyId: 'cmp\u001b[31m_acme\u202e' }]);
    assert.match((await login(await newHome(), url)).stdout, /company cmp_acme\n$/);
  });
});

describe('a login makes its profile the current one', () => {
  it('also in place of another where nobody can be asked, as scripts rely on', async () => {
    const home = await withAtlas();
    const { stdout } = await login(home, await serverWith([JOB]));
    assert.match(stdout, /as profile acme, now the current one\n/);
    assert.equal(await currentOf(home), 'acme');
  });

  it('but not under --no-switch, and says where calls still go', async () => {
    const [home, url] = [await withAtlas(), await serverWith([JOB])];
    const { stdout, stderr } = await login(home, url, '--no-switch');
    assert.match(stdout, /as profile acme; calls still go to atlas\n/);
    assert.match(stderr, /^`partner auth switch acme` makes it the current one, `--profile acme` uses it/);
    assert.equal(await currentOf(home), 'atlas');
    const json = (await login(home, url, '--no-switch', '--json')).json() as { isCurrent: boolean };
    assert.equal(json.isCurrent, false);
    const first = await newHome();
    assert.match((await login(first, url, '--no-switch')).stdout, /calls still go to the bundled engine\n/);
    assert.equal(await currentOf(first), undefined);
  });
});

describe('a login under a name that no profile can have', () => {
  it('ends before a key is asked for or sent anywhere', async () => {
    const run = await (await newHome()).run('auth login bundled --base-url http://127.0.0.1:9/v1');
    assert.equal(run.code, 2);
    assert.match(run.stderr, /^error: "bundled" cannot name a profile: /);
  });
});

describe('a login at a terminal', () => {
  const QUESTION = /Make acme the current profile, instead of atlas\? \(Y\/n\)/;
  const openTerminal = terminals();

  /** Types a login with its key; done when `then` is shown. */
  async function typed(home: Home, line: string, then: RegExp): Promise<Terminal> {
    const terminal = await openTerminal({ home, columns: 100 });
    await terminal.enter(`clear; ${line}; echo "[exit $?]"`);
    await terminal.shows(/Partner key:/);
    await terminal.type(KEY);
    await terminal.press('Enter');
    await terminal.shows(then);
    return terminal;
  }

  for (const [answer, keys, current] of [
    ['Enter alone', ['Enter'], 'acme'],
    ['n', ['n', 'Enter'], 'atlas'],
  ] as const) {
    it(`asks where another profile is the current one; ${answer} makes it ${current}`, async () => {
      const home = await withAtlas();
      const window = await typed(
        home,
        `partner auth login acme --base-url ${await serverWith([])}`,
        QUESTION,
      );
      await window.press(...keys);
      assert.match(await window.shows(ENDED), /\[exit 0\]/);
      assert.equal(await currentOf(home), current);
    });
  }

  it('keeps nothing where that question is left by Ctrl-C', async () => {
    const home = await withAtlas();
    const window = await typed(home, `partner auth login acme --base-url ${await serverWith([])}`, QUESTION);
    await window.press('C-c');
    assert.match(await window.shows(ENDED), /^error: interrupted\n\[exit 130\]/m);
    assert.doesNotMatch((await window.run('partner auth list')).screen, /acme/);
  });

  it('asks nothing where the answer is given, or where no other profile would give way', async () => {
    const url = await serverWith([]);
    const home = await withAtlas();
    let window = await typed(home, `partner auth login acme --base-url ${url} --switch`, ENDED);
    assert.doesNotMatch(await window.screen(), /Make acme/);
    assert.equal(await currentOf(home), 'acme');
    await window.close();
    window = await typed(home, `partner auth login acme --base-url ${url}`, ENDED);
    assert.doesNotMatch(await window.screen(), /Make acme/);
    await window.close();
    window = await typed(await newHome(), `partner auth login acme --base-url ${url}`, ENDED);
    assert.doesNotMatch(await window.screen(), /Make acme/);
  });
});
