// Runs the commands of the startup benchmark, then stores the code that V8 compiled for them next to the bundle.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { BUNDLE, bundleScript, codeCachePath, withChecksum } from '../bin/load.js';

const script = bundleScript({ fresh: true });
const bundle = { exports: {} };
script
  .runInThisContext()
  .call(bundle.exports, bundle.exports, createRequire(BUNDLE), bundle, BUNDLE, dirname(BUNDLE));

const scratch = mkdtempSync(join(tmpdir(), 'partner-compile-'));
const example = new URL('../examples/jobs/', import.meta.url).pathname;
const runs = [
  ['version'],
  ['jobs', 'validate', `${example}electrician-austin.json`],
  ['locations', 'search', 'bost', '--json'],
  ['jobs', 'create', `${example}electrician-austin.json`, '--json'],
  ['jobs', 'list'],
];
for (const argv of runs) await bundle.exports.main(quietProcess(argv));
writeFileSync(codeCachePath(), withChecksum(script.createCachedData()));
rmSync(scratch, { recursive: true, force: true });

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
