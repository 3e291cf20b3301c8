import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { BUNDLE } from './load.js';

/** Says what to run where the package has no `dist/`; gives the exit code of a usage error. */
export function sayNotBuilt({ argv, stdout, stderr }) {
  const root = dirname(dirname(BUNDLE));
  const message = `partner is not built: there is no dist/ in ${root}`;
  const hint = whatToRun(root);
  if (argv.includes('--json'))
    stdout.write(`${JSON.stringify({ error: { code: 'USAGE', message, hint } })}\n`);
  else stderr.write(`error: ${message}\n→ ${hint}\n`);
  return 2;
}

function whatToRun(root) {
  if (root.includes(`${sep}node_modules${sep}`)) {
    return 'install it without --ignore-scripts, or from a packed tarball: docs/install.md has the ways';
  }
  const isInstalled = existsSync(`${root}/node_modules/esbuild`);
  return isInstalled ? 'build it there with `npm run build`' : 'install and build it there with `npm ci`';
}
