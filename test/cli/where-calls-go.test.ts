import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import engineArguments from './engine-arguments.json' with { type: 'json' };
import { commandNames, EXAMPLES, type Home, newHome } from './partner.ts';
import { KEY } from './servers.ts';

const URL_OF_ACME = 'https://acme.example/v1';

async function withProfile(baseUrl = URL_OF_ACME, isCurrent = true): Promise<Home> {
  const home = await newHome();
  const profiles = { acme: { baseUrl, key: KEY } };
  await home.file('config/config.json', isCurrent ? { current: 'acme', profiles } : { profiles });
  return home;
}

it('--profile is said to win over PARTNER_BASE_URL', async () => {
  const home = await withProfile('http://127.0.0.1:9');
  const env = { PARTNER_BASE_URL: URL_OF_ACME };
  const { stderr } = await home.run('jobs get 1 --profile acme --timeout 500ms', { env });
  assert.match(stderr, /Using --profile acme instead of PARTNER_BASE_URL\./);
});

describe('what acts on the bundled engine only', () => {
  const ARGUMENTS: Readonly<Record<string, string>> = engineArguments;

  it('is refused, all of it, where a server is the current profile, and leaves the engine alone', async () => {
    const home = await withProfile();
    for (const name of commandNames().filter((each) => /^(?:dashboard|engine (?!openapi))\b/.test(each))) {
      const { code, stderr } = await home.run(`${name} ${ARGUMENTS[name] ?? ''}`.trim());
      assert.equal(code, 2, `${name}: ${stderr}`);
      const said = stderr.replaceAll(/\s+/g, ' ');
      const expected = /only works on the bundled engine, but requests go to https:\/\/acme\.example\/v1/;
      assert.match(said, expected, name);
      assert.ok(said.includes(`partner ${name} --local`), stderr);
    }
    assert.equal(existsSync(home.database), false);
  });

  it('is refused where a flag or the environment names a server, and done with --local', async () => {
    const home = await withProfile(URL_OF_ACME, false);
    const named: [string[], Record<string, string>][] = [
      [['--profile', 'acme'], {}],
      [['--base-url', URL_OF_ACME], {}],
      [[], { PARTNER_PROFILE: 'acme' }],
      [[], { PARTNER_BASE_URL: URL_OF_ACME }],
    ];
    for (const [flags, env] of named) {
      const { code } = await home.run(['dashboard', 'status', ...flags], { env });
      assert.equal(code, 2);
    }
    const env = { PARTNER_BASE_URL: URL_OF_ACME, PARTNER_API_KEY: KEY };
    await home.must('dashboard accept-terms --local', { env });
    await home.must('engine status --local', { env });
    await home.must('jobs list --local', { env });
    await home.must('dashboard status');
  });
});

describe('a variable that is set and empty', () => {
  const VARIABLES = ['PARTNER_BASE_URL', 'PARTNER_API_KEY', 'PARTNER_API_KEY_FILE', 'PARTNER_PROFILE'];
  const CALLS = [
    ...['jobs list', 'jobs create --title Nurse', `jobs apply ${join(EXAMPLES, 'jobs')}`, 'budgets get 1'],
    ...['locations search Boston', 'dashboard status', 'engine status', 'auth status', 'doctor'],
  ];

  it('stops every command that would call, and is named', async () => {
    const home = await newHome();
    for (const [index, line] of CALLS.entries()) {
      const name = VARIABLES[index % VARIABLES.length] ?? '';
      const { code, stdout, stderr } = await home.run(line, { env: { [name]: '', CI: 'true' } });
      assert.equal(code, 2, line);
      assert.match(stdout + stderr, new RegExp(`${name} is set but empty`), line);
    }
    assert.equal(existsSync(home.database), false, 'nothing was made');
  });

  it('is no matter where the bundled engine is meant: --local, or PARTNER_BASE_URL=local', async () => {
    const home = await newHome();
    await home.must('jobs list --local', { env: { PARTNER_BASE_URL: '', PARTNER_API_KEY: '' } });
    await home.must('jobs list', { env: { PARTNER_BASE_URL: 'local', PARTNER_API_KEY: '' } });
  });
});

describe('a CI that names no server', () => {
  const SAYS = /no server is set, so requests go to the bundled engine/;

  it('is told once on stderr, under --quiet too, and in every report', async () => {
    const home = await newHome();
    const { path } = home;
    await home.file('nurse.json', { title: 'Nurse' });
    const formats = ['github', 'json', 'junit', 'markdown'];
    const reports = formats.flatMap((format) => ['--report', `${format}=${join(path, format)}`]);
    for (const command of ['plan', 'apply']) {
      const { code, stderr } = await home.run(['jobs', command, 'nurse.json', '-q', ...reports], {
        env: { CI: 'true' },
      });
      assert.equal(code, 0, stderr);
      assert.match(stderr.replaceAll('\n', ' '), SAYS);
      for (const format of formats)
        assert.match(readFileSync(join(path, format), 'utf8'), /bundled engine/, `${command} ${format}`);
    }
  });
});

describe('a logout', () => {
  it('says where calls go from now on, to scripts too', async () => {
    const logout = async (env: Record<string, string> = {}) =>
      (await (await withProfile()).run('auth logout acme', { env })).stdout;
    assert.match(await logout(), /\nRequests now go to the bundled engine\n/);
    const elsewhere = await logout({ PARTNER_BASE_URL: 'https://env.example/v1' });
    assert.match(elsewhere, /\nRequests now go to https:\/\/env\.example\/v1/);
    assert.match(await logout({ PARTNER_PROFILE: 'acme' }), /\nRequests now fail: unknown profile/);
    const gone = await (await withProfile()).must('auth logout');
    assert.deepEqual(gone, { name: 'acme', removed: true, target: 'embedded', baseUrl: null });
  });
});
