import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { isoTime } from '../../contract/time.ts';
import { entryAt, NO_FOLLOW, refuseLink, replaceFile, syncDirectory } from '../../files/own-file.ts';
import { randomBase62 } from '../companies/secrets.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { Queries, Store } from '../store/store.ts';
import type { FileRow } from '../store/tables.ts';
import { displayName } from './file-names.ts';
import { FILE_TYPES, fileTypeOf } from './file-types.ts';
import { quotaFault, UNCLAIMED_MS, type Upload } from './upload-quota.ts';

/** The largest file that a candidate may send. */
export const FILE_BYTES_MAX = 5 * 1024 * 1024;

/** A file that was taken, as its sender is told. */
export interface StoredFile {
  readonly fileId: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
}

/** A file on its way in. */
interface NewFile extends Pick<Upload, 'now'>, Partial<Pick<Upload, 'sender'>> {
  /** What its sender calls it. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** The files that candidates send: rows in the database, contents in a directory, each under its SHA-256. */
export interface FileStore {
  /** Throws RATE_LIMITED or UNAVAILABLE for a file that cannot be taken now, before it is read. */
  admit(upload: Upload): Promise<void>;
  /**
   * Takes a file; durable when it resolves. Throws VALIDATION_FAILED for an empty one, PAYLOAD_TOO_LARGE,
   * UNSUPPORTED_MEDIA_TYPE, DATABASE_UNUSABLE, and what `admit` throws.
   */
  put(file: NewFile): Promise<StoredFile>;
  /** A file with its content; undefined where there is none with this id. */
  open(id: string): Promise<{ readonly row: FileRow; readonly content: Uint8Array } | undefined>;
  /** Forgets the files that no application has named within 24 hours of `now` (epoch ms); gives how many contents went. */
  sweep(now: number): Promise<number>;
  /** Empties the database and takes all contents away. Where that is cut off, `finishReset` does the rest. */
  reset(): Promise<void>;
  /** Takes away what a reset that was cut off has left: contents that no row names. Costs one look where none was. */
  finishReset(): Promise<void>;
}

interface FileStoreOptions {
  readonly store: Store;
  /** Made with the first file. */
  readonly directory: string;
  /** The machine's time, in epoch ms: that of the files' own dates. */
  readonly machine: () => number;
  /** Is told where sweeping fails: whoever sends a file has no part in that. */
  readonly reportBug: (error: unknown) => void;
}

/** One id in 62 ends so: of how many uploads one sweeps up. */
const SWEEPING_END = '0';
const DIGEST = /^[0-9a-f]{64}$/;

export function createFileStore({ store, directory, machine, reportBug }: FileStoreOptions): FileStore {
  const pathOf = (digest: string): string => join(directory, digest);
  /** Is there from when the database is emptied until the contents are gone. */
  const resetMark = `${directory}.reset`;

  /** Contents are put in their place and taken away in a transaction that locks them: one at a time, of all processes. */
  const withContents = <T>(work: (queries: Queries) => Promise<T>): Promise<T> =>
    store.write(async (queries) => {
      await queries.files.lockContents();
      return work(queries);
    });

  /** Deletes those of some contents that no row names, and then the file `last`; gives how many contents. */
  const forget = (digests: readonly string[], last?: string): Promise<number> =>
    withContents(async ({ files }) => {
      const unnamed = await files.unnamed(digests);
      for (const digest of unnamed) await rm(pathOf(digest), { force: true });
      if (last !== undefined) await rm(last, { force: true });
      return unnamed.length;
    });

  /** Forgets the rows of the files that have waited too long; gives the digests of their contents. */
  const expire = (now: number): Promise<string[]> =>
    store.write(({ files }) => files.sweep(isoTime(now - UNCLAIMED_MS)));

  const finishReset = async (): Promise<void> => {
    if (entryAt(resetMark) === undefined) return;
    refuseLink(resetMark);
    const names = await entriesBefore(directory, Number.POSITIVE_INFINITY);
    const digests = names.filter((name) => DIGEST.test(name));
    // With the lock still held: the mark of a reset that begins afterwards must stay.
    await forget(digests, resetMark);
  };

  /** Of what processes that were killed have left behind, only that whose name begins with `prefix`. */
  const sweep = async (now: number, prefix = ''): Promise<number> => {
    const digests = await expire(now);
    const old = await entriesBefore(directory, machine() - UNCLAIMED_MS, prefix);
    for (const name of old) if (!DIGEST.test(name)) await rm(join(directory, name), { force: true });
    return forget([...new Set([...digests, ...old.filter((name) => DIGEST.test(name))])]);
  };

  return {
    async admit(upload) {
      if ((await quotaFault(store.read.files, upload)) === undefined) return;
      await onDisk(directory, async () => forget(await expire(upload.now)));
      const fault = await quotaFault(store.read.files, upload);
      if (fault !== undefined) throw fault;
    },

    async put({ name, content, sender, now }) {
      const { type, endings } = acceptedType(content);
      const digest = createHash('sha256').update(content).digest('hex');
      const row: FileRow = {
        id: `fil_${randomBase62(20)}`,
        digest,
        name: displayName(name, { endings }),
        type,
        bytes: content.byteLength,
        uploaded_at: isoTime(now),
        claimed_at: null,
        sender: sender ?? null,
      };
      await onDisk(directory, async () => {
        const draft = `${pathOf(digest)}.${randomBytes(6).toString('hex')}`;
        refuseLink(pathOf(digest));
        try {
          if (!isWhole(pathOf(digest), content)) writeDraft(directory, draft, content);
          await withContents(async ({ files }) => {
            const fault = await quotaFault(files, { sender, bytes: row.bytes, now });
            if (fault !== undefined) throw fault;
            settle(directory, draft, pathOf(digest), content);
            await files.insert(row);
          });
        } catch (error) {
          // A content in its place without a row would take room that the disk may not have.
          await forget([digest]).catch(() => {});
          throw error;
        } finally {
          await rm(draft, { force: true });
        }
      });
      if (row.id.endsWith(SWEEPING_END)) await sweep(now, digest.slice(0, 2)).catch(reportBug);
      return { fileId: row.id, name: row.name, type, bytes: row.bytes };
    },

    async open(id) {
      const row = await store.read.files.find(id);
      return row && { row, content: await onDisk(directory, () => contentAt(pathOf(row.digest))) };
    },

    sweep: (now) => onDisk(directory, () => sweep(now)),

    reset: () =>
      onDisk(directory, async () => {
        await store.clear(async ({ files }) => {
          await files.lockContents();
          replaceFile(resetMark, '', { isPrivate: true });
        });
        await finishReset();
      }),

    finishReset: () => onDisk(directory, finishReset),
  };
}

function acceptedType(content: Uint8Array) {
  if (content.byteLength === 0) {
    throw validationFailed([{ path: [], kind: 'invalid', message: 'the file is empty' }]);
  }
  if (content.byteLength > FILE_BYTES_MAX) throw fileTooLarge();
  const type = fileTypeOf(content);
  if (type !== undefined) return type;
  const names = FILE_TYPES.map(({ name }) => name);
  throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
    message: `the file is none of those that are taken: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
    hint: 'what counts is what is in the file, not its name',
  });
}

/** 413 for a file, wherever it is met. */
export function fileTooLarge(): PartnerError {
  return new PartnerError('PAYLOAD_TOO_LARGE', {
    message: `the file is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB`,
  });
}

/** Whether a content is in its place; a length that differs is a disk's mistake. */
function isWhole(path: string, { byteLength }: Uint8Array): boolean {
  return entryAt(path)?.size === byteLength;
}

function contentAt(path: string): Promise<Uint8Array> {
  refuseLink(path);
  return readFile(path, { flag: constants.O_RDONLY | NO_FOLLOW });
}

/** Puts a written content in its place, also where it was taken away since; a second time does no harm. */
function settle(directory: string, draft: string, path: string, content: Uint8Array): void {
  if (isWhole(path, content)) return;
  if (!existsSync(draft)) writeDraft(directory, draft, content);
  renameSync(draft, path);
  syncDirectory(directory);
}

function writeDraft(directory: string, draft: string, content: Uint8Array): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = openSync(draft, 'wx', 0o600);
  try {
    let written = 0;
    while (written < content.byteLength) written += writeSync(file, content, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The names in the directory of what was written before a time; none where there is no directory yet. */
async function entriesBefore(directory: string, time: number, prefix = ''): Promise<string[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const old: string[] = [];
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
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
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof PartnerError || typeof code !== 'string') throw error;
    throw new PartnerError('DATABASE_UNUSABLE', {
      message: `the candidates' files in ${directory} cannot be used: ${reasonOf(error)}`,
      hint: 'make room or mend its permissions, or set PARTNER_DATA_DIR to another directory',
      cause: error,
    });
  }
}
