import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileChunks, unreadable } from './bytes.ts';

/** What can be read once, as stdin and pipes, in a form that can be read again. */
export interface PrivateCopy {
  /** At first what comes in, written to the copy as it passes; afterwards the copy, as far as was read. */
  chunks(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/**
 * A copy in a file of the temporary directory that nobody else can open: its name is taken away at once, so that
 * the system removes it when it is closed, however the process ends.
 */
export function createPrivateCopy(open: () => AsyncGenerator<Buffer>): PrivateCopy {
  let copy: FileHandle | undefined;
  return {
    async *chunks() {
      if (copy !== undefined) return yield* fileChunks(copy);
      copy = await privateFile().catch(cannotCopy);
      const incoming = open();
      try {
        for await (const chunk of incoming) {
          await copy.appendFile(chunk).catch(cannotCopy);
          yield chunk;
        }
      } finally {
        await incoming.return(undefined);
      }
    },
    async close() {
      await copy?.close();
      copy = undefined;
    },
  };
}

async function privateFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `partner-input-${randomBytes(12).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function cannotCopy(error: NodeJS.ErrnoException): Promise<never> {
  throw await unreadable(`a copy of the input, in ${tmpdir()},`, error);
}
