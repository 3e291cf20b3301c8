// Preloaded into a run (`node --require`): at its end, writes down what it loaded, which files it opened and how
// much memory it took at most.
const fs = require('node:fs');
const Module = require('node:module');

const loaded = new Set();
const load = Module._load;
Module._load = function (request, ...rest) {
  loaded.add(request);
  return load.call(this, request, ...rest);
};

const opened = [];
const { openSync, readFileSync, writeFileSync } = fs;
fs.openSync = (path, ...rest) => {
  opened.push(String(path));
  return openSync(path, ...rest);
};

process.on('exit', () => {
  const peakKib = peakOfOwn() ?? process.resourceUsage().maxRSS;
  writeFileSync(process.env.OBSERVED, JSON.stringify({ loaded: [...loaded], opened, peakKib }));
});

/** In KiB. `maxRSS` of a new process begins with what its parent had, and that may be much; Linux alone tells its own. */
function peakOfOwn() {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib);
  } catch {
    return undefined;
  }
}
