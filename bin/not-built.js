import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { BUNDLE } from './load.js';

/** Says what to run where the package has no `dist/`; gives the exit code of a usage error. */
export function sayNotBuilt(process) {
  const root = dirname(dirname(BUNDLE));
  const message = `partner is not built: there is no dist/ in ${root}`;
  return say(process, { code: 'USAGE', message, hint: whatToRun(root) });
}

/** Says what to do about a bundle that cannot be loaded; gives the exit code of an unreadable file. */
export function sayDamaged(process, error) {
  const message = `${BUNDLE} cannot be loaded: ${error?.message ?? error}`;
  const hint = 'install partner again; it needs Node 20.19 or newer';
  return say(process, { code: 'FILE_UNREADABLE', message, hint });
}

function say({ argv, stdout, stderr }, error) {
  if (argv.includes('--json')) stdout.write(`${JSON.stringify({ error })}\n`);
  else stderr.write(`error: ${error.message}\n→ ${error.hint}\n`);
  return 2;
}

function whatToRun(root) {
  if (root.includes(`${sep}node_modules${sep}`)) {
    return 'install it without --ignore-scripts, or from a packed tarball: docs/install.md has the ways';
  }
  const isInstalled = existsSync(`${root}/node_modules/esbuild`);
  return isInstalled ? 'build it there with `npm run build`' : 'install and build it there with `npm ci`';
}
