import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APART } from '../../scripts/bundle.ts';
import { realServers } from '../client/real-server.ts';
import { fixture } from '../fixture.ts';
import { itAtLength, times } from '../times.ts';
import { withEngine } from './homes.ts';
import { EXAMPLES } from './partner.ts';
import { answering, callsTo } from './servers.ts';

// Startup must be fast, so only the commands that need a rarely used package or the native driver load it.

/** More built-in modules than any command needs; the slow ones take longer to load than the bundle. */
const BUILTINS_MAX = 24;
const SLOW_BUILTINS = 'http https http2 net tls worker_threads inspector diagnostics_channel'.split(' ');

const ELECTRICIAN = join(EXAMPLES, 'jobs/electrician-austin.json');
const DRIVER = ['@libsql'];
const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

const OFFLINE = [
  ...['--version', 'version', 'help', 'jobs create --help', 'jobs crate', 'jobs get abc', 'schema'],
  ...['completion bash', 'auth status', 'auth list', `jobs validate ${ELECTRICIAN}`, 'jobs apply'],
  ...[`jobs validate ${join(EXAMPLES, 'wrong')} --format sarif`, 'locations pick bost', 'jobs close 1'],
  ...['budgets simulate --bid-cents 1500', 'dashboard --help'],
];
const ON_THE_ENGINE = [
  ...[`jobs plan ${ELECTRICIAN} --state state.json`, `jobs apply ${ELECTRICIAN} --state state.json`],
  ...['locations search bost', `jobs create ${ELECTRICIAN}`, 'jobs list', 'jobs get 1', 'engine status'],
  'dashboard status',
];
const FORMATS = 'forklift-operator-memphis.yaml lab-technician-boston.md'.split(' ');
const LOADS = [
  ...OFFLINE.map((line) => [line, []] as const),
  ...ON_THE_ENGINE.map((line) => [line, DRIVER] as const),
  [`jobs validate ${join(EXAMPLES, 'formats/jobs.csv')}`, ['csv-parse-sync']] as const,
  [`jobs validate ${join(EXAMPLES, 'jobs/*.json')}`, ['picomatch']] as const,
  ...FORMATS.map((name) => [`jobs validate ${join(EXAMPLES, 'formats', name)}`, ['yaml']] as const),
];

/** For the most used commands. Code that is executed has to be loaded, initialized and often compiled. */
const EXECUTED = {
  'jobs validate FILE': 240,
  'jobs plan FILE --state state.json': 365,
  'jobs apply FILE --state state.json': 400,
  'jobs create FILE': 350,
  'jobs list': 250,
  'jobs get 1': 270,
  'jobs publish 1': 280,
  'locations search bost': 270,
  'auth status': 150,
  help: 120,
};

/** Counts the bytes of the bundle's functions that were called, without the parts that weren't reached. */
async function executedBytes(directory: string): Promise<number> {
  const [file = ''] = await readdir(directory);
  const { result } = JSON.parse(await readFile(join(directory, file), 'utf8'));
  const { functions } = result.find(({ url }: { url: string }) => url.endsWith('partner.cjs'));
  const ranges = functions.flatMap((covered: { ranges: object[] }) => covered.ranges);
  const isExecuted = new Uint8Array(ranges[0].endOffset);
  // V8 lists outer ranges first.
  for (const { startOffset, endOffset, count } of ranges)
    isExecuted.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return isExecuted.reduce((sum, executed) => sum + executed, 0);
}

function partsOf(loaded: readonly string[]): string[] {
  const apart = loaded.flatMap((request) => /^\.\/apart\/(.*)\.cjs$/.exec(request)?.[1] ?? []);
  return [...apart, ...DRIVER.filter((driver) => loaded.some((request) => request.startsWith(driver)))];
}

describe('a command loads what it needs and nothing else', () => {
  const home = fixture('all tests', withEngine);

  for (const [at, [line, parts]] of LOADS.entries()) {
    const shown = line.replaceAll(EXAMPLES, 'examples');
    const test = at % 2 === 0 ? it : itAtLength;
    test(`\`partner ${shown}\` loads ${['the bundle', ...parts].join(' and ')}`, async () => {
      const { loaded } = await home.observe(line);
      const builtins = loaded.filter(isBuiltin).map((name) => name.replace('node:', ''));
      assert.deepEqual(partsOf(loaded), parts);
      const slow = SLOW_BUILTINS.filter((name) => builtins.includes(name));
      assert.deepEqual(slow, []);
      assert.ok(new Set(builtins).size <= BUILTINS_MAX, `${new Set(builtins).size}: ${builtins}`);
    });
  }

  for (const [line, kilobytesMax] of Object.entries(EXECUTED).slice(0, times(4, 10)))
    it(`\`partner ${line}\` executes at most ${kilobytesMax} kB of the bundle`, async () => {
      const coverage = await mkdtemp(join(home.path, 'coverage-'));
      const argv = line.replace('FILE', ELECTRICIAN).split(' ');
      await home.observe(argv, { env: { NODE_V8_COVERAGE: coverage } });
      const kilobytes = (await executedBytes(coverage)) / 1000;
      assert.ok(kilobytes <= kilobytesMax, `executes ${kilobytes} kB`);
    });

  for (const [flags, parts] of [
    ['', ['pino', ...DRIVER]],
    [' --metrics-port 0', ['pino', 'prom-client', ...DRIVER]],
  ] as const)
    it(`\`partner engine serve${flags}\` on a file loads ${parts.join(' and ')}, and no driver of a server`, async () => {
      // No machine has this address, so the server fails to start and exits.
      const { loaded, code } = await home.observe(`engine serve --host 192.0.2.1${flags}`);
      assert.deepEqual([code, partsOf(loaded).sort()], [2, [...parts].sort()]);
    });

  it('finds in the parts beside the bundle every name that the source takes of them', async () => {
    const taken: string[] = [];
    for (const file of await readdir(SOURCE, { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const source = await readFile(join(SOURCE, file), 'utf8');
      for (const [, names = '', from = ''] of source.matchAll(
        /const \{([^}]*)\}[^=]*= await import\('([^.:']+)'\)/g,
      ))
        taken.push(...names.split(',').map((name) => `${from}: ${name.split(':')[0]?.trim()}`));
    }
    const bundled = Object.entries(APART).flatMap(([from, names]) => names.map((name) => `${from}: ${name}`));
    assert.ok(taken.includes('undici: Agent'), 'the source is no longer written as this test reads it');
    const missing = taken.filter((name) => !bundled.includes(name));
    assert.deepEqual(missing, []);
  });

  describe('a call to a server loads undici, and', () => {
    const servers = realServers('each test');

    for (const [what, line, status, code, parts] of [
      ['nothing more for a list', 'jobs list', 200, 0, ['undici']],
      [
        'the driver for the lock of an apply',
        'jobs apply draft.json --state a.json',
        401,
        4,
        ['undici', ...DRIVER],
      ],
      ['no driver under --no-lock', 'jobs apply draft.json --state b.json --no-lock', 401, 4, ['undici']],
    ] as const)
      it(what, async () => {
        await home.file('draft.json', { title: 'Nurse' });
        const server = await servers.listen(answering(status, { items: [] }));
        const run = await home.observe(line, { env: callsTo(server) });
        assert.deepEqual([run.code, partsOf(run.loaded)], [code, parts], run.stderr);
      });
  });
});
