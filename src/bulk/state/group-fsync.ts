import { setImmediate as nextTurn } from 'node:timers/promises';

export interface AppendFile {
  /** Resolves once all of it has been handed to the system: it outlives this process. */
  append(text: string): Promise<void>;
  /** Resolves once all that was appended is on the disk: it outlives the machine's power. */
  sync(): Promise<void>;
}

/**
 * Writes and syncs that are asked for while one runs become the next one. After a failure nothing more is written, because
 * a line behind a torn one could not be read: every further promise rejects with that failure.
 */
export function groupFsync(file: AppendFile) {
  let queue = '';
  let written: Promise<unknown> = Promise.resolve();
  let synced: Promise<unknown> = written;
  let [isWriteDue, isSyncDue, hasUnsynced] = [false, false, false];

  const write = async (): Promise<void> => {
    // The lines of one turn go together: an outcome, and the intent of what is begun next.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const text = queue;
    queue = '';
    isWriteDue = false;
    await file.append(text);
  };

  const sync = async (): Promise<void> => {
    // Those who ask in one turn share it, and what they then send is one commit of the bundled engine.
    await nextTurn();
    [isSyncDue, hasUnsynced] = [false, false];
    await written;
    await file.sync();
  };

  return {
    add(line: string): void {
      queue += line;
      hasUnsynced = true;
      if (isWriteDue) return;
      isWriteDue = true;
      written = written.then(write);
      written.catch(() => {});
    },
    /** Resolves once every line added so far outlives this process; rejects with what made the file fail. */
    written: () => written,
    /** Resolves once every line added so far is on the disk; rejects with what made the file fail. */
    synced(): Promise<unknown> {
      if (isSyncDue || !hasUnsynced) return synced;
      isSyncDue = true;
      synced = synced.then(sync);
      synced.catch((error) => {
        written = Promise.reject(error);
        written.catch(() => {});
      });
      return synced;
    },
  };
}
