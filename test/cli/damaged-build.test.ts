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
