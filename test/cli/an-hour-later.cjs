// Preloaded into a run (`node --require`): an hour passes at the moment at which the file `an-hour-later` is there.
const { existsSync } = require('node:fs');

const now = performance.now.bind(performance);
performance.now = () => now() + (existsSync('an-hour-later') ? 3_600_000 : 0);
