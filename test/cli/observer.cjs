// Preloaded into a run (`node --require`): at its end, writes down what it loaded and how much memory it took
// at most.
const { writeFileSync } = require('node:fs');
const Module = require('node:module');

const loaded = new Set();
const load = Module._load;
Module._load = function (request, ...rest) {
  loaded.add(request);
  return load.call(this, request, ...rest);
};

process.on('exit', () => {
  const { maxRSS: peakKib } = process.resourceUsage();
  writeFileSync(process.env.OBSERVED, JSON.stringify({ loaded: [...loaded], peakKib }));
});
