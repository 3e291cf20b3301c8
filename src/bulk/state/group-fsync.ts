import { setImmediate as nextTurn } from 'node:timers/promises';

export interface AppendFile {
  /** Resolves once all of it has been handed to the system: it outlives this process. */
  append(text: string): Promise<void>;
  /** Resolves once all that was appended is on the disk: it outlives the machine's power. */
  sync(): Promise<void>;
}

export interface GroupFsync {
  add(line: string): void;
  /** Resolves once every line added so far outlives this process; rejects with what made the file fail. */
  written(): Promise<void>;
  /** Resolves once every line added so far is on the disk; rejects with what made the file fail. */
  synced(): Promise<void>;
}

type Stage = 'written' | 'synced';

interface Waiting {
  readonly stage: Stage;
  readonly upTo: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Who asks for a sync while one runs is served by the next. After a failure nothing more is written, because a line
 * behind a torn one could not be read.
 */
export function groupFsync(file: AppendFile): GroupFsync {
  const done: Record<Stage, number> = { written: 0, synced: 0 };
  let added = 0;
  let queue: string[] = [];
  let waiting: Waiting[] = [];
  let failure: { readonly error: unknown } | undefined;
  let [isWriting, isSyncing] = [false, false];

  const reach = (stage: Stage, upTo: number): void => {
    done[stage] = upTo;
    const isServed = (each: Waiting): boolean => each.stage === stage && each.upTo <= upTo;
    for (const each of waiting) if (isServed(each)) each.resolve();
    waiting = waiting.filter((each) => !isServed(each));
  };

  const fail = (error: unknown): void => {
    failure ??= { error };
    queue = [];
    for (const { reject } of waiting.splice(0)) reject(failure.error);
  };

  const write = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    // The lines of one turn go together: an outcome, and the intent of what is begun next.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (queue.length > 0) {
      const lines = queue.splice(0);
      try {
        await file.append(lines.join(''));
        reach('written', done.written + lines.length);
        void sync();
      } catch (error) {
        fail(error);
      }
    }
    isWriting = false;
  };

  const sync = async (): Promise<void> => {
    const isWaitedFor = ({ stage, upTo }: Waiting): boolean => stage === 'synced' && upTo <= done.written;
    if (isSyncing || !waiting.some(({ stage }) => stage === 'synced')) return;
    isSyncing = true;
    // Those who ask in one turn share it, and what they then send is one commit of the bundled engine.
    await nextTurn();
    while (waiting.some(isWaitedFor)) {
      const upTo = done.written;
      try {
        await file.sync();
        reach('synced', upTo);
      } catch (error) {
        fail(error);
      }
    }
    isSyncing = false;
  };

  const until = (stage: Stage): Promise<void> => {
    if (failure !== undefined) return Promise.reject(failure.error);
    if (done[stage] === added) return Promise.resolve();
    return new Promise((resolve, reject) => {
      waiting.push({ stage, upTo: added, resolve, reject });
      void sync();
    });
  };

  return {
    add(line) {
      if (failure !== undefined) return;
      added++;
      queue.push(line);
      void write();
    },
    written: () => until('written'),
    synced: () => until('synced'),
  };
}
