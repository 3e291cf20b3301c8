import { execFileSync } from 'node:child_process';

/**
 * Makes a directory a disk of its own, with these options of tmpfs (`size=64k`, `ro`); gives what takes it away.
 * Undefined where this user may not mount, which it says: that takes root, and not every container lets it.
 */
export function smallDisk(directory: string, options: string): (() => void) | undefined {
  const run = (command: string, ...argv: string[]): unknown =>
    execFileSync(command, argv, { stdio: 'ignore' });
  try {
    run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', directory);
  } catch {
    console.error(`    not tested, as nothing can be mounted here: a disk with ${options}`);
    return undefined;
  }
  return () => void run('umount', directory);
}
