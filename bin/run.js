#!/usr/bin/env node
import { loadBundle } from './load.js';

// A reader that goes away (`| head -1`) is no error of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

// Never `exit()`: it would cut what a slow reader has not taken yet.
process.exitCode = await loadBundle().main(process);
