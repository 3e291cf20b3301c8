import { constants, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { NO_FOLLOW, refuseLink, syncDirectory } from '../../files/own-file.ts';
import {
  JOURNAL_VERSION,
  type JournalContent,
  type JournalLine,
  type OutcomeLine,
  type RunLine,
  readJournalFile,
  scanJournal,
} from './journal-content.ts';
import type { Intent } from './state.ts';
import { makeDirectoryOf, notPossible, replaceStateFile } from './state-directory.ts';
import { journalPath } from './state-file.ts';

/** What an apply writes down on its way, so that it can be stopped at any moment. */
export type Journal = Awaited<ReturnType<typeof openJournalIn>>;

export interface JournalOptions {
  readonly server: string;
  readonly now: () => number;
  readonly runId: string;
  readonly host: string;
  readonly pid: number;
  /** `stateDigest` of the state as it is now. */
  readonly state?: string | undefined;
  /** Of the API key that creates are sent with. */
  readonly keyDigest?: string | undefined;
  /** Wraps the file, for tests to count or to fail. */
  readonly through?: ((file: AppendFile) => AppendFile) | undefined;
}

export interface JournalFile {
  readonly path: string;
  read(): Buffer | undefined;
  open(goodBytes: number): Promise<AppendFile & { close(): Promise<void> }>;
  replace(text: string | undefined): Promise<void>;
}

/** Goes on with the journal that is left, without a line that was cut off. Throws STATE_UNUSABLE and JOURNAL_UNWRITABLE. */
export function openJournal(statePath: string, options: JournalOptions) {
  return openJournalIn(journalFile(journalPath(statePath)), options);
}

/** As `openJournal`, in another place than a file. Also throws what that place fails with. */
export async function openJournalIn(kept: JournalFile, options: JournalOptions) {
  const { server, now, runId, host, pid, state, keyDigest, through = (file) => file } = options;
  const { path } = kept;
  const { lines, goodBytes = 0, endsInLine } = scanJournal(path, kept.read(), server, state);
  const file = await kept.open(goodBytes);
  const group = groupFsync(through(file));
  const take = (line: JournalLine): void => {
    lines.take(line);
    group.add(textOf(line));
  };
  const failingAs = (so: string) => (error: unknown) => {
    throw error instanceof PartnerError ? error : unwritable(path, error, so);
  };
  let closing: Promise<void> | undefined;
  const close = (last = group.synced): Promise<void> => {
    closing ??= last()
      .catch(() => {})
      .then(() => file.close())
      .catch(() => {});
    return closing;
  };

  if (!endsInLine) group.add('\n');
  const version = JOURNAL_VERSION;
  const run: RunLine = { kind: 'run', version, runId, at: now(), server, host, pid, state, keyDigest };
  take(run);
  const content: JournalContent = lines;
  return {
    /** All of it so far, with what an earlier run has left. */
    content,
    /** Resolves once the intent is on the disk: only then may it be sent. Rejects with JOURNAL_UNWRITABLE. */
    async intend(intent: Intent): Promise<void> {
      const line: JournalLine = { kind: 'intent', ...intent };
      group.add(textOf(line));
      await group.synced().catch(failingAs('the call was not made'));
      lines.take(line);
    },
    /** Writes down an outcome, in order and at once; on the disk with the next intent. */
    record: (line: OutcomeLine): void => take(line),
    /** Resolves once everything recorded so far outlives this process. Rejects with JOURNAL_UNWRITABLE. */
    written: () => group.written().catch(failingAs('the call was not made')),
    /** Resolves once everything is on the disk. Rejects with JOURNAL_UNWRITABLE. */
    flush: () => group.synced().catch(failingAs('what was done last may not be recorded')),
    /** Ends the writing and keeps the file for the next run. Never rejects: `flush` does. */
    close: () => close(),
    /** Once the state has been written, only intents of unknown outcome and whether keys are honoured are kept. */
    async discard(): Promise<void> {
      await close(group.appended);
      if (content.pending.size > 0) {
        const last = { ...run, state: content.states.at(-1) };
        return kept.replace(openLines(last, content).map(textOf).join(''));
      }
      await kept.replace(undefined);
    },
  };
}

function textOf(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** The intents under a `run` line for each key that they were sent with; states do not hold them. */
function openLines(run: RunLine, { pending, honours }: JournalContent): JournalLine[] {
  const byKey = new Map<string | undefined, JournalLine[]>();
  for (const { keyDigest, ...intent } of pending.values()) {
    const lines = byKey.get(keyDigest) ?? [{ ...run, keyDigest }];
    byKey.set(keyDigest, lines);
    lines.push({ kind: 'intent', ...intent });
  }
  return [...[...byKey.values()].flat(), ...(honours ? [{ kind: 'honours' } as const] : [])];
}

function journalFile(path: string): JournalFile {
  return {
    path,
    read: () => readJournalFile(path),
    open: (goodBytes) => openedAt(path, goodBytes),
    async replace(text) {
      if (text !== undefined) return replaceStateFile(path, text);
      await rm(path, { force: true }).catch((error) => {
        throw notPossible('written', path, error);
      });
    },
  };
}

async function openedAt(path: string, goodBytes: number): Promise<AppendFile & { close(): Promise<void> }> {
  try {
    makeDirectoryOf(path);
    refuseLink(path);
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW);
    // What a killed run has left of a line.
    await handle.truncate(goodBytes);
    syncDirectory(dirname(path));
    let used = goodBytes;
    return {
      async append(text) {
        const bytes = Buffer.from(text);
        // Into the system's memory, which is quicker than a turn of the thread pool; the sync is what takes its time.
        for (let done = 0; done < bytes.length; ) {
          done += writeSync(handle.fd, bytes, done, bytes.length - done, used + done);
        }
        used += bytes.length;
      },
      sync: () => handle.datasync(),
      close: () => handle.close(),
    };
  } catch (error) {
    if (error instanceof PartnerError) throw error;
    throw unwritable(path, error, 'no call was made');
  }
}

function unwritable(path: string, cause: unknown, so: string): PartnerError {
  return new PartnerError('JOURNAL_UNWRITABLE', {
    message: `the journal ${path} cannot be written: ${reasonOf(cause)}; ${so}`,
    cause,
  });
}

export interface AppendFile {
  /** Resolves once all of it has been handed to the system: it outlives this process. */
  append(text: string): Promise<void>;
  /** Resolves once all that was appended is on the disk: it outlives the machine's power. */
  sync(): Promise<void>;
  /** Nothing outlives this process until it is synced. */
  readonly isInMemory?: boolean;
}

/**
 * Writes and syncs that are asked for while one runs become the next one. After a failure nothing more is written, because
 * a line behind a torn one could not be read: every further promise rejects with that failure.
 */
function groupFsync(file: AppendFile) {
  let queue = '';
  let written: Promise<unknown> = Promise.resolve();
  let syncing: Promise<unknown> = written;
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

  const appended = (): Promise<unknown> => written;
  const synced = (): Promise<unknown> => {
    if (isSyncDue || !hasUnsynced) return syncing;
    isSyncDue = true;
    syncing = syncing.then(sync);
    syncing.catch((error) => {
      written = Promise.reject(error);
      written.catch(() => {});
    });
    return syncing;
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
    appended,
    written: file.isInMemory ? synced : appended,
    synced,
  };
}
