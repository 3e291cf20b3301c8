// Preloaded into a run (`node --require`): makes it one on another machine, whose clock is a day ahead; and whose
// disks are all NFS, where ON_NFS is set.
const fs = require('node:fs');
const os = require('node:os');

const now = Date.now;
Date.now = () => now() + 86_400_000;
os.hostname = () => 'ci-2';
if (process.env.ON_NFS) fs.statfsSync = () => ({ type: 0x6969 });
