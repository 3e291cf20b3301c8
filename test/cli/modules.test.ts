import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APART } from '../../scripts/bundle.ts';
import { RealServers } from '../client/real-server.ts';
import { withEngine } from './homes.ts';
import { EXAMPLES, type Home } from './partner.ts';

/*
 * Start-up is a feature. The packages that few calls need stand beside the bundle, in `dist/apart`, and the
 * database's driver is native: each is loaded by the commands that use it, and by no other.
 */

/** More of Node's own modules than a command needs; some of them take longer to load than ours. */
const BUILTINS_MAX = 24;
const SLOW_BUILTINS = [
  'http',
  'https',
  'http2',
  'net',
  'tls',
  'worker_threads',
  'inspector',
  'diagnostics_channel',
];

const ELECTRICIAN = join(EXAMPLES, 'jobs/electrician-austin.json');
const DRIVER = ['@libsql'];
const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

const LOADS: readonly (readonly [argv: readonly string[], parts: readonly string[]])[] = [
  [['--version'], []],
  [['version'], []],
  [['help'], []],
  [['jobs', 'create', '--help'], []],
  [['jobs', 'crate'], []],
  [['jobs', 'get', 'abc'], []],
  [['schema'], []],
  [['completion', 'bash'], []],
  [['auth', 'status'], []],
  [['auth', 'list'], []],
  [['jobs', 'validate', ELECTRICIAN], []],
  [['jobs', 'validate', join(EXAMPLES, 'wrong'), '--format', 'sarif'], []],
  [['jobs', 'validate', join(EXAMPLES, 'jobs/*.json')], ['picomatch']],
  [['jobs', 'plan', ELECTRICIAN, '--state', 'state.json'], DRIVER],
  [['jobs', 'apply', ELECTRICIAN, '--state', 'state.json'], DRIVER],
  [['jobs', 'apply'], []],
  [['locations', 'search', 'bost'], DRIVER],
  [['locations', 'pick', 'bost'], []],
  [['jobs', 'create', ELECTRICIAN], DRIVER],
  [['jobs', 'list'], DRIVER],
  [['jobs', 'close', '1'], []],
  [['jobs', 'get', '1'], DRIVER],
  [['budgets', 'simulate', '--bid-cents', '1500'], []],
  [['engine', 'status'], DRIVER],
  [['dashboard', 'status'], DRIVER],
  [['dashboard', '--help'], []],
];

/** The parts that were loaded: ours beside the bundle, and the database's driver by its publisher. */
function partsOf(loaded: readonly string[]): string[] {
  const apart = loaded.flatMap((request) => /^\.\/apart\/(.*)\.cjs$/.exec(request)?.[1] ?? []);
  return [...apart, ...DRIVER.filter((driver) => loaded.some((request) => request.startsWith(driver)))];
}

describe('a command loads what it needs and nothing else', () => {
  let home: Home;
  before(async () => {
    home = await withEngine();
  });

  for (const [argv, parts] of LOADS) {
    const line = argv.map((word) => word.replace(EXAMPLES, 'examples')).join(' ');
    it(`\`partner ${line}\` loads ${['the bundle', ...parts].join(' and ')}`, async () => {
      const { loaded } = await home.observe(argv);
      const builtins = loaded.filter(isBuiltin).map((name) => name.replace('node:', ''));
      assert.deepEqual(partsOf(loaded), parts);
      assert.deepEqual(
        SLOW_BUILTINS.filter((name) => builtins.includes(name)),
        [],
      );
      assert.ok(new Set(builtins).size <= BUILTINS_MAX, `${new Set(builtins).size}: ${builtins}`);
    });
  }

  it('finds in the parts beside the bundle every name that the source takes of them', async () => {
    const taken: string[] = [];
    for (const file of await readdir(SOURCE, { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const source = await readFile(join(SOURCE, file), 'utf8');
      for (const [, names = '', from = ''] of source.matchAll(
        /const \{([^}]*)\}[^=]*= await import\('([^.:']+)'\)/g,
      )) {
        taken.push(...names.split(',').map((name) => `${from}: ${name.split(':')[0]?.trim()}`));
      }
    }
    const bundled = Object.entries(APART).flatMap(([from, names]) => names.map((name) => `${from}: ${name}`));
    assert.ok(taken.includes('undici: Agent'), 'the source is no longer written as this test reads it');
    assert.deepEqual(
      taken.filter((name) => !bundled.includes(name)),
      [],
    );
  });

  it('a call to a server loads undici, and neither the database nor the engine', async () => {
    const servers = new RealServers();
    const server = await servers.listen((_, __, response) => response.end('{"items": []}'));
    const run = await home.observe(['jobs', 'list', '--base-url', `${server.origin}/v1`], {
      env: { PARTNER_API_KEY: 'sk_ext_4c1d9f3c2ab7e8d6' },
    });
    await servers.close();
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(partsOf(run.loaded), ['undici']);
  });

  for (const [flags, parts] of [
    [[], ['undici', ...DRIVER]],
    [['--no-lock'], ['undici']],
  ] as const) {
    it(`an apply to a server loads ${parts.join(' and ')} with ${flags.join() || 'its lock'}`, async () => {
      const servers = new RealServers();
      const server = await servers.listen((_, __, response) => response.writeHead(401).end());
      const baseUrl = `${server.origin}/v1`;
      const draft = await home.file('draft.json', { title: 'Nurse' });
      const argv = ['jobs', 'apply', draft, '--state', 'other.json', '--base-url', baseUrl, ...flags];
      const run = await home.observe(argv, { env: { PARTNER_API_KEY: 'sk_ext_4c1d9f3c2ab7e8d6' } });
      await servers.close();
      assert.equal(run.code, 4, run.stderr);
      assert.deepEqual(partsOf(run.loaded), parts);
    });
  }

  it('only a login loads what writes the configuration', async () => {
    const servers = new RealServers();
    const server = await servers.listen((_, __, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items": []}');
    });
    const other = await home.copy();
    const login = ['auth', 'login', 'acme', '--with-key', '--base-url', `${server.origin}/v1`];
    const run = await other.observe(login, { stdin: 'sk_ext_4c1d9f3c2ab7e8d6' });
    await servers.close();
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(partsOf(run.loaded).sort(), ['@libsql', 'undici']);
  });
});
