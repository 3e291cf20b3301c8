import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BINARY, newHome } from './partner.ts';

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
