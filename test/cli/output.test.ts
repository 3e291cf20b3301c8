import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { realServers } from '../client/real-server.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { prepared, withDrafts, withEngine, withLiveJob } from './homes.ts';
import NEAR from './mistyped.json' with { type: 'json' };
import OPEN_STDIN from './open-stdin.json' with { type: 'json' };
import { newHome } from './partner.ts';
import type { Refused } from './refusal.ts';
import { answering, callsTo, KEY } from './servers.ts';
import { isNotHere } from './shell.ts';

const ESCAPE = '\u001b[';

/** Together, the JSON must be larger than a pipe's buffer. */
const withLongJobs = prepared(withEngine, async (home) => {
  const description = 'Weld and fit pipes on site. '.repeat(3_000);
  for (const title of ['A', 'B', 'C', 'D']) {
    await home.file('long.json', { ...COMPLETE_LISTING, title, description });
    await home.must('jobs create long.json');
  }
});

describe('colour in a pipe', () => {
  const LINES = [
    'jobs get 2',
    'jobs list --stauts ACTIVE',
    'jobs validate complete.json nowhere.json',
    'jobs create --help',
  ];
  const outputs = async (env: Record<string, string>): Promise<string[]> => {
    const home = await withDrafts();
    const runs = await Promise.all(LINES.map((line, at) => home.run(line, { env, alone: at === 0 })));
    return runs.map(({ stdout, stderr }) => stdout + stderr);
  };

  it('is shown under FORCE_COLOR alone, and not where NO_COLOR, TERM=dumb or FORCE_COLOR=0 forbid it', async () => {
    for (const output of await outputs({ FORCE_COLOR: '1' })) assert.ok(output.includes(ESCAPE), output);
    const none = { NO_COLOR: '1', TERM: 'dumb', FORCE_COLOR: '0' };
    for (const output of [...(await outputs({})), ...(await outputs(none))])
      assert.ok(!output.includes(ESCAPE), output);
  });

  it('is not in JSON, even under FORCE_COLOR', async () => {
    const home = await withDrafts();
    for (const line of ['jobs get 1 --json', 'jobs get 999 --json']) {
      const run = await home.run(line, { env: { FORCE_COLOR: '1' } });
      run.json();
      assert.ok(!run.stdout.includes(ESCAPE));
    }
  });
});

