'use strict';

const { existsSync } = require('node:fs');
const { dirname, sep } = require('node:path');
const { BUNDLE } = require('./load.js');

/** Prints how to build a missing `dist/`. Returns the exit code for USAGE. */
function sayNotBuilt(process) {
  const root = dirname(dirname(BUNDLE));
  const message = `partner isn't built: ${root} has no dist/`;
  return say(process, { code: 'USAGE', message, hint: whatToRun(root) });
}

/** Prints what to do about a damaged bundle. Returns the exit code for FILE_UNREADABLE. */
function sayDamaged(process, error) {
  const message = `can't load ${BUNDLE}: ${error?.message ?? error}`;
  const hint = 'reinstall partner, which requires Node 20.19 or newer';
  return say(process, { code: 'FILE_UNREADABLE', message, hint });
}

function say({ argv, stdout, stderr }, error) {
  if (argv.includes('--json')) stdout.write(`${JSON.stringify({ error })}\n`);
  else stderr.write(`error: ${error.message}\n→ ${error.hint}\n`);
  return 2;
}

function whatToRun(root) {
  if (root.includes(`${sep}node_modules${sep}`)) {
    return 'reinstall without --ignore-scripts, or install a packed tarball (docs/install.md)';
  }
  const isInstalled = existsSync(`${root}/node_modules/esbuild`);
  return isInstalled ? 'run `npm run build` in that directory' : 'run `npm ci` in that directory';
}

module.exports = { sayDamaged, sayNotBuilt };
