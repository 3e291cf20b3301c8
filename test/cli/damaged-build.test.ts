import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
// @ts-expect-error: plain JavaScript, because it runs without a build
import { codeCachePath, readCodeCache, withChecksum } from '../../bin/load.js';
import { BINARY, DIST, newHome } from './partner.ts';

const CACHE: string = codeCachePath();

async function installed(...changed: string[]): Promise<string> {
  const { path } = await newHome();
  cpSync(dirname(BINARY), join(path, 'bin'), { recursive: true });
  mkdirSync(join(path, 'dist'));
  writeFileSync(join(path, 'package.json'), '{"type": "module", "version": "0.1.0"}');
  for (const name of ['partner.cjs', 'apart', 'commands.json', basename(CACHE)]) {
    const to = join(path, 'dist', name);
    // On Node 22 and newer, a linked bundle would read the files next to the original.
    if (name === 'partner.cjs' || changed.includes(name)) cpSync(join(DIST, name), to, { recursive: true });
    else symlinkSync(join(DIST, name), to);
  }
  return path;
}

function run(path: string, ...argv: string[]) {
  return spawnSync(process.execPath, [join(path, 'bin/run.js'), ...argv], { encoding: 'utf8', cwd: path });
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const other = Buffer.from(bytes);
  other[at] = (other[at] ?? 0) ^ 0x10;
  return other;
};

describe('a compiled form of the bundle that is damaged', () => {
  const whole = readFileSync(CACHE);

  it('is never handed to V8, whatever is wrong with it', async () => {
    assert.ok(readCodeCache(CACHE)?.length === whole.length - 4, 'the whole one is');
    const { path } = await newHome();
    const file = join(path, 'cache');
    const cut = [
      whole.subarray(0, whole.length >> 1),
      whole.subarray(0, -4),
      Buffer.alloc(0),
      Buffer.alloc(4),
    ];
    const bits = [0, 4096, whole.length >> 1, whole.length - 5, whole.length - 1];
    for (const [index, bytes] of [...cut, ...bits.map((at) => flipped(whole, at))].entries()) {
      writeFileSync(file, bytes);
      assert.equal(readCodeCache(file), undefined, `damage ${index}`);
    }
    assert.equal(readCodeCache(join(path, 'missing')), undefined, 'nothing there');
  });

  it('changes nothing of a command', async () => {
    const path = await installed(basename(CACHE));
    const cache = join(path, 'dist', basename(CACHE));
    const expected = run(path, 'help', 'jobs');
    assert.equal(expected.status, 0, expected.stderr);
    const ofAnotherNode = withChecksum(Buffer.from(whole.subarray(0, -4)).fill(7, 4, 8));
    for (const bytes of [flipped(whole, whole.length >> 1), ofAnotherNode]) {
      writeFileSync(cache, bytes);
      const { status, stdout, stderr } = run(path, 'help', 'jobs');
      assert.deepEqual([status, stdout, stderr], [0, expected.stdout, '']);
    }
  });
});

describe('a file of the installed package that is damaged', () => {
  for (const [name, argv] of [
    ['partner.cjs', ['version']],
    ['commands.json', ['help']],
  ] as const)
    it(`is named with what to do, exit 2, and shows no stack trace: ${name}`, async () => {
      const path = await installed(name);
      const file = join(path, 'dist', name);
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.subarray(0, bytes.length >> 1));
      const { status, stdout, stderr } = run(path, ...argv);
      assert.deepEqual([status, stdout], [2, '']);
      assert.ok(stderr.includes(file), stderr);
      assert.match(stderr, /\n→ reinstall partner/);
      assert.doesNotMatch(stderr, /\n {4}at /);
    });
});

async function unbuilt(below: string, { isInstalled = false } = {}, ...argv: string[]) {
  const { path } = await newHome();
  const root = join(path, below);
  cpSync(dirname(BINARY), join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type": "module"}');
  if (isInstalled) mkdirSync(join(root, 'node_modules/esbuild'), { recursive: true });
  const run = spawnSync(process.execPath, [join(root, 'bin/run.js'), ...argv], { encoding: 'utf8' });
  return { ...run, root };
}

describe('a package without dist/ says what to run, exit 2, and shows no stack trace:', () => {
  it('a fresh checkout npm ci, one whose parts are installed npm run build', async () => {
    const fresh = await unbuilt('checkout', {}, 'jobs', 'list');
    assert.deepEqual([fresh.status, fresh.stdout], [2, '']);
    assert.equal(
      fresh.stderr,
      `error: partner isn't built: ${fresh.root} has no dist/\n→ run \`npm ci\` in that directory\n`,
    );
    const installed = await unbuilt('checkout', { isInstalled: true });
    assert.match(installed.stderr, /→ run `npm run build` in that directory\n$/);
  });

  it('a dependency that was installed without its build how it is installed', async () => {
    const { status, stderr } = await unbuilt('node_modules/partner-jobs-cli');
    assert.equal(status, 2);
    assert.match(stderr, /→ reinstall without --ignore-scripts, or install a packed tarball/);
  });

  it('with --json as a document', async () => {
    const { status, stdout, stderr } = await unbuilt('checkout', {}, 'jobs', 'list', '--json');
    assert.deepEqual([status, stderr], [2, '']);
    const { error } = JSON.parse(stdout);
    assert.deepEqual([error.code, error.hint], ['USAGE', 'run `npm ci` in that directory']);
  });
});
