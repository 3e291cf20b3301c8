import { execFileSync } from 'node:child_process';
import { appendFileSync, statfsSync, statSync, truncateSync } from 'node:fs';

const run = (command: string, ...argv: string[]): unknown => execFileSync(command, argv, { stdio: 'ignore' });

/** Mounts a tmpfs with these options (`size=64k`, `ro`) on a directory; gives the function that unmounts it. */
export function smallDisk(directory: string, options: string): (() => void) | undefined {
  try {
    run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', directory);
  } catch {
    console.error(`    not tested, as nothing can be mounted here: a disk with ${options}`);
    return undefined;
  }
  // Lazily: a database that was closed stays open until its statements are collected.
  return () => void run('umount', '--lazy', directory);
}

export function remountDisk(directory: string, mode: 'ro' | 'rw'): void {
  run('mount', '-o', `remount,${mode}`, directory);
}

export function fillDisk(path: string, freeBytes = 0): void {
  appendFileSync(path, '');
  const { bavail, bsize } = statfsSync(path);
  try {
    appendFileSync(path, Buffer.alloc(bavail * bsize + 1));
  } catch {
    // It is full now.
  }
  truncateSync(path, statSync(path).size - freeBytes);
}
