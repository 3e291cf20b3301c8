import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { PartnerError } from '../../contract/errors.ts';
import { attempt } from '../../contract/system-errors.ts';
import { type FileLock, isLockHeld, isLockless, takeLock } from '../../files/file-lock.ts';
import { readOwnFile, removeIfPossible, replaceFile } from '../../files/own-file.ts';
import { besideState, createParentDirectory, notPossible } from './state-file.ts';

export const Holder = z.object({
  pid: z.int(),
  host: z.string(),
  since: z.string(),
  command: z.string(),
});

/** The apply that holds the lock. Used only in messages, never for decisions. */
export type LockHolder = z.infer<typeof Holder>;

/** Linux file systems (statfs(2)) whose locks may not work across machines. */
const REMOTE_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
]);

/** Throws STATE_LOCKED with the holder, LINK_REFUSED, and STATE_UNUSABLE if the file can't be locked. */
export async function lockState(statePath: string, self: LockHolder): Promise<FileLock> {
  const path = besideState(statePath, '.lock.db');
  const holderPath = besideState(statePath, '.lock');
  const lock = await openLock(path);
  if (lock === undefined) throw stateLocked(readHolder(holderPath));
  noteHolder(holderPath, self);
  return {
    release() {
      removeIfPossible(holderPath);
      lock.release();
    },
  };
}

export async function findFileLock(statePath: string) {
  if (!(await isLockHeld(besideState(statePath, '.lock.db')))) return undefined;
  return { holder: readHolder(besideState(statePath, '.lock')), expiresAt: null };
}

/** The holder isn't always recorded, because its file may not be writable. */
function readHolder(path: string): LockHolder | null {
  return attempt(() => Holder.parse(JSON.parse(String(readOwnFile(path))))) ?? null;
}

async function openLock(path: string): Promise<FileLock | undefined> {
  try {
    createParentDirectory(path);
    const remote = REMOTE_FILE_SYSTEMS.get(statfsSync(dirname(path)).type);
    if (remote !== undefined) throw notLockable(path, `it is on ${remote}`);
    return await takeLock(path);
  } catch (error) {
    throw isLockless(error)
      ? notLockable(path, "its file system doesn't support locks", error)
      : notPossible('written', path, error);
  }
}

/** Recording the holder is optional, so a full disk doesn't prevent the lock. */
function noteHolder(path: string, holder: LockHolder): void {
  try {
    replaceFile(path, `${JSON.stringify(holder)}\n`, { isLocked: true });
  } catch {
    removeIfPossible(path);
  }
}

export function holderText(holder: LockHolder | null): string {
  if (holder === null) return 'another apply';
  const { pid, host, since, command } = holder;
  return `process ${pid} on ${host} since ${since}: ${command}`;
}

export const lockWaitText = (waitMs: number) =>
  `The state is locked, possibly by a killed run. Checking for ${waitMs / 1000} s whether that run is active`;

export function stateLocked(holder: LockHolder | null, ending = ', or end it to release the lock') {
  return new PartnerError('STATE_LOCKED', {
    message: `the state is locked by ${holderText(holder)}`,
    hint: `wait until that process ends${ending}`,
  });
}

function notLockable(path: string, why: string, cause?: unknown): PartnerError {
  return new PartnerError('STATE_UNUSABLE', {
    message: `can't lock ${path}: ${why}, so a second apply wouldn't be detected`,
    hint: 'store the state on a local disk with --state, or pass --no-lock if no other apply uses this state',
    cause,
  });
}
