import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Kysely } from 'kysely';
import { systemError } from '../../contract/system-errors.ts';
import { findEntry, readOwnFile, refuseLink, replaceFile } from '../../files/own-file.ts';
import type { Queries, Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/** Unreferenced uploads, and leftovers of killed processes, are deleted after this long. */
export const UNCLAIMED_MS = 24 * 60 * 60 * 1000;

interface Refill {
  before(db: Kysely<Tables>): Promise<void>;
  after(db: Kysely<Tables>, put: (digest: string, content: Uint8Array) => Promise<unknown>): Promise<void>;
}

export type FileContents = ReturnType<typeof contentsInDirectory>;

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

const DIGEST = /^[0-9a-f]{64}$/;

/** Relies on SQLite write transactions, which lock the whole database. Throws DATABASE_UNUSABLE. */
export function contentsInDirectory(store: Store, directory: string, machine: () => number) {
  // A digest from a restored backup could contain a path, so only its last part is used.
  const buildPath = (digest: string): string => join(directory, basename(digest));
  const resetMark = `${directory}.reset`;
  const onThisDisk = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
      const hint = 'free up disk space, fix its permissions, or set PARTNER_DATA_DIR to another directory';
      throw systemError(error, 'DATABASE_UNUSABLE', `can't use the candidates' files in ${directory}`, hint);
    }
  };

  const deleteUnnamed = (digests: readonly string[], last?: string): Promise<number> =>
    store.write(async ({ files }) => {
      const unnamed = await files.listUnnamed(digests);
      for (const digest of unnamed) await rm(buildPath(digest), { force: true });
      if (last !== undefined) await rm(last, { force: true });
      return unnamed.length;
    });

  const finishReset = async (): Promise<void> => {
    if (findEntry(resetMark) === undefined) return;
    refuseLink(resetMark);
    const names = await listOldEntries(directory, Number.POSITIVE_INFINITY);
    // Deletes the reset mark in the same transaction. Otherwise, it could delete the mark of the next reset.
    await deleteUnnamed(
      names.filter((name) => DIGEST.test(name)),
      resetMark,
    );
  };

  return {
    /** Stores a file's content, and runs `name` to store its row. Both are durable when the promise resolves. */
    keep: (digest: string, content: Uint8Array, name: (queries: Queries) => Promise<void>) =>
      onThisDisk(async () => {
        const path = buildPath(digest);
        refuseLink(path);
        try {
          await store.write(async (queries) => {
            const isWhole = findEntry(path)?.size === content.byteLength;
            if (!isWhole) replaceFile(path, content, { isPrivate: true });
            await name(queries);
          });
        } catch (error) {
          await deleteUnnamed([digest]).catch(() => {});
          throw error;
        }
      }),
    read: (digest: string) =>
      onThisDisk(async (): Promise<Uint8Array | undefined> => readOwnFile(buildPath(digest))),
    // Deletes rows first, because their contents must still exist if the transaction fails.
    sweep: (deleteRows: (queries: Queries) => Promise<string[]>) =>
      onThisDisk(async () => deleteUnnamed(await store.write(deleteRows))),
    sweepLeftBehind: (prefix: string) =>
      onThisDisk(async () => {
        const old = await listOldEntries(directory, machine() - UNCLAIMED_MS, prefix);
        for (const name of old) if (!DIGEST.test(name)) await rm(join(directory, name), { force: true });
        return deleteUnnamed(old.filter((name) => DIGEST.test(name)));
      }),
    /** Empties the database and deletes all file contents. If interrupted, `finishReset` completes it. */
    reset: (refill?: Refill) =>
      onThisDisk(async () => {
        const put = async (digest: string, content: Uint8Array) =>
          replaceFile(buildPath(digest), content, { isPrivate: true });
        try {
          await store.clear(
            async (_, db) => {
              await refill?.before(db);
              replaceFile(resetMark, '', { isPrivate: true });
            },
            async (_, db) => refill?.after(db, put),
          );
        } catch (error) {
          await finishReset().catch(() => {});
          throw error;
        }
        await finishReset();
      }),
    finishReset: () => onThisDisk(finishReset),
  };
}

async function listOldEntries(directory: string, time: number, prefix = ''): Promise<string[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const old: string[] = [];
  for (const name of names) {
    // The name of a file that is still being written starts with a dot.
    if (!name.replace(/^\./, '').startsWith(prefix)) continue;
    const stats = await lstat(join(directory, name)).catch(() => undefined);
    if (stats?.isFile() && stats.mtimeMs < time) old.push(name);
  }
  return old;
}
