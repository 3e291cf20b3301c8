// Loaded before `npm test`: files of tests are in memory where it has room, because a write mostly waits for the disk.
import { readFileSync, statfsSync } from 'node:fs';

/** Containers often have 64 MB of it, and run no script from it. */
function hasRoom(): boolean {
  const mounts = process.platform === 'linux' ? readFileSync('/proc/mounts', 'utf8') : '';
  if (!/^\S+ \/dev\/shm tmpfs rw(?!\S*,noexec)/m.test(mounts)) return false;
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize >= 4 * 1024 ** 3;
}

if (process.env.TMPDIR === undefined && hasRoom()) process.env.TMPDIR = '/dev/shm';
