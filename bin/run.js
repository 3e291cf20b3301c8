#!/usr/bin/env node
'use strict';

// Writes report their own errors. Without a listener, Node would exit with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const [only, ...others] = process.argv.slice(2);
if (only === '--version' && others.length === 0) {
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  run().then((code) => {
    // Not `exit()`, which would drop output that a slow reader hasn't read yet.
    process.exitCode = code;
  });
}

async function run() {
  const { BUNDLE, loadBundle } = require('./load.js');
  if (!require('node:fs').existsSync(BUNDLE)) return require('./not-built.js').sayNotBuilt(process);
  let bundle;
  try {
    bundle = loadBundle();
    // A file that was cut off between statements loads without an error.
    if (bundle.main === undefined) throw new SyntaxError('the file ends too early');
  } catch (error) {
    return require('./not-built.js').sayDamaged(process, error);
  }
  return bundle.main(process);
}