describe('the reader of stdout', () => {
  const LIST = ['jobs', 'list', '--json'];

  it('may go away: the command ends quietly', async () => {
    const home = await withLongJobs();
    const run = home.start(LIST);
    run.child.stdout?.destroy();
    const { code, stderr } = await run.ended;
    assert.equal(code, 0);
    assert.equal(stderr, '');
  });

  it('may be slow: it gets every byte of far more than a pipe holds', async () => {
    const home = await withLongJobs();
    const wanted = await home.run(LIST);
    assert.ok(wanted.stdout.length > 4 * 65_536, `${wanted.stdout.length} characters`);
    const run = home.start(LIST);
    assert.ok(run.child.stdout);
    const got = await readSlowly(run.child.stdout);
    assert.equal(got, wanted.stdout);
    assert.equal((await run.ended).code, 0);
  });

  it('may be a full disk: exit 1, and stderr says so without a stack trace', async function () {
    if (isNotHere('/dev/full')) this.skip();
    const home = await withDrafts();
    const full = openSync('/dev/full', 'w');
    const lines = [['version'], ['jobs', 'get', '1', '--json']];
    for (const run of await Promise.all(lines.map((argv) => home.run(argv, { stdout: full })))) {
      assert.equal(run.code, 1);
      assert.match(run.stderr, /^error: can't write the output: the disk is full\n→ check that the disk/);
      assert.doesNotMatch(run.stderr, /\n\s+at /);
    }
    const refused = await home.run('jobs get 999 --json', { stdout: full });
    assert.equal(refused.code, 7, 'the exit code of a failure is kept');
    assert.match(refused.stderr, /^error: job 999 not found/);
    closeSync(full);
  });

  async function readSlowly(from: Readable): Promise<string> {
    let text = '';
    from.removeAllListeners('data').pause();
    for await (const chunk of from) {
      text += chunk;
      await new Promise(setImmediate);
    }
    return text;
  }
});

describe('stdin', () => {
  it('is not waited for where `-` is not given, even if it is an open pipe', async () => {
    const home = await withLiveJob();
    await home.file('listing.json', COMPLETE_LISTING);
    for (const [at, [line, code]] of (OPEN_STDIN as [string, number][]).entries()) {
      const run = await home.run(line, { stdin: 'open', alone: at < 2 });
      assert.equal(run.code, code, `${line}: ${run.stderr}`);
    }
  });
});

describe('hints', () => {
  it('follow the result on stderr, and are left out under --quiet and --json', async () => {
    const create = ['jobs', 'create', '--title', 'Night nurse'];
    const [loud, quiet, json] = await Promise.all(
      [[], ['--quiet'], ['--json']].map(async (form) => (await withEngine()).run([...create, ...form])),
    );
    assert.match(loud?.stderr ?? '', /partner jobs update 1/);
    assert.equal(quiet?.stderr, '');
    assert.equal(json?.stderr, '');
    assert.equal(quiet?.stdout, loud?.stdout, 'the result is the same');
  });
});

describe('a key', () => {
  const servers = realServers('each test');

  it('is nowhere in the output, though it is traced and the server repeats it wherever it can', async () => {
    const server = await servers.listen((arrived, ...io) => {
      const isRefusal = arrived.url?.includes('jobs/2') === true;
      const error = { code: 'INVALID_SERVICE_KEY', message: `${KEY} is revoked`, fields: { [KEY]: KEY } };
      const body = isRefusal ? { error } : { id: 1, title: 'Nurse' };
      answering(isRefusal ? 401 : 200, body, { 'x-key': KEY })(arrived, ...io);
    });
    const home = await newHome();
    const lines = ['jobs get 1', 'jobs get 2', 'jobs get 2 --json', 'jobs pause 2 3 --json', 'doctor'];
    const runs = await Promise.all(
      [...lines, 'auth status'].map((line) => home.run(`${line} --debug`, { env: callsTo(server) })),
    );
    for (const { stdout, stderr } of runs) assert.ok(!`${stdout}${stderr}`.includes(KEY), stdout + stderr);
    assert.match(runs[0]?.stderr ?? '', /authorization: Bearer sk_ext_…e8d6/);
    assert.match(runs[0]?.stderr ?? '', /GET http:\/\/127\.0\.0\.1:\d+\/v1\/jobs\/1 200/);
  });
});

describe('a word that is mistyped', () => {
  it('is answered with the nearest one, if any is near, and nothing is run', async () => {
    const home = await newHome();
    for (const [line = '', says = ''] of NEAR) {
      const run = await home.run(line);
      assert.deepEqual([run.code, run.stdout], [2, ''], line);
      assert.match(run.stderr, new RegExp(says));
    }
    assert.equal(home.storedJobs(), 0);
  });

  it('is no value of a flag that takes none: `partner jobs get 1 --json=true`', async () => {
    const run = await (await newHome()).run('jobs get 1 --json=true');
    assert.equal(run.code, 2);
    const { error } = run.json() as { error: Refused };
    assert.deepEqual([error.code, error.message], ['USAGE', "`--json` doesn't accept a value"]);
  });
});

describe('what is no command', () => {
  it('is refused where its flag stands before it, which nothing takes: `partner --json jobs list`', async () => {
    const run = await (await newHome()).run('--json jobs list');
    assert.equal(run.code, 2);
    assert.match((run.json() as { error: { hint: string } }).error.hint, /specify flags after a command/);
  });
});
