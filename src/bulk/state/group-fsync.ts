import { setImmediate as nextTurn } from 'node:timers/promises';

/** What is needed of a file that is only appended to. */
export interface AppendFile {
  /** Resolves once all of it has been handed to the system: it outlives this process. */
  append(text: string): Promise<void>;
  /** Resolves once all that was appended is on the disk: it outlives the machine's power. */
  sync(): Promise<void>;
}

export interface GroupFsync {
  /** Takes a line, to be written after those before it. */
  add(line: string): void;
  /** Resolves once every line taken so far outlives this process; rejects with what made the file fail. */
  written(): Promise<void>;
  /** Resolves once every line taken so far is on the disk; rejects with what made the file fail. */
  settled(): Promise<void>;
}

interface Waiting {
  /** How many lines must be written, or on the disk. */
  readonly upTo: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends lines in order, those of one turn in one write, and shares syncs: who asks while one runs is served
 * by the next. Writing goes on during a sync. After a failure nothing more is written, because a line
 * behind a torn one could not be read.
 */
export function groupFsync(file: AppendFile): GroupFsync {
  let queue: string[] = [];
  let [taken, written, synced] = [0, 0, 0];
  let waiting: Waiting[] = [];
  let unwritten: Waiting[] = [];
  let failure: { readonly error: unknown } | undefined;
  let [isWriting, isSyncing] = [false, false];

  const fail = (error: unknown): void => {
    failure ??= { error };
    queue = [];
    for (const { reject } of [...waiting.splice(0), ...unwritten.splice(0)]) reject(failure.error);
  };

  const write = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    // The lines of one turn go together: an outcome, and the intent of what is begun next.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (queue.length > 0) {
      const lines = queue;
      queue = [];
      try {
        await file.append(lines.join(''));
        written += lines.length;
        unwritten = served(unwritten, written);
        void sync();
      } catch (error) {
        fail(error);
      }
    }
    isWriting = false;
  };

  const sync = async (): Promise<void> => {
    if (isSyncing || waiting.length === 0) return;
    isSyncing = true;
    // Those who ask in one turn share it, and what they then send is one commit of the bundled engine.
    await nextTurn();
    while (waiting.some(({ upTo }) => upTo <= written)) {
      const upTo = written;
      try {
        await file.sync();
        synced = upTo;
      } catch (error) {
        fail(error);
      }
      waiting = served(waiting, synced);
    }
    isSyncing = false;
  };

  return {
    add(line) {
      if (failure !== undefined) return;
      taken++;
      queue.push(line);
      void write();
    },
    written() {
      if (failure !== undefined) return Promise.reject(failure.error);
      if (written === taken) return Promise.resolve();
      return new Promise((resolve, reject) => unwritten.push({ upTo: taken, resolve, reject }));
    },
    settled() {
      if (failure !== undefined) return Promise.reject(failure.error);
      if (synced === taken) return Promise.resolve();
      return new Promise((resolve, reject) => {
        waiting.push({ upTo: taken, resolve, reject });
        void sync();
      });
    },
  };
}

/** Resolves those whose lines are done; gives the others. */
function served(waiting: readonly Waiting[], done: number): Waiting[] {
  for (const { upTo, resolve } of waiting) if (upTo <= done) resolve();
  return waiting.filter(({ upTo }) => upTo > done);
}
