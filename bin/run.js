#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { BUNDLE, loadBundle } from './load.js';

// Writes report their own errors. Without a listener, Node would exit with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// Not `exit()`, which would drop output that a slow reader hasn't read yet.
process.exitCode = await run();

async function run() {
  if (!existsSync(BUNDLE)) return (await import('./not-built.js')).sayNotBuilt(process);
  let bundle;
  try {
    bundle = loadBundle();
    // A file that was cut off between statements loads without an error.
    if (bundle.main === undefined) throw new SyntaxError('the file ends too early');
  } catch (error) {
    return (await import('./not-built.js')).sayDamaged(process, error);
  }
  return bundle.main(process);
}
