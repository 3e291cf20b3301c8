'use strict';

const { mkdirSync, readFileSync } = require('node:fs');
const nodeModule = require('node:module');
const { homedir } = require('node:os');
const { dirname, join } = require('node:path');
const vm = require('node:vm');

const BUNDLE = join(__dirname, '../dist/partner.cjs');

/**
 * Path of V8's code cache for the bundle. V8 rejects a cache from another version or with other flags. `command` selects
 * a smaller cache with only the functions of that command.
 */
function codeCachePath(command = []) {
  return [BUNDLE, ...command, `${process.arch}-${process.versions.v8}`, 'cache'].join('.');
}

const CHECKSUM_BYTES = 4;

/** Appends a checksum, because V8 crashes on a damaged code cache. */
function withChecksum(compiled) {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(compiled));
  return Buffer.concat([compiled, checksum]);
}

function readCodeCache(path) {
  try {
    const kept = readFileSync(path);
    const compiled = kept.subarray(0, -CHECKSUM_BYTES);
    const isWhole = compiled.length > 0 && crc32(compiled) === kept.readUInt32LE(compiled.length);
    return isWhole ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/** Loads zlib on demand, because only a code cache has a checksum. */
function crc32(bytes) {
  return require('node:zlib').crc32(bytes);
}

/** Words that match can be part of a cache's file name. */
const WORD = /^[a-z]+$/;

function readCommandCache([topic = '', command = '']) {
  const isNamed = WORD.test(topic) && WORD.test(command);
  return (
    (isNamed ? readCodeCache(codeCachePath([topic, command])) : undefined) ?? readCodeCache(codeCachePath())
  );
}

function bundleScript(cachedData) {
  return new vm.Script(nodeModule.wrap(readFileSync(BUNDLE, 'latin1')), {
    // Not the full path, because bug reports would show the path on the build machine.
    filename: 'partner.cjs',
    cachedData,
  });
}

/** Uses a directory that only this user can write. Node's default is in the shared temporary directory. */
function enableCompileCache() {
  const caches = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), '.cache');
  const directory = join(caches, 'partner', 'compiled');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    nodeModule.enableCompileCache(directory);
  } catch {
    // Without a writable home, each start compiles the bundle again.
  }
}

/**
 * Returns the exports of `dist/partner.cjs`. Compiling takes longer than running, so the build stores the compiled code
 * for its version of Node. On another version, Node 22 and newer store the code in the user's cache.
 */
function loadBundle() {
  const requireFromBundle = nodeModule.createRequire(BUNDLE);
  const cachedData = readCommandCache(process.argv.slice(2));
  if (cachedData === undefined && nodeModule.enableCompileCache !== undefined) {
    enableCompileCache();
    return requireFromBundle(BUNDLE);
  }
  const bundle = { exports: {} };
  const run = bundleScript(cachedData).runInThisContext();
  run.call(bundle.exports, bundle.exports, requireFromBundle, bundle, BUNDLE, dirname(BUNDLE));
  return bundle.exports;
}

module.exports = { BUNDLE, bundleScript, codeCachePath, loadBundle, readCodeCache, withChecksum };
