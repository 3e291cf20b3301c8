import { createHash } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { isoTime } from '../../contract/time.ts';
import { entryAt, readOwnFile, refuseLink, replaceFile } from '../../files/own-file.ts';
import { randomBase62 } from '../companies/secrets.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { Queries, Store } from '../store/store.ts';
import type { FileRow } from '../store/tables.ts';
import { displayName, FILE_TYPES, fileTypeOf } from './file-types.ts';

export const FILE_BYTES_MAX = 5 * 1024 * 1024;

const UNCLAIMED_MS = 24 * 60 * 60 * 1000;

/** What the files of anonymous senders may come to until an application names them. */
export const UPLOAD_QUOTAS = {
  sender: { files: 500, bytes: 100 * 1024 * 1024 },
  all: { files: 10_000, bytes: 2 * 1024 * 1024 * 1024 },
} as const;

interface Upload {
  /** Undefined for a file of this process, which no quota holds. */
  readonly sender?: string | undefined;
  readonly bytes: number;
  readonly now: number;
}

interface NewFile extends Omit<Upload, 'bytes'> {
  readonly content: Uint8Array;
  readonly name: string;
}

interface FileStoreOptions {
  readonly store: Store;
  readonly directory: string;
  /** The machine's time, in epoch ms: that of the files' own dates. */
  readonly machine: () => number;
  /** Takes a failed sweep, with which the sender of a file has nothing to do. */
  readonly reportBug: (error: unknown) => void;
}

/** One id in 62 ends so: one of so many uploads sweeps. */
const SWEEPING_END = '0';
const DIGEST = /^[0-9a-f]{64}$/;

export type FileStore = ReturnType<typeof createFileStore>;

/** The files that candidates send: rows in the database, contents in a directory, each under its SHA-256. */
export function createFileStore({ store, directory, machine, reportBug }: FileStoreOptions) {
  const pathOf = (digest: string): string => join(directory, digest);
  /** Exists from when the database is emptied until the contents are gone. */
  const resetMark = `${directory}.reset`;

  /** Contents are written and deleted in a transaction that locks them: one at a time, of all processes. */
  const withContents = <T>(work: (queries: Queries) => Promise<T>): Promise<T> =>
    store.write(async (queries) => {
      await queries.files.lockContents();
      return work(queries);
    });

  /** Deletes those of some contents that no row names, and then the file `last`; returns how many contents. */
  const deleteUnnamed = (digests: readonly string[], last?: string): Promise<number> =>
    withContents(async ({ files }) => {
      const unnamed = await files.unnamed(digests);
      for (const digest of unnamed) await rm(pathOf(digest), { force: true });
      if (last !== undefined) await rm(last, { force: true });
      return unnamed.length;
    });

  const deleteExpired = (now: number): Promise<string[]> =>
    store.write(({ files }) => files.sweep(isoTime(now - UNCLAIMED_MS)));

  /** Also deletes what killed processes have left behind, where its name begins with `prefix`. */
  const sweep = async (now: number, prefix = ''): Promise<number> => {
    const digests = await deleteExpired(now);
    const old = await entriesBefore(directory, machine() - UNCLAIMED_MS, prefix);
    for (const name of old) if (!DIGEST.test(name)) await rm(join(directory, name), { force: true });
    return deleteUnnamed([...new Set([...digests, ...old.filter((name) => DIGEST.test(name))])]);
  };

  const finishReset = async (): Promise<void> => {
    if (entryAt(resetMark) === undefined) return;
    refuseLink(resetMark);
    const names = await entriesBefore(directory, Number.POSITIVE_INFINITY);
    // With the lock still held: the mark of a reset that begins afterwards must stay.
    await deleteUnnamed(
      names.filter((name) => DIGEST.test(name)),
      resetMark,
    );
  };

  return {
    /** Throws RATE_LIMITED or UNAVAILABLE for a file that cannot be taken now, before it is read. */
    async checkQuota(upload: Upload): Promise<void> {
      if ((await quotaFault(store.read.files, upload)) === undefined) return;
      await onDisk(directory, async () => deleteUnnamed(await deleteExpired(upload.now)));
      const fault = await quotaFault(store.read.files, upload);
      if (fault !== undefined) throw fault;
    },

    /**
     * Takes a file; durable when it resolves. Throws VALIDATION_FAILED for an empty one, PAYLOAD_TOO_LARGE,
     * UNSUPPORTED_MEDIA_TYPE, DATABASE_UNUSABLE, and what `checkQuota` throws.
     */
    async put({ name, content, sender, now }: NewFile) {
      const { type, endings } = acceptedType(content, name);
      const digest = createHash('sha256').update(content).digest('hex');
      const path = pathOf(digest);
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
        refuseLink(path);
        try {
          await withContents(async ({ files }) => {
            const fault = await quotaFault(files, { sender, bytes: row.bytes, now });
            if (fault !== undefined) throw fault;
            // A length that differs is a disk's mistake.
            const isWhole = entryAt(path)?.size === content.byteLength;
            if (!isWhole) replaceFile(path, content, { isPrivate: true });
            await files.insert(row);
          });
        } catch (error) {
          // A content without a row would take room that the disk may not have.
          await deleteUnnamed([digest]).catch(() => {});
          throw error;
        }
      });
      if (row.id.endsWith(SWEEPING_END)) await sweep(now, digest.slice(0, 2)).catch(reportBug);
      return { fileId: row.id, name: row.name, type, bytes: row.bytes };
    },

    async open(id: string) {
      const row = await store.read.files.find(id);
      const content = row && (await onDisk(directory, async () => readOwnFile(pathOf(row.digest))));
      return content && { row, content };
    },

    /** Deletes the files that no application has named within 24 hours of `now` (epoch ms); returns how many contents. */
    sweep: (now: number): Promise<number> => onDisk(directory, () => sweep(now)),

    /** Empties the database and deletes all contents. Where that is cut off, `finishReset` does the rest. */
    reset: (): Promise<void> =>
      onDisk(directory, async () => {
        await store.clear(async ({ files }) => {
          await files.lockContents();
          replaceFile(resetMark, '', { isPrivate: true });
        });
        await finishReset();
      }),

    finishReset: (): Promise<void> => onDisk(directory, finishReset),
  };
}

