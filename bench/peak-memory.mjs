// Preloaded into a measured process. Writes the process's peak memory in KB to file descriptor 3 at exit.
import { existsSync, readFileSync, writeSync } from 'node:fs';

process.once('exit', () => writeSync(3, String(peakKilobytes())));

/** Prefers /proc, because `maxRSS` includes the memory of the parent when it started the process. */
function peakKilobytes() {
  const status = '/proc/self/status';
  if (!existsSync(status)) return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]);
}
