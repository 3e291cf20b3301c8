import { readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';

export const BUNDLE = fileURLToPath(new URL('../dist/partner.cjs', import.meta.url));

/** Path of V8's code cache for the bundle. Only the V8 version that created it can use it. */
export function codeCachePath() {
  return `${BUNDLE}.${process.arch}-${v8.cachedDataVersionTag()}.cache`;
}

const CHECKSUM_BYTES = 4;

/** Appends a checksum, because V8 crashes on a damaged code cache. */
export function withChecksum(compiled) {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(compiled));
  return Buffer.concat([compiled, checksum]);
}

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

/** Loaded on demand, because Node 22 and newer don't need it here. */
function crc32(bytes) {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}

export function bundleScript({ fresh = false } = {}) {
  return new vm.Script(module.wrap(readFileSync(BUNDLE, 'utf8')), {
    // Not the full path, because bug reports would show the path on the build machine.
    filename: 'partner.cjs',
    cachedData: fresh ? undefined : readCodeCache(codeCachePath()),
  });
}

/**
 * Returns the exports of `dist/partner.cjs`. Compiling takes longer than running, so Node 22 and newer cache the
 * compiled code. For Node 20, the build creates the cache.
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
