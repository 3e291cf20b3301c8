// Preloaded into a run (`node --require`): the process is killed when it is about to remove a candidate's file or a state.
const fs = require('node:fs');
const promises = require('node:fs/promises');

const { rm } = promises;
promises.rm = (path, options) => {
  if (/[0-9a-f]{64}$/.test(path)) process.kill(process.pid, 'SIGKILL');
  return rm(path, options);
};

const { rmSync } = fs;
fs.rmSync = (path, options) => {
  if (/[\\/]state\.json$/.test(path)) process.kill(process.pid, 'SIGKILL');
  return rmSync(path, options);
};
