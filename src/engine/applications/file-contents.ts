import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Kysely } from 'kysely';
import { systemError } from '../../contract/system-errors.ts';
import { entryAt, readOwnFile, refuseLink, replaceFile } from '../../files/own-file.ts';
import type { Queries, Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** A file that no application names goes after this time, and so does what a killed process has left in the directory. */
export const UNCLAIMED_MS = 24 * 60 * 60 * 1000;

/** What goes into the database in place of what was in it, in the same transaction; may be run twice. */
interface Refill {
  before(db: Kysely<Tables>): Promise<void>;
  after(db: Kysely<Tables>, put: (digest: string, content: Uint8Array) => Promise<void>): Promise<void>;
}

/** The contents of the files that candidates send, each once, under its SHA-256. */
export interface FileContents {
  /** Keeps a content; `name` stores the row that names it, in the same transaction. Durable when it resolves. */
  keep(digest: string, content: Uint8Array, name: (queries: Queries) => Promise<void>): Promise<void>;
  read(digest: string): Promise<Uint8Array | undefined>;
  /** Deletes rows, and the contents that no row names then; returns how many contents. */
  sweep(deleteRows: (queries: Queries) => Promise<string[]>): Promise<number>;
  /** Deletes what killed processes have left behind, where its name begins with `prefix`; returns how many contents. */
  sweepLeftBehind(prefix: string): Promise<number>;
  /** Empties the database and deletes all contents. Where that is cut off, `finishReset` does the rest. */
  reset(refill?: Refill): Promise<void>;
  finishReset(): Promise<void>;
}

/** In the database, for processes that share nothing else: no moment leaves a content without its row. */
export function contentsInDatabase(store: Store): FileContents {
  const { read } = store;
  return {
    keep: (digest, content, name) =>
      store.write(async (queries) => {
        await queries.files.putContent(digest, content);
        await name(queries);
      }),
    read: (digest) => read.files.content(digest),
    sweep: (deleteRows) =>
      store.write(async (queries) => queries.files.deleteUnnamedContents(await deleteRows(queries))),
    sweepLeftBehind: async () => 0,
    reset: (refill) =>
      store.clear(
        async ({ files }, db) => {
          await refill?.before(db);
          await files.deleteContents();
        },
        async ({ files }, db) => refill?.after(db, files.putContent),
      ),
    finishReset: async () => {},
  };
}

interface DirectoryOptions {
  readonly store: Store;
  readonly directory: string;
  /** The machine's time, in epoch ms: that of the files' own dates. */
  readonly machine: () => number;
}

const DIGEST = /^[0-9a-f]{64}$/;

/** In a directory beside an SQLite database, of which a write transaction locks all. Throws DATABASE_UNUSABLE. */
export function contentsInDirectory({ store, directory, machine }: DirectoryOptions): FileContents {
  // A row of a backup from elsewhere may say anything.
  const pathOf = (digest: string): string => join(directory, basename(digest));
  /** Exists from when the database is emptied until the contents are gone. */
  const resetMark = `${directory}.reset`;
  const onThisDisk = <T>(work: () => Promise<T>): Promise<T> => onDisk(directory, work);

  /** Deletes those of some contents that no row names, and then the file `last`; returns how many contents. */
  const deleteUnnamed = (digests: readonly string[], last?: string): Promise<number> =>
    store.write(async ({ files }) => {
      const unnamed = await files.unnamed(digests);
      for (const digest of unnamed) await rm(pathOf(digest), { force: true });
      if (last !== undefined) await rm(last, { force: true });
      return unnamed.length;
    });

  const finishReset = async (): Promise<void> => {
    if (entryAt(resetMark) === undefined) return;
    refuseLink(resetMark);
    const names = await entriesBefore(directory, Number.POSITIVE_INFINITY);
    // In the same transaction: the mark of a reset that begins afterwards must stay.
    await deleteUnnamed(
      names.filter((name) => DIGEST.test(name)),
      resetMark,
    );
  };

  return {
    keep: (digest, content, name) =>
      onThisDisk(async () => {
        const path = pathOf(digest);
        refuseLink(path);
        try {
          await store.write(async (queries) => {
            // A length that differs is a disk's mistake.
            const isWhole = entryAt(path)?.size === content.byteLength;
            if (!isWhole) replaceFile(path, content, { isPrivate: true });
            await name(queries);
          });
        } catch (error) {
          // A content without a row would take room that the disk may not have.
          await deleteUnnamed([digest]).catch(() => {});
          throw error;
        }
      }),
    read: (digest) => onThisDisk(async () => readOwnFile(pathOf(digest))),
    // After its rows: a content that goes first would be missed where the rows' transaction fails.
    sweep: (deleteRows) => onThisDisk(async () => deleteUnnamed(await store.write(deleteRows))),
    sweepLeftBehind: (prefix) =>
      onThisDisk(async () => {
        const old = await entriesBefore(directory, machine() - UNCLAIMED_MS, prefix);
        for (const name of old) if (!DIGEST.test(name)) await rm(join(directory, name), { force: true });
        return deleteUnnamed(old.filter((name) => DIGEST.test(name)));
      }),
    reset: (refill) =>
      onThisDisk(async () => {
        const put = async (digest: string, content: Uint8Array) =>
          replaceFile(pathOf(digest), content, { isPrivate: true });
        try {
          await store.clear(
            async (_, db) => {
              await refill?.before(db);
              replaceFile(resetMark, '', { isPrivate: true });
            },
            async (_, db) => refill?.after(db, put),
          );
        } catch (error) {
          // What was put there before the failure has no row.
          await finishReset().catch(() => {});
          throw error;
        }
        await finishReset();
      }),
    finishReset: () => onThisDisk(finishReset),
  };
}

async function entriesBefore(directory: string, time: number, prefix = ''): Promise<string[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const old: string[] = [];
  for (const name of names) {
    // A file that is being written has a dot before its name.
    if (!name.replace(/^\./, '').startsWith(prefix)) continue;
    const stats = await lstat(join(directory, name)).catch(() => undefined);
    if (stats?.isFile() && stats.mtimeMs < time) old.push(name);
  }
  return old;
}

/** Faults of the disk as DATABASE_UNUSABLE: the directory is the database's other half. */
async function onDisk<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
    const hint = 'make room or mend its permissions, or set PARTNER_DATA_DIR to another directory';
    throw systemError(
      error,
      'DATABASE_UNUSABLE',
      `the candidates' files in ${directory} cannot be used`,
      hint,
    );
  }
}
