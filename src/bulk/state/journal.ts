import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { syncDirectory } from '../../files/own-file.ts';
import { type AppendFile, groupFsync } from './group-fsync.ts';
import type { JournalContent } from './journal-content.ts';
import { JOURNAL_VERSION, type JournalLine, type OutcomeLine, type RunLine } from './journal-line.ts';
import { scanJournal } from './read-journal.ts';
import { openReserved, type ReservedFile } from './reserved-file.ts';
import type { Intent } from './state.ts';
import { makeDirectoryOf, replaceStateFile } from './state-directory.ts';
import { journalPath } from './state-file.ts';
import { notPossible } from './unusable.ts';

/** What an apply writes down on its way, so that it can be stopped at any moment. */
export interface Journal {
  /** All of it so far, with what an earlier run has left: what `folded` takes. Also what could not be written. */
  readonly content: JournalContent;
  /**
   * Resolves once the intent is on the disk: only then may it be sent. Rejects with JOURNAL_UNWRITABLE, from
   * the first failure on.
   */
  intend(intent: Intent): Promise<void>;
  /** Writes down an outcome, in order and at once; on the disk with the next intent. Lines of one turn go together. */
  record(line: OutcomeLine): void;
  /** Resolves once everything recorded so far outlives this process. Throws JOURNAL_UNWRITABLE. */
  written(): Promise<void>;
  /** Resolves once everything is on the disk. Throws JOURNAL_UNWRITABLE. */
  flush(): Promise<void>;
  /** Ends the writing and keeps the file, for the next run to go on from. Throws nothing: `flush` tells. */
  close(): Promise<void>;
  /**
   * Ends the writing, once the state has been written: of the file only the intents whose outcome is not known
   * are kept, and whether the server honours keys: what is in the state may change there before the next run. Throws
   * STATE_UNUSABLE.
   */
  discard(): Promise<void>;
}

export interface JournalOptions {
  /** The API's root. */
  readonly server: string;
  readonly now: () => number;
  readonly runId: string;
  readonly host: string;
  readonly pid: number;
  /** `stateDigest` of the state as it is now. */
  readonly state?: string | undefined;
  /** Of the API key that creates are sent with. */
  readonly keyDigest?: string | undefined;
  /** Stands between the journal and its file, to count or to fail. */
  readonly through?: ((file: AppendFile) => AppendFile) | undefined;
}

/**
 * Opens the journal of a state, or goes on with the one that is left: a last line that was cut off is taken
 * away first. Throws STATE_UNUSABLE as `readJournal`, and JOURNAL_UNWRITABLE.
 */
export async function openJournal(statePath: string, options: JournalOptions): Promise<Journal> {
  const { server, now, runId, host, pid, state, keyDigest, through = (file) => file } = options;
  const path = journalPath(statePath);
  const { lines: content, goodBytes, endsInLine } = await scanJournal(path, server, state);
  const file = await openedAt(path, goodBytes);
  const shared = groupFsync(through(file));
  const add = (line: JournalLine): void => shared.add(textOf(line));
  const take = (line: JournalLine): void => {
    content.take(line);
    add(line);
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= shared
      .settled()
      .catch(() => {})
      .then(() => file.close())
      .catch(() => {});
    return closing;
  };

  if (!endsInLine) shared.add('\n');
  const run: RunLine = {
    kind: 'run',
    version: JOURNAL_VERSION,
    runId,
    at: now(),
    server,
    host,
    pid,
    state,
    keyDigest,
  };
  take(run);
  return {
    content,
    async intend(intent) {
      const line: JournalLine = { kind: 'intent', ...intent };
      add(line);
      await shared.settled().catch((error) => {
        throw unwritable(path, error, 'the call was not made');
      });
      content.take(line);
    },
    record: take,
    written: () =>
      shared.written().catch((error) => {
        throw unwritable(path, error, 'the call was not made');
      }),
    flush: () =>
      shared.settled().catch((error) => {
        throw unwritable(path, error, 'what was done last may not be recorded');
      }),
    close,
    async discard() {
      await close();
      if (content.pending.size > 0) {
        const last = { ...run, state: content.states.at(-1) };
        replaceStateFile(path, openLines(last, content).map(textOf).join(''));
        return;
      }
      await rm(path, { force: true }).catch((error) => {
        throw notPossible('written', path, error);
      });
    },
  };
}

function textOf(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** What the state has not: a run that has made nothing yet writes none, which would know of the keys. */
function openLines(run: RunLine, { pending, honours }: JournalContent): JournalLine[] {
  const byKey = new Map<string | undefined, JournalLine[]>();
  for (const { keyDigest, ...intent } of pending.values()) {
    const lines = byKey.get(keyDigest) ?? [{ ...run, keyDigest }];
    byKey.set(keyDigest, lines);
    lines.push({ kind: 'intent', ...intent });
  }
  return [...[...byKey.values()].flat(), ...(honours ? [{ kind: 'honours' } as const] : [])];
}

async function openedAt(path: string, goodBytes: number | undefined): Promise<ReservedFile> {
  try {
    makeDirectoryOf(path);
    const file = await openReserved(path, goodBytes ?? 0);
    if (goodBytes === undefined) syncDirectory(dirname(path));
    return file;
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
