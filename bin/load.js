import { existsSync, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';

export const BUNDLE = fileURLToPath(new URL('../dist/partner.cjs', import.meta.url));

/** Where the build leaves V8's compiled form of the bundle; of use only to the same V8. */
export function codeCachePath() {
  return `${BUNDLE}.${process.arch}-${v8.cachedDataVersionTag()}.cache`;
}

/** The bundle as a script, with V8's compiled form of it where the build left one; `fresh` leaves that out. */
export function bundleScript({ fresh = false } = {}) {
  const compiled = codeCachePath();
  return new vm.Script(module.wrap(readFileSync(BUNDLE, 'utf8')), {
    // Not its path: that of the machine which built it would stand in every report of a bug.
    filename: 'partner.cjs',
    cachedData: !fresh && existsSync(compiled) ? readFileSync(compiled) : undefined,
  });
}

/**
 * The exports of `dist/partner.cjs`. Compiling it takes longer than running it: Node 22 and newer keep the
 * compiled form themselves; for Node 20 the build leaves it beside the bundle.
 */
export function loadBundle() {
  const require = createRequire(BUNDLE);
  if (module.enableCompileCache !== undefined) {
    module.enableCompileCache();
    return require(BUNDLE);
  }
  const bundle = { exports: {} };
  const run = bundleScript().runInThisContext();
  run.call(bundle.exports, bundle.exports, require, bundle, BUNDLE, dirname(BUNDLE));
  return bundle.exports;
}
