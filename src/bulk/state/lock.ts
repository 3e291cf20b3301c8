import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { PartnerError } from '../../contract/errors.ts';
import { tried } from '../../contract/tried.ts';
import { type FileLock, isLockless, takeLock } from '../../files/file-lock.ts';
import { readOwnFile, removeIfPossible, replaceFile } from '../../files/own-file.ts';
import { besideState, makeDirectoryOf, notPossible } from './state-directory.ts';

export const Holder = z.object({
  pid: z.int(),
  host: z.string(),
  /** Since when by that host's clock, in ISO 8601. */
  since: z.string(),
  command: z.string(),
});

/** Which apply holds a lock: shown to a second one, and never used to decide anything. */
export type LockHolder = z.infer<typeof Holder>;

/** File systems of Linux (statfs(2)) whose locks may not reach the other machines that have them mounted. */
const REMOTE_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
]);

/** Throws STATE_LOCKED with the apply that holds it, LINK_REFUSED, and STATE_UNUSABLE where it cannot be locked. */
export async function lockState(statePath: string, self: LockHolder): Promise<FileLock> {
  const path = besideState(statePath, '.lock.db');
  const holderPath = besideState(statePath, '.lock');
  const lock = await lockAt(path);
  if (lock === undefined) {
    // It is only noted where that is possible.
    const holder = tried(() => Holder.parse(JSON.parse(String(readOwnFile(holderPath)))));
    throw stateLocked(holder, ', or end it: the lock ends with it');
  }
  noteHolder(holderPath, self);
  return {
    release() {
      removeIfPossible(holderPath);
      lock.release();
    },
  };
}

async function lockAt(path: string): Promise<FileLock | undefined> {
  try {
    makeDirectoryOf(path);
    const remote = REMOTE_FILE_SYSTEMS.get(statfsSync(dirname(path)).type);
    if (remote !== undefined) throw notLockable(path, `it is on ${remote}`);
    return await takeLock(path);
  } catch (error) {
    throw isLockless(error)
      ? notLockable(path, 'its file system refuses', error)
      : notPossible('written', path, error);
  }
}

/** A full disk keeps nobody from the lock. */
function noteHolder(path: string, holder: LockHolder): void {
  try {
    replaceFile(path, `${JSON.stringify(holder)}\n`, { isLocked: true });
  } catch {
    removeIfPossible(path);
  }
}

/** `ending`: what ends the lock, besides the end of its run. */
export function stateLocked(holder: LockHolder | undefined, ending: string): PartnerError {
  const { pid, host, since, command } = holder ?? {};
  const who = holder === undefined ? 'another apply' : `process ${pid} on ${host} since ${since}: ${command}`;
  return new PartnerError('STATE_LOCKED', {
    message: `the state is locked by ${who}`,
    hint: `wait until that process has ended${ending}`,
  });
}

function notLockable(path: string, why: string, cause?: unknown): PartnerError {
  return new PartnerError('STATE_UNUSABLE', {
    message: `${path} cannot be locked: ${why}, so a second apply would not be noticed`,
    hint: 'make sure that no other apply of this state runs, and add --no-lock; or keep the state on a local disk with --state',
    cause,
  });
}
