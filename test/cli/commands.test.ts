import assert from 'node:assert/strict';
import { join } from 'node:path';
import { RealServers } from '../client/real-server.ts';
import { receiveApplications, withLiveJob } from './homes.ts';
import { commandNames, EXAMPLES, type Home, type Run } from './partner.ts';
import { answering, KEY } from './servers.ts';

const servers = new RealServers();

/** What each command is given where job 1 is live and job 2 a draft with a title alone. */
const ARGUMENTS: Readonly<Record<string, string | ((home: Home) => Promise<string>)>> = {
  ...withNothing(
    'jobs list',
    'auth status',
    'auth list',
    'engine status',
    'engine migrate',
    'engine keys create',
    'engine keys list',
    'engine openapi',
  ),
  ...withNothing('engine companies list', 'engine invoice', 'engine terms show', 'engine clock show'),
  ...withNothing(
    'engine clock reset',
    'dashboard accept-terms',
    'dashboard add-card',
    'dashboard remove-card',
  ),
  ...withNothing('dashboard status', 'schema', 'doctor', 'version'),
  'jobs create': '--title Nurse',
  'jobs update': '2 --title Cook',
  'jobs publish': '1 --ensure',
  'jobs pause': '1',
  'jobs resume': '1 --ensure',
  'jobs close': '1 --yes',
  'jobs get': '1',
  'jobs watch': '1 --until ACTIVE',
  'jobs repost': '1',
  'jobs export': '1',
  'jobs validate': join(EXAMPLES, 'jobs'),
  'jobs import': `${join(EXAMPLES, 'import/lever.json')} --out imported`,
  'jobs plan': join(EXAMPLES, 'jobs'),
  'jobs apply': (home) => home.file('welder.json', { title: 'Night welder' }),
  'locations search': 'bost',
  'locations pick': 'bost',
  'locations resolve': join(EXAMPLES, 'jobs'),
  'budgets set': '1 --daily-cents 5000',
  'budgets get': '1',
  'budgets clear': '1',
  'budgets simulate': '--job 1 --seed 7',
  'auth login': async () => {
    const { origin } = await servers.listen(answering(200, { items: [] }));
    return `--with-key --base-url ${origin}/v1`;
  },
  'auth logout': async (home) => {
    await home.file('config/config.json', { current: 'acme', ...PROFILES });
    return '';
  },
  'auth switch': async (home) => {
    await home.file('config/config.json', PROFILES);
    return 'acme';
  },
  'engine serve': '--port 0',
  'engine reset': '--yes',
  'engine backup': 'now.backup',
  'engine restore': async (home) => {
    await home.must('engine backup now.backup');
    return 'now.backup --replace --yes';
  },
  'engine apply': '1 --count 3 --seed 7',
  'engine keys revoke': async (home) => (await home.must<{ id: string }>('engine keys create')).id,
  'engine companies create': 'Acme',
  'engine terms issue': '2026-07',
  'engine clock advance': '30d',
  'engine clock set': '2030-01-01',
  dashboard: '--port 0',
  'dashboard set-budget': '--daily-cents 20000',
  'dashboard applications list': '--job 1',
  'dashboard applications show': (home) => receiveApplications(home, 1).then(() => '1'),
  'dashboard applications accept': (home) => receiveApplications(home, 2).then(() => '1 2'),
  'dashboard applications reject': (home) => receiveApplications(home, 1).then(() => '1'),
  completion: 'bash',
  help: 'jobs',
};

const PROFILES = { profiles: { acme: { baseUrl: 'https://api.example.com/v1', key: KEY } } };

function withNothing(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, '']));
}

describe('every command', () => {
  after(() => servers.close());

  it('is called below', () => {
    assert.deepEqual(Object.keys(ARGUMENTS).sort(), commandNames().sort());
  });

  for (const command of commandNames()) {
    it(`\`partner ${command} --json\` prints one JSON document and nothing else, also for a flag it does not know`, async () => {
      const [home, other] = await Promise.all([withLiveJob(), withLiveJob()]);
      const given = ARGUMENTS[command] ?? '';
      const line = `${command} ${typeof given === 'string' ? given : await given(home)}`.trim();
      const [run, refused] = await Promise.all([
        endedRun(home, `${line} --json`),
        other.run(`${line} --no-such-flag --json`),
      ]);
      // It does nothing but ask, which `--json` forbids.
      assert.equal(run.code, command === 'locations pick' ? 2 : 0, run.stdout + run.stderr);
      assert.equal(typeof run.json(), 'object');
      assert.match(run.stdout, /[}\]]\n$/);
      assert.equal(refused.code, 2, refused.stdout + refused.stderr);
      const { error } = refused.json() as { error: { code: string; message: string } };
      assert.equal(error.code, 'USAGE');
      assert.ok(error.message.includes(`\`--no-such-flag\` is not a flag of \`partner ${command}\``));
      assert.equal(other.storedJobs(), 2, 'what is refused does nothing');
    });
  }
});

/** A server runs until it is interrupted. */
async function endedRun(home: Home, line: string): Promise<Run> {
  if (!/^(?:engine serve|dashboard) --port/.test(line)) return home.run(line, { stdin: KEY });
  const server = home.start(line);
  await server.shown('stdout', /\n/);
  server.child.kill('SIGINT');
  return server.ended;
}
