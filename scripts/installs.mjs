// Installs the package in each way that docs/install.md describes (checkout, tarball, git dependency), and runs the
// smoke test on each. Requires the npm registry or npm's cache.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MEGABYTES_MAX = 10.5;
const root = fileURLToPath(new URL('..', import.meta.url));
const elsewhere = mkdtempSync(join(tmpdir(), 'partner-installs-'));

/** Runs a program that must succeed, and shows its output. */
const run = (cwd, program, ...argv) => execFileSync(program, argv, { cwd, stdio: 'inherit' });

/** Creates an empty package that can depend on partner. */
function dependant(name) {
  const path = join(elsewhere, name);
  mkdirSync(path);
  writeFileSync(join(path, 'package.json'), '{"private": true}');
  return path;
}

function smoke(partner) {
  run(elsewhere, process.execPath, join(root, 'scripts/smoke-steps.mjs'), partner);
}

/** Without a build, the CLI must print how to build it. */
function assertNotBuilt(binary, hint) {
  const { status, stderr } = spawnSync(process.execPath, [binary, 'version'], { encoding: 'utf8' });
  assert.equal(status, 2, stderr);
  assert.ok(stderr.includes(hint), stderr);
}

/** Compares the tarball's files with `packed-files.txt`. There, `*` replaces the versions in the code cache's file name. */
function assertPinned(tarball) {
  const names = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')
    .map((path) => path.replace(/^package\//, '').replace(/^(dist\/partner\.cjs)\..+(\.cache)$/, '$1.*$2'));
  const pinned = readFileSync(join(root, 'scripts/packed-files.txt'), 'utf8').trimEnd().split('\n');
  const differing = [
    ...names.filter((name) => !pinned.includes(name)),
    ...pinned.filter((name) => !names.includes(name)),
  ];
  assert.equal(differing.join(), '', 'in the tarball or in scripts/packed-files.txt, but not in both');
  const megabytes = statSync(tarball).size / 1e6;
  console.log(`${names.length} files, ${megabytes.toFixed(1)} MB`);
  assert.ok(megabytes < MEGABYTES_MAX, `the tarball must be smaller than ${MEGABYTES_MAX} MB`);
}

try {
  const bare = join(elsewhere, 'partner-jobs-cli.git');
  run(elsewhere, 'git', 'clone', '--quiet', '--bare', root, bare);

  console.log('==> a checkout');
  const checkout = join(elsewhere, 'checkout');
  run(elsewhere, 'git', 'clone', '--quiet', bare, checkout);
  assertNotBuilt(join(checkout, 'bin/run.js'), 'npm ci');
  // `.ci/run` tests an installation with scripts in its first step.
  run(checkout, 'npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts');
  assertNotBuilt(join(checkout, 'bin/run.js'), 'npm run build');
  run(checkout, 'npm', 'run', 'build');
  smoke(join(checkout, 'bin/run.js'));
  // Not the --prefix flag, which would also change the package that npm links.
  process.env.npm_config_prefix = join(elsewhere, 'global');
  run(checkout, 'npm', 'link', '--no-audit', '--no-fund');
  smoke(join(elsewhere, 'global/bin/partner'));

  console.log('==> a packed tarball');
  run(checkout, 'npm', 'pack', '--pack-destination', elsewhere);
  run(checkout, 'git', 'diff', '--exit-code', '--stat');
  const [filename = ''] = readdirSync(elsewhere).filter((name) => name.endsWith('.tgz'));
  const tarball = join(elsewhere, filename);
  assertPinned(tarball);
  const byTarball = dependant('by-tarball');
  run(byTarball, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', tarball);
  const listed = execFileSync('npm', ['ls', '--all', '--parseable'], { cwd: byTarball, encoding: 'utf8' });
  const installed = [...listed.matchAll(/.*node_modules\/(\S+)$/gm)].map(([, name]) => name);
  const ofLibsql = /^(?:libsql|detect-libc|@neon-rs\/load|@libsql\/\S+)$/;
  assert.deepEqual(
    installed.filter((name) => !ofLibsql.test(name)),
    ['partner-jobs-cli'],
  );
  smoke(join(byTarball, 'node_modules/.bin/partner'));

  console.log('==> a git dependency');
  const byGit = dependant('by-git');
  run(byGit, 'npm', 'install', '--no-audit', '--no-fund', `git+${pathToFileURL(bare)}`);
  smoke(join(byGit, 'node_modules/.bin/partner'));

  console.log('==> a git dependency without scripts, which must print how to build it');
  const unbuilt = dependant('by-git-without-scripts');
  const without = ['--ignore-scripts', `git+${pathToFileURL(bare)}`];
  run(unbuilt, 'npm', 'install', '--no-audit', '--no-fund', ...without);
  assertNotBuilt(join(unbuilt, 'node_modules/.bin/partner'), '--ignore-scripts');
} finally {
  rmSync(elsewhere, { recursive: true, force: true });
}
