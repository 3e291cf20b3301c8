// Builds, unless everything in `dist` was built by this version of Node from the sources as they are.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeCachePath } from '../bin/load.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The build's own files are here too, so that it runs again after one of them was changed. */
const SOURCES = [
  'bin',
  'dist',
  'schemas',
  'scripts',
  'src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
/** The build writes this file last. */
const LAST = codeCachePath([]);

if (!isCurrent()) {
  const argv = ['--import', 'tsx', 'scripts/build.ts'];
  process.exitCode = spawnSync(process.execPath, argv, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

function isCurrent() {
  // npm writes the second one when it installs.
  const needed = ['THIRD-PARTY-LICENSES', 'node_modules/.package-lock.json'];
  if (!existsSync(LAST) || !needed.every((name) => existsSync(ROOT + name))) return false;
  const builtAt = statSync(LAST).mtimeMs;
  return [...SOURCES, ...needed].every((name) => newestIn(ROOT + name) <= builtAt);
}

/** Of a directory also its own time, which a removal changes. */
function newestIn(path) {
  const stats = statSync(path);
  const inside = stats.isDirectory() ? readdirSync(path) : [];
  return Math.max(stats.mtimeMs, ...inside.map((name) => newestIn(`${path}/${name}`)));
}
