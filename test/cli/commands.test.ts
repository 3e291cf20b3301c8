import assert from 'node:assert/strict';
import { RealServers } from '../client/real-server.ts';
import written from './commands.json' with { type: 'json' };
import { receiveApplications, withLiveJob } from './homes.ts';
import { commandNames, EXAMPLES, type Home, type Run } from './partner.ts';
import { answering, KEY } from './servers.ts';

const servers = new RealServers();

/** Valid arguments if job 1 is live and job 2 is a draft with only a title. */
const ARGUMENTS: Readonly<Record<string, string | ((home: Home) => Promise<string>)>> = {
  ...written,
  'jobs apply': (home) => home.file('welder.json', { title: 'Night welder' }),
  'state move': async (home) => {
    await home.file('old.json', { version: 1, server: 'a', idempotencyKeys: true, listings: {} });
    return 'new.json --state old.json';
  },
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
  'engine restore': async (home) => {
    await home.must('engine backup now.backup');
    return 'now.backup --replace --yes';
  },
  'engine keys revoke': async (home) => (await home.must<{ id: string }>('engine keys create')).id,
  'dashboard applications show': (home) => receiveApplications(home, 1).then(() => '1'),
  'dashboard applications accept': (home) => receiveApplications(home, 2).then(() => '1 2'),
  'dashboard applications reject': (home) => receiveApplications(home, 1).then(() => '1'),
};

const PROFILES = { profiles: { acme: { baseUrl: 'https://api.example.com/v1', key: KEY } } };

describe('every command', () => {
  after(() => servers.close());

  it('is called below', () => assert.deepEqual(Object.keys(ARGUMENTS).sort(), commandNames().sort()));

  for (const command of commandNames())
    it(`\`partner ${command} --json\` prints one JSON document and nothing else, also for a flag it does not know`, async () => {
      const [home, other] = await Promise.all([withLiveJob(), withLiveJob()]);
      const given = ARGUMENTS[command] ?? '';
      const line =
        `${command} ${typeof given === 'string' ? given.replace('EXAMPLES', EXAMPLES) : await given(home)}`.trim();
      const [run, refused] = await Promise.all([
        endedRun(home, `${line} --json`),
        other.run(`${line} --no-such-flag --json`),
      ]);
      // These commands only prompt, and `--json` forbids prompts.
      assert.equal(
        run.code,
        ['locations pick', 'jobs edit'].includes(command) ? 2 : 0,
        run.stdout + run.stderr,
      );
      assert.equal(typeof run.json(), 'object');
      assert.match(run.stdout, /[}\]]\n$/);
      assert.equal(refused.code, 2, refused.stdout + refused.stderr);
      const { error } = refused.json() as { error: { code: string; message: string } };
      assert.equal(error.code, 'USAGE');
      assert.ok(error.message.includes(`unknown flag \`--no-such-flag\` for \`partner ${command}\``));
      assert.equal(other.storedJobs(), 2, 'what is refused does nothing');
    });
});

async function endedRun(home: Home, line: string): Promise<Run> {
  if (!/^(?:engine serve|dashboard) --port/.test(line)) return home.run(line, { stdin: KEY });
  const server = home.start(line);
  await server.shown('stdout', /\n/);
  server.child.kill('SIGINT');
  return server.ended;
}
