import { readFileSync } from 'node:fs';
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

const CHECKSUM_BYTES = 4;

/** What is kept of a compiled form: behind it its checksum, as V8 trusts what it is handed and dies of a damaged one. */
export function withChecksum(compiled) {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(compiled));
  return Buffer.concat([compiled, checksum]);
}

/** The compiled form that was kept at `path`; undefined where it is missing, damaged or cannot be read. */
export function readCodeCache(path) {
  try {
    const kept = readFileSync(path);
    const compiled = kept.subarray(0, -CHECKSUM_BYTES);
    const isWhole = compiled.length > 0 && crc32(compiled) === kept.readUInt32LE(compiled.length);
    return isWhole ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/** Loaded where it is needed: Node 22 and newer have no use for it here. */
function crc32(bytes) {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}

/** The bundle as a script, with V8's compiled form of it where the build left one; `fresh` leaves that out. */
export function bundleScript({ fresh = false } = {}) {
  return new vm.Script(module.wrap(readFileSync(BUNDLE, 'utf8')), {
    // Not its path: that of the machine which built it would stand in every report of a bug.
    filename: 'partner.cjs',
    cachedData: fresh ? undefined : readCodeCache(codeCachePath()),
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
