// Runs common commands, then stores their compiled code in the directory of the bundle.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BUNDLE, bundleScript, codeCachePath, withChecksum } from '../bin/load.js';

const example = new URL('../examples/jobs/electrician-austin.json', import.meta.url).pathname;
/** A separate cache for a command loads faster, but adds half a megabyte to the package. */
const CACHES = [
  { command: ['jobs', 'validate'], runs: [['jobs', 'validate', example]] },
  {
    command: [],
    runs: [
      ['version'],
      ['locations', 'search', 'bost', '--json'],
      ['jobs', 'create', example, '--json'],
      ['jobs', 'get', '1'],
      ['jobs', 'list'],
    ],
  },
];

const [index, scratch] = process.argv.slice(2);
if (index === undefined) compileAll();
else await compile(CACHES[index]);

/** Compiles each cache in a separate process, because V8 shares compiled functions between scripts with the same source. */
function compileAll() {
  const directory = mkdtempSync(join(tmpdir(), 'partner-compile-'));
  for (const at of CACHES.keys())
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), String(at), directory]);
  rmSync(directory, { recursive: true, force: true });
}

async function compile({ command, runs }) {
  const script = bundleScript();
  const bundle = { exports: {} };
  const run = script.runInThisContext();
  run.call(bundle.exports, bundle.exports, createRequire(BUNDLE), bundle, BUNDLE, dirname(BUNDLE));
  for (const argv of runs) await bundle.exports.main(quietProcess(argv));
  writeFileSync(codeCachePath(command), withChecksum(script.createCachedData()));
}

/** Returns a process that discards its output and stores its files in a temporary directory. */
function quietProcess(argv) {
  const sink = () => new PassThrough().resume();
  return {
    argv: [process.execPath, 'partner', ...argv],
    env: { PARTNER_DATA_DIR: scratch, PARTNER_CONFIG_DIR: scratch, CI: '1' },
    stdin: sink(),
    stdout: sink(),
    stderr: sink(),
    on: () => {},
    version: process.version,
    versions: process.versions,
    platform: process.platform,
    arch: process.arch,
  };
}
