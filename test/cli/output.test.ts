import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { RealServers } from '../client/real-server.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { prepared, withDrafts, withEngine, withLiveJob } from './homes.ts';
import { newHome, type Run, type RunOptions } from './partner.ts';
import type { Refused } from './refusal.ts';
import { isNotHere, shellEnvironment } from './shell.ts';

const KEY = 'sk_ext_4c1d9f3c2ab7e8d6';
const ESCAPE = '\u001b[';

/** Four jobs whose JSON together is far larger than a pipe holds. */
const withLongJobs = prepared(withEngine, async (home) => {
  const description = 'Weld and fit pipes on site. '.repeat(3_000);
  for (const title of ['A', 'B', 'C', 'D']) {
    await home.must([
      'jobs',
      'create',
      await home.file('long.json', { ...COMPLETE_LISTING, title, description }),
    ]);
  }
});

describe('colour', () => {
  const LINES: readonly (readonly string[])[] = [
    ['jobs', 'get', '2'],
    ['jobs', 'list', '--stauts', 'ACTIVE'],
    ['jobs', 'validate', 'complete.json', 'nowhere.json'],
    ['jobs', 'create', '--help'],
  ];

  const outputs = async (env: Record<string, string>): Promise<string[]> => {
    const home = await withDrafts();
    const runs = await Promise.all(LINES.map((argv) => home.run(argv, { env, alone: true })));
    return runs.map(({ stdout, stderr }) => stdout + stderr);
  };

  it('is not in a pipe', async () => {
    for (const output of await outputs({})) assert.ok(!output.includes(ESCAPE), output);
  });

  it('is in a pipe under FORCE_COLOR', async () => {
    for (const output of await outputs({ FORCE_COLOR: '1' })) assert.ok(output.includes(ESCAPE), output);
  });

  it('is nowhere under NO_COLOR, TERM=dumb or FORCE_COLOR=0', async () => {
    const none = { NO_COLOR: '1', TERM: 'dumb', FORCE_COLOR: '0' };
    for (const output of await outputs(none)) assert.ok(!output.includes(ESCAPE), output);
  });

  it('is not in JSON, even under FORCE_COLOR', async () => {
    const home = await withDrafts();
    const env = { FORCE_COLOR: '1' };
    const runs = await Promise.all([
      home.run(['jobs', 'get', '1', '--json'], { env }),
      home.run(['jobs', 'get', '999', '--json'], { env }),
    ]);
    for (const run of runs) {
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

  it('may take only the first line: the command ends quietly', async () => {
    const home = await withLongJobs();
    const run = home.start(LIST);
    await run.shown('stdout', /\n/);
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

  it('may be missing: the exit code is the same', async () => {
    const home = await withDrafts();
    const null0 = openSync('/dev/null', 'w');
    const runs = [
      home.run(['jobs', 'get', '1'], { stdout: null0 }),
      home.run(['jobs', 'get', '9'], { stdout: null0 }),
    ];
    assert.deepEqual(
      (await Promise.all(runs)).map(({ code }) => code),
      [0, 7],
    );
    closeSync(null0);
  });

  it('may be a full disk: exit 1, and stderr says so without a stack trace', async function () {
    if (isNotHere('/dev/full')) this.skip();
    const home = await withDrafts();
    const full = openSync('/dev/full', 'w');
    const lines = [['version'], ['jobs', 'get', '1', '--json']];
    for (const run of await Promise.all(lines.map((argv) => home.run(argv, { stdout: full })))) {
      assert.equal(run.code, 1);
      assert.match(run.stderr, /^error: the output cannot be written: the disk is full\n→ .*full disk/);
      assert.doesNotMatch(run.stderr, /\n\s+at /);
    }
    const refused = await home.run(['jobs', 'get', '999', '--json'], { stdout: full });
    assert.equal(refused.code, 7, 'the exit code of a failure is kept');
    assert.match(refused.stderr, /^error: there is no job 999/);
    closeSync(full);
  });

  it('of `--debug`, on a full disk, fails no command that succeeded', async function () {
    if (isNotHere('/dev/full')) this.skip();
    const home = await withDrafts();
    const env = await shellEnvironment(home);
    const run = (line: string) => spawnSync('bash', ['-c', `${line} 2>/dev/full`], { env, encoding: 'utf8' });
    const { status, stdout } = run('partner jobs get 1 --json --debug');
    assert.deepEqual([status, JSON.parse(stdout).id], [0, 1]);
    assert.equal(run('partner jobs get 9 --debug').status, 7);
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
    const file = await home.file('listing.json', COMPLETE_LISTING);
    const lines: readonly (readonly [argv: readonly string[], code: number])[] = [
      [['jobs', 'create', file], 0],
      [['jobs', 'create', '--title', 'Night nurse'], 0],
      [['jobs', 'create'], 2],
      [['jobs', 'list'], 0],
      [['jobs', 'get'], 2],
      [['jobs', 'close', '1'], 2],
      [['jobs', 'validate', file], 0],
      [['locations', 'search', 'bost'], 0],
      [['auth', 'login', '--base-url', 'https://api.example.com/v1'], 2],
    ];
    const runs = await Promise.all(lines.map(([argv]) => home.run(argv, { stdin: 'open' })));
    for (const [index, [argv, code]] of lines.entries()) {
      assert.equal(runs[index]?.code, code, `${argv.join(' ')}: ${runs[index]?.stderr}`);
    }
  });

  it('is read to its end where `-` is given', async () => {
    const home = await withEngine();
    const job = await home.must<{ title: string }>(['jobs', 'create', '-'], {
      stdin: JSON.stringify(COMPLETE_LISTING),
      alone: true,
    });
    assert.equal(job.title, COMPLETE_LISTING.title);
    const described = await home.must<{ description: string }>(
      ['jobs', 'create', '--title', 'Nurse', '--description-file', '-'],
      { stdin: 'Look after people.\n', alone: true },
    );
    assert.equal(described.description, 'Look after people.');
  });
});

describe('text from a file or a server', () => {
  const TITLE = 'Nurse\u001b[31m\u001b]0;title\u0007\u009b2J\u202e\r\u0000 at night';
  /** Everything that moves a cursor, rings, colours or turns text round; not the line's end, nor a tab. */
  const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

  const assertPlain = ({ stdout, stderr }: Run): void => {
    for (const text of [stdout, stderr]) assert.doesNotMatch(text, CONTROLS);
  };

  const servers = new RealServers();
  afterEach(() => servers.close());

  const answering = async (
    status: number,
    body: object,
  ): Promise<RunOptions & { env: Record<string, string> }> => {
    const server = await servers.listen((_, __, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    return { env: { PARTNER_API_KEY: KEY, PARTNER_BASE_URL: `${server.origin}/v1` } };
  };

  it('never reaches a terminal raw, whether it is a job, a list or JSON, and is the same text in JSON', async () => {
    const job = { id: 1, title: TITLE, status: TITLE, description: TITLE, locations: [], budgets: [] };
    const one = await answering(200, job);
    const many = await answering(200, { items: [job], nextCursor: null });
    const home = await newHome();
    const runs = await Promise.all([
      home.run(['jobs', 'get', '1'], one),
      home.run(['jobs', 'get', '1', '--debug'], one),
      home.run(['jobs', 'pause', '1'], one),
      home.run(['jobs', 'export', '1'], one),
      home.run(['jobs', 'list'], many),
      home.run(['jobs', 'get', '1', '--json'], one),
    ]);
    for (const run of runs) {
      assert.equal(run.code, 0, run.stderr);
      assertPlain(run);
      assert.match(run.stdout, /Nurse/);
    }
    const document = runs.at(-1)?.json() as { title: string } | undefined;
    assert.equal(document?.title, TITLE);
  });

  it('never reaches a terminal raw in an error', async () => {
    const error = { code: 'VALIDATION_FAILED', message: TITLE, fields: { [TITLE]: TITLE } };
    const refused = await answering(422, { error });
    const home = await newHome();
    const file = await home.file('Nurse\u001b[31m.json', { [TITLE]: 1, title: 5, jobType: TITLE });
    const runs = await Promise.all([
      home.run(['jobs', 'update', '1', '--title', 'Nurse'], refused),
      home.run(['jobs', 'update', '1', '--title', 'Nurse', '--json'], refused),
      home.run(['jobs', 'create', file]),
      home.run(['jobs', 'create', file, '--json']),
      home.run(['jobs', 'validate', file]),
      ...['json', 'github', 'junit', 'sarif'].map((format) =>
        home.run(['jobs', 'validate', file, '--format', format]),
      ),
      home.run(['jobs', `\u001b[31mcrate`]),
      home.run(['jobs', 'get', '\u001b[31m1']),
      home.run(['jobs', 'list', '--\u001b[31m']),
      home.run(['jobs', 'create', `missing\u001b[31m`]),
    ]);
    for (const run of runs) {
      assert.ok(run.code === 2 || run.code === 3, `${run.code}: ${run.stdout}${run.stderr}`);
      assertPlain(run);
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

  it('of an error stay under --quiet', async () => {
    const run = await (await withDrafts()).run(['jobs', 'publish', '1', '--quiet']);
    assert.match(run.stderr, /`partner dashboard accept-terms`/);
  });
});

describe('a list in a pipe', () => {
  it('has one line for each job, tabs between its parts and times of ISO 8601', async () => {
    const { stdout } = await (await withLiveJob()).run(['jobs', 'list']);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    assert.deepEqual(
      rows.map(([id, status, title]) => [id, status, title]),
      [
        ['2', 'DRAFT', 'Night nurse'],
        ['1', 'ACTIVE', COMPLETE_LISTING.title],
      ],
    );
    assert.ok(rows[1]?.some((cell) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(cell)));
    assert.equal(rows[0]?.length, rows[1]?.length);
  });
});

describe('a key', () => {
  const servers = new RealServers();
  afterEach(() => servers.close());

  it('is nowhere in the output, though it is traced and the server repeats it wherever it can', async () => {
    const server = await servers.listen(({ headers, url }, _, response) => {
      const key = headers.authorization?.replace('Bearer ', '') ?? '';
      const isRefusal = url?.includes('jobs/2') === true;
      const error = { code: 'INVALID_SERVICE_KEY', message: `${key} is revoked`, fields: { [key]: key } };
      const body = isRefusal ? { error } : { id: 1, title: 'Nurse' };
      response.writeHead(isRefusal ? 401 : 200, { 'content-type': 'application/json', 'x-key': key });
      response.end(JSON.stringify(body));
    });
    const home = await newHome();
    const remote = ['--base-url', `${server.origin}/v1`, '--debug'];
    const env = { PARTNER_API_KEY: KEY };
    const runs = await Promise.all([
      home.run(['jobs', 'get', '1', ...remote], { env }),
      home.run(['jobs', 'get', '2', ...remote], { env }),
      home.run(['jobs', 'get', '2', '--json', ...remote], { env }),
      home.run(['jobs', 'pause', '2', '3', '--json', ...remote], { env }),
      home.run(['doctor', ...remote], { env }),
      home.run(['auth', 'status', ...remote], { env }),
    ]);
    for (const { stdout, stderr } of runs) assert.ok(!`${stdout}${stderr}`.includes(KEY), stdout + stderr);
    assert.match(runs[0]?.stderr ?? '', /authorization: Bearer sk_ext_…e8d6/);
    assert.match(runs[0]?.stderr ?? '', /GET http:\/\/127\.0\.0\.1:\d+\/v1\/jobs\/1 200/);
  });

  it('is read from a file, or from a profile that a login has kept for its owner alone', async () => {
    const keys: (string | undefined)[] = [];
    const server = await servers.listen(({ headers, url }, _, response) => {
      keys.push(headers.authorization);
      const answer = url?.includes('/jobs/') ? '{"id": 1, "title": "Nurse"}' : '{"items": []}';
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
    const home = await newHome();
    const baseUrl = `${server.origin}/v1`;
    const env = { PARTNER_API_KEY_FILE: await home.file('key', `${KEY}\n`) };
    await home.must(['jobs', 'get', '1', '--base-url', baseUrl], { env });
    const other = KEY.replace('4c1d', '0000');
    const login = await home.run(['auth', 'login', 'acme', '--with-key', '--base-url', baseUrl], {
      stdin: other,
    });
    await home.must(['jobs', 'get', '1']);
    assert.deepEqual(
      keys,
      // The login asks whether the key is taken, and whose jobs it acts on.
      [KEY, other, other, other].map((key) => `Bearer ${key}`),
    );
    const list = await home.run(['auth', 'list']);
    for (const run of [login, list]) {
      assert.equal(run.code, 0, run.stderr);
      assert.ok(!`${run.stdout}${run.stderr}`.includes(other));
    }
  });
});

describe('a word that is mistyped', () => {
  const NEAR: readonly (readonly [argv: readonly string[], says: RegExp])[] = [
    [['jobs', 'crate'], /did you mean `partner jobs create`\?/],
    [['job', 'pubish', '12'], /did you mean `partner jobs publish`\?/],
    [['publish', '12'], /did you mean `partner jobs publish`\?/],
    [['engine', 'keys', 'creat'], /did you mean `partner engine keys create`\?/],
    [['jobs', 'list', '--stauts=ACTIVE'], /`--stauts` .*\n→ did you mean `--status`\?/],
    [['auth', 'login', '--no-swich'], /did you mean `--no-switch`\?/],
    [['jobs', 'list', '--status', 'actve'], /did you mean ACTIVE\?/],
    [['jobs', 'create', '--job-type', 'fulltme'], /did you mean FULL_TIME\?/],
    [['jobs', 'update', '1', '--clear', 'atsJobURI'], /did you mean atsJobUrl\?/],
    [['schema', 'jobfile'], /did you mean job-file\?/],
    [['jobs', 'validate', '.', '--format', 'jnuit'], /did you mean junit\?/],
  ];
  for (const [argv, says] of NEAR) {
    it(`is told the nearest one, which is never run: \`partner ${argv.join(' ')}\``, async () => {
      const home = await newHome();
      const run = await home.run(argv);
      assert.equal(run.code, 2);
      assert.equal(run.stdout, '');
      assert.match(run.stderr, says);
      assert.equal(home.storedJobs(), 0);
    });
  }

  it('is told of nothing where nothing is near, though its topic is right', async () => {
    for (const argv of [['frobnicate'], ['jobs', 'nope'], ['engine', 'keys', 'xyz']]) {
      const run = await (await newHome()).run(argv);
      assert.equal(run.code, 2);
      assert.doesNotMatch(run.stderr, /did you mean/);
      assert.match(run.stderr, /`partner help.*` lists the commands/);
    }
  });

  it('is no value of a flag that takes none: `partner jobs get 1 --json=true`', async () => {
    const run = await (await newHome()).run(['jobs', 'get', '1', '--json=true']);
    assert.equal(run.code, 2);
    const { error } = run.json() as { error: Refused };
    assert.deepEqual([error.code, error.message], ['USAGE', '`--json` takes no value']);
  });
});

describe('what is no command', () => {
  const HELP: readonly (readonly string[])[] = [
    [],
    ['--json'],
    ['jobs'],
    ['jobs', '--json'],
    ['engine', 'keys', '--json'],
  ];
  for (const argv of HELP) {
    it(`is answered with help and exit 0: \`${['partner', ...argv].join(' ')}\``, async () => {
      const run = await (await newHome()).run(argv);
      assert.equal(run.code, 0, run.stderr);
      if (argv.includes('--json')) assert.ok((run.json() as { items: unknown[] }).items.length > 0);
      else assert.match(run.stdout, /USAGE/);
    });
  }

  it('is refused where its flag stands before it, which nothing takes: `partner --json jobs list`', async () => {
    const run = await (await newHome()).run(['--json', 'jobs', 'list']);
    assert.equal(run.code, 2);
    assert.match((run.json() as { error: { hint: string } }).error.hint, /behind/);
  });

  it('is the version: `partner --version`, alone and as JSON', async () => {
    const home = await newHome();
    const [text, json] = await Promise.all([home.run(['--version']), home.run(['--version', '--json'])]);
    assert.match(text.stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal((json.json() as { version: string }).version, text.stdout.trim());
  });
});
