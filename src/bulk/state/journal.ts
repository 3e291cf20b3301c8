import { constants, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartnerError } from '../../contract/errors.ts';
import { getErrorReason } from '../../contract/system-errors.ts';
import { NO_FOLLOW, refuseLink, syncDirectory } from '../../files/own-file.ts';
import {
  JOURNAL_VERSION,
  type JournalContent,
  type JournalLine,
  type OutcomeLine,
  type RunLine,
  scanJournal,
} from './journal-content.ts';
import type { Intent } from './state.ts';
import { createParentDirectory, journalPath, readStateFile, replaceStateFile } from './state-file.ts';

export type Journal = Awaited<ReturnType<typeof openStoredJournal>>;

export interface JournalOptions extends Omit<RunLine, 'kind' | 'version' | 'at'> {
  readonly now: () => number;
  readonly through?: ((file: AppendFile) => AppendFile) | undefined;
}

export interface JournalFile {
  readonly path: string;
  read(): Buffer | undefined;
  open(goodBytes: number): Promise<AppendFile & { close(): Promise<void> }>;
  replace(text: string | undefined): Promise<void>;
}

/** Continues an existing journal, without an incomplete last line. Throws STATE_UNUSABLE and JOURNAL_UNWRITABLE. */
export function openJournal(statePath: string, options: JournalOptions) {
  const path = journalPath(statePath);
  const file: JournalFile = {
    path,
    read: () => readStateFile(path),
    open: (goodBytes) => openAppendFile(path, goodBytes),
    replace: async (text) => replaceStateFile(path, text),
  };
  return openStoredJournal(file, options);
}

/** Like `openJournal`, for storage other than a file. Also throws that storage's errors. */
export async function openStoredJournal(kept: JournalFile, options: JournalOptions) {
  const { now, through = (file) => file, ...of } = options;
  const { path } = kept;
  const { lines, goodBytes = 0, endsInLine } = scanJournal(path, kept.read(), of.server, of.state);
  const file = await kept.open(goodBytes);
  const group = groupFsync(through(file));
  const take = (line: JournalLine): void => {
    lines.take(line);
    group.add(formatLine(line));
  };
  const throwUnwritable = (so: string) => (error: unknown) => {
    throw unwritable(path, error, so);
  };
  let closing: Promise<void> | undefined;
  const close = (last = group.awaitSync): Promise<void> => {
    closing ??= last()
      .catch(() => {})
      .then(() => file.close())
      .catch(() => {});
    return closing;
  };

  if (!endsInLine) group.add('\n');
  const run: RunLine = { kind: 'run', version: JOURNAL_VERSION, at: now(), ...of };
  take(run);
  const content: JournalContent = lines;
  return {
    content,
    /** Resolves when the intent is on disk. The request must not be sent before. Rejects with JOURNAL_UNWRITABLE. */
    async intend(intent: Intent): Promise<void> {
      const line: JournalLine = { kind: 'intent', ...intent };
      group.add(formatLine(line));
      await group.awaitSync().catch(throwUnwritable('the request was not sent'));
      lines.take(line);
    },
    /** Records an outcome, which reaches the disk no later than the next intent. */
    record: (line: OutcomeLine): void => take(line),
    /** Resolves when everything recorded so far survives the end of this process. Rejects with JOURNAL_UNWRITABLE. */
    written: () => group.awaitWrite().catch(throwUnwritable('the request was not sent')),
    /** Resolves when everything is on disk. Rejects with JOURNAL_UNWRITABLE. */
    flush: () => group.awaitSync().catch(throwUnwritable('the latest changes may not be recorded')),
    /** Ends writing and keeps the file for the next run. Never rejects, unlike `flush`. */
    close: () => close(),
    /** Called after the state is written. Keeps only pending creates, and whether the server honors keys. */
    async discard(): Promise<void> {
      await close(group.awaitAppend);
      if (content.pending.size > 0) {
        const last = { ...run, state: content.states.at(-1) };
        return kept.replace(openLines(last, content).map(formatLine).join(''));
      }
      await kept.replace(undefined);
    },
  };
}

function formatLine(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}

function openLines(run: RunLine, { pending, honours }: JournalContent): JournalLine[] {
  const byKey = new Map<string | undefined, JournalLine[]>();
  for (const { keyDigest, ...intent } of pending.values()) {
    const lines = byKey.get(keyDigest) ?? [{ ...run, keyDigest }];
    byKey.set(keyDigest, lines);
    lines.push({ kind: 'intent', ...intent });
  }
  return [...[...byKey.values()].flat(), ...(honours ? [{ kind: 'honours' } as const] : [])];
}

async function openAppendFile(path: string, goodBytes: number): ReturnType<JournalFile['open']> {
  try {
    createParentDirectory(path);
    refuseLink(path);
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW);
    await handle.truncate(goodBytes);
    syncDirectory(dirname(path));
    let used = goodBytes;
    return {
      async append(text) {
        const bytes = Buffer.from(text);
        // A synchronous write is faster than a thread pool call. Only the sync takes long.
        for (let done = 0; done < bytes.length; ) {
          done += writeSync(handle.fd, bytes, done, bytes.length - done, used + done);
        }
        used += bytes.length;
      },
      sync: () => handle.datasync(),
      close: () => handle.close(),
    };
  } catch (error) {
    throw unwritable(path, error, 'no request was sent');
  }
}

function unwritable(path: string, cause: unknown, so: string): PartnerError {
  if (cause instanceof PartnerError) return cause;
  return new PartnerError('JOURNAL_UNWRITABLE', {
    message: `can't write the journal ${path}: ${getErrorReason(cause)} (${so})`,
    cause,
  });
}

export interface AppendFile {
  /** Resolves when the system has the text, so that it survives the end of this process. */
  append(text: string): Promise<void>;
  /** Resolves when the text is on disk, so that it survives a power failure. */
  sync(): Promise<void>;
  /** If true, only synced text survives the end of this process. */
  readonly isInMemory?: boolean;
}

/**
 * Combines writes and syncs that are requested while one is running. After a failure, all further calls reject, because
 * a line after an incomplete one couldn't be read.
 */
function groupFsync(file: AppendFile) {
  let queue = '';
  let written: Promise<unknown> = Promise.resolve();
  let syncing: Promise<unknown> = written;
  let [isWriteDue, isSyncDue, hasUnsynced] = [false, false, false];

  const write = async (): Promise<void> => {
    // Waits for the next tick, so that an outcome and the intent of the next item share a write.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const text = queue;
    queue = '';
    isWriteDue = false;
    await file.append(text);
  };

  const sync = async (): Promise<void> => {
    // Calls in the same turn of the event loop share a sync. Their requests then share a commit in the bundled engine.
    await nextTurn();
    [isSyncDue, hasUnsynced] = [false, false];
    await written;
    await file.sync();
  };

  const awaitAppend = (): Promise<unknown> => written;
  const awaitSync = (): Promise<unknown> => {
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
    awaitAppend,
    awaitWrite: file.isInMemory ? awaitSync : awaitAppend,
    awaitSync,
  };
}
