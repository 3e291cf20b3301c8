#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { BUNDLE, loadBundle } from './load.js';

// Each write is told what became of it; without a listener Node would end the process with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// Never `exit()`: it would cut what a slow reader has not taken yet.
process.exitCode = await run();

async function run() {
  if (!existsSync(BUNDLE)) return (await import('./not-built.js')).sayNotBuilt(process);
  let bundle;
  try {
    bundle = loadBundle();
    // A file that was cut off between two statements loads without an error.
    if (bundle.main === undefined) throw new SyntaxError('the file ends too early');
  } catch (error) {
    return (await import('./not-built.js')).sayDamaged(process, error);
  }
  return bundle.main(process);
}