function acceptedType(content: Uint8Array, name: string) {
  if (content.byteLength === 0) {
    throw validationFailed([{ path: [], kind: 'invalid', message: 'the file is empty' }]);
  }
  if (content.byteLength > FILE_BYTES_MAX) throw fileTooLarge();
  const type = fileTypeOf(content, name);
  if (type !== undefined) return type;
  const names = FILE_TYPES.map((known) => known.name);
  throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
    message: `the file is none of those that are taken: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
    hint: 'what counts is how the file begins; the name of a DOC, DOCX or ODT must end so as well',
  });
}

export function fileTooLarge(): PartnerError {
  return new PartnerError('PAYLOAD_TOO_LARGE', {
    message: `the file is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB`,
  });
}

async function quotaFault(
  files: Pick<Queries['files'], 'waiting'>,
  { sender, bytes, now }: Upload,
): Promise<PartnerError | undefined> {
  if (sender === undefined) return undefined;
  for (const [whose, quota] of Object.entries(UPLOAD_QUOTAS)) {
    const waiting = await files.waiting(whose === 'sender' ? sender : undefined);
    if (waiting.files < quota.files && waiting.bytes + bytes <= quota.bytes) continue;
    const oldestAt = Date.parse(waiting.oldestAt ?? isoTime(now));
    return new PartnerError(whose === 'sender' ? 'RATE_LIMITED' : 'UNAVAILABLE', {
      message: `too many files wait for an application${whose === 'sender' ? ' from this address' : ''}`,
      hint: 'apply with them, or wait: a file that no application names is deleted after 24 hours',
      retryAfterSeconds: Math.max(1, Math.ceil((oldestAt + UNCLAIMED_MS - now) / 1000)),
    });
  }
  return undefined;
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
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof PartnerError || typeof code !== 'string') throw error;
    throw new PartnerError('DATABASE_UNUSABLE', {
      message: `the candidates' files in ${directory} cannot be used: ${reasonOf(error)}`,
      hint: 'make room or mend its permissions, or set PARTNER_DATA_DIR to another directory',
      cause: error,
    });
  }
}
