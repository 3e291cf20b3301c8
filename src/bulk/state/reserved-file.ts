import { constants, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { codeOf, NO_ROOM } from '../../contract/system-errors.ts';
import { NO_FOLLOW, refuseLink } from '../../files/own-file.ts';
import type { AppendFile } from './group-fsync.ts';

/** So much space is reserved ahead: as much again as there is, within these. */
const LEAST_BYTES = 64 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;

/** A file that is appended to and, until it is closed, ends in NULs. */
export interface ReservedFile extends AppendFile {
  /** Takes away what was reserved and not used. */
  close(): Promise<void>;
}

/**
 * Opens a file to append behind its first `usedBytes`; what follows them is cut off. Space is reserved by NULs
 * that the lines then overwrite: a sync that has no new length to write down takes a fraction of the time.
 * Throws LINK_REFUSED and what the system says.
 */
export async function openReserved(path: string, usedBytes: number): Promise<ReservedFile> {
  refuseLink(path);
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW);
  try {
    if ((await handle.stat()).size > usedBytes) await handle.truncate(usedBytes);
  } catch (error) {
    await handle.close();
    throw error;
  }
  let used = usedBytes;
  let reserved = usedBytes;
  return {
    async append(text) {
      const bytes = Buffer.from(text);
      if (used + bytes.length > reserved) reserved = await reserve(handle, used, bytes.length);
      writeAll(handle, bytes, used);
      used += bytes.length;
    },
    sync: () => handle.datasync(),
    async close() {
      await handle.truncate(used).finally(() => handle.close());
    },
  };
}

/** Reserves space behind `used` for a line and those that follow; gives where it ends. */
async function reserve(handle: FileHandle, used: number, lineBytes: number): Promise<number> {
  const ahead = Math.min(Math.max(used, LEAST_BYTES), MOST_BYTES);
  const bytes = Buffer.alloc(lineBytes + ahead);
  try {
    writeAll(handle, bytes, used);
    // The new length goes to the disk now, once for all the lines that will fill it.
    await handle.sync();
    return used + bytes.length;
  } catch (error) {
    // No room to reserve: the line itself may still find some.
    if (!NO_ROOM.includes(codeOf(error))) throw error;
    return used;
  }
}

/** Into the system's memory, which is sooner done than handed to another thread; the sync is what takes its time. */
function writeAll({ fd }: FileHandle, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}
