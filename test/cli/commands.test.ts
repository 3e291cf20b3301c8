import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RealServers } from '../client/real-server.ts';
import { receiveApplications, withLiveJob } from './homes.ts';
import { DIST, EXAMPLES, type Home, type Run } from './partner.ts';

const KEY = 'sk_ext_4c1d9f3c2ab7e8d6';
const servers = new RealServers();

/** What each command is given where job 1 is live and job 2 a draft with a title alone; nothing where it takes nothing. */
const ARGUMENTS: Readonly<Record<string, (home: Home) => readonly string[] | Promise<readonly string[]>>> = {
  'jobs create': () => ['--title', 'Night nurse'],
  'jobs update': () => ['2', '--title', 'Day nurse'],
  'jobs publish': () => ['1', '--ensure'],
  'jobs pause': () => ['1'],
  'jobs resume': () => ['1', '--ensure'],
  'jobs close': () => ['1', '--yes'],
  'jobs get': () => ['1'],
  'jobs list': () => [],
  'jobs watch': () => ['1', '--until', 'ACTIVE'],
  'jobs repost': () => ['1'],
  'jobs export': () => ['1'],
  'jobs validate': () => [join(EXAMPLES, 'jobs')],
  'jobs plan': () => [join(EXAMPLES, 'jobs')],
  'jobs apply': async (home) => [await home.file('welder.json', { title: 'Night welder' })],
  'locations search': () => ['bost'],
  'locations pick': () => ['bost'],
  'budgets set': () => ['1', '--daily-cents', '5000'],
  'budgets get': () => ['1'],
  'budgets clear': () => ['1'],
  'budgets simulate': () => ['--job', '1', '--seed', '7'],
  'auth login': async () => {
    const server = await servers.listen((_, __, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": []}');
    });
    return ['--with-key', '--base-url', `${server.origin}/v1`];
  },
  'auth logout': async (home) => {
    await home.file('config/config.json', config({ current: 'acme' }));
    return [];
  },
  'auth status': () => [],
  'auth list': () => [],
  'auth switch': async (home) => {
    await home.file('config/config.json', config({}));
    return ['acme'];
  },
  'engine serve': () => ['--port', '0'],
  'engine status': () => [],
  'engine reset': () => ['--yes'],
  'engine apply': () => ['1', '--count', '3', '--seed', '7'],
  'engine keys create': () => [],
  'engine keys list': () => [],
  'engine keys revoke': async (home) => [(await home.must<{ id: string }>('engine keys create')).id],
  'engine companies create': () => ['Acme'],
  'engine companies list': () => [],
  'engine invoice': () => [],
  'engine terms show': () => [],
  'engine terms issue': () => ['2026-07'],
  'engine clock show': () => [],
  'engine clock advance': () => ['30d'],
  'engine clock set': () => ['2030-01-01'],
  'engine clock reset': () => [],
  dashboard: () => ['--port', '0'],
  'dashboard accept-terms': () => [],
  'dashboard add-card': () => [],
  'dashboard remove-card': () => [],
  'dashboard set-budget': () => ['--daily-cents', '20000'],
  'dashboard applications list': () => ['--job', '1'],
  'dashboard applications show': async (home) => {
    await receiveApplications(home, 1);
    return ['1'];
  },
  'dashboard applications accept': async (home) => {
    await receiveApplications(home, 2);
    return ['1', '2'];
  },
  'dashboard applications reject': async (home) => {
    await receiveApplications(home, 1);
    return ['1'];
  },
  'dashboard status': () => [],
  schema: () => [],
  doctor: () => [],
  completion: () => ['bash'],
  help: () => ['jobs'],
  version: () => [],
};

/** They do nothing but ask, which `--json` forbids. */
const ONLY_ASK = ['locations pick'];

const config = (more: object): object => ({
  ...more,
  profiles: { acme: { baseUrl: 'https://api.example.com/v1', key: KEY } },
});

/** Every command of the binary, by the name it is called with. */
const COMMANDS = (JSON.parse(readFileSync(join(DIST, 'commands.json'), 'utf8')) as { id: string }[]).map(
  ({ id }) => id.replaceAll(':', ' '),
);

describe('every command', () => {
  after(() => servers.close());

  it('is called below', () => {
    assert.deepEqual(Object.keys(ARGUMENTS).sort(), [...COMMANDS].sort());
  });

  for (const command of COMMANDS) {
    const words = command.split(' ');

    it(`\`partner ${command} --json\` prints one JSON document and nothing else, also for a flag it does not know`, async () => {
      const [home, other] = await Promise.all([withLiveJob(), withLiveJob()]);
      const given = await ARGUMENTS[command]?.(home);
      assert.ok(given);
      const [run, refused] = await Promise.all([
        endedRun(home, [...words, ...given, '--json']),
        other.run([...words, ...given, '--no-such-flag', '--json']),
      ]);
      assert.equal(run.code, ONLY_ASK.includes(command) ? 2 : 0, run.stdout + run.stderr);
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

/** A server runs until it is told to end. */
async function endedRun(home: Home, argv: readonly string[]): Promise<Run> {
  const isServer = argv[1] === 'serve' || (argv[0] === 'dashboard' && argv[1] === '--port');
  if (!isServer) return home.run(argv, argv.includes('--with-key') ? { stdin: KEY } : {});
  const server = home.start(argv);
  await server.shown('stdout', /\n/);
  server.child.kill('SIGINT');
  return server.ended;
}
