import { createHash } from 'node:crypto';
import { PartnerError } from '../../contract/errors.ts';
import { invalid } from '../../contract/problems.ts';
import { isoTime } from '../../contract/time.ts';
import { randomBase62 } from '../companies/secrets.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { Queries, Store } from '../store/store.ts';
import type { FileRow } from '../store/tables.ts';
import { contentsInDatabase, contentsInDirectory, UNCLAIMED_MS } from './file-contents.ts';
import { displayName, FILE_TYPES, fileTypeOf } from './file-types.ts';

export const FILE_BYTES_MAX = 5 * 1024 * 1024;

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
  /** Where the contents are; undefined where they are in the database. */
  readonly directory: string | undefined;
  /** The machine's time, in epoch ms. */
  readonly machine: () => number;
  /** Takes the error of a failed sweep: it must not fail the upload that started it. */
  readonly reportBug: (error: unknown) => void;
}

/** Of the ids, one in 62 ends so: as few uploads start a sweep. */
const SWEEPING_END = '0';

export type FileStore = ReturnType<typeof createFileStore>;

/** The files that candidates send: rows in the database, contents there or in a directory. */
export function createFileStore({ store, directory, machine, reportBug }: FileStoreOptions) {
  const contents =
    directory === undefined ? contentsInDatabase(store) : contentsInDirectory({ store, directory, machine });

  const sweepExpired = (now: number): Promise<number> =>
    contents.sweep(({ files }) => files.sweep(isoTime(now - UNCLAIMED_MS)));

  const sweep = async (now: number, prefix = ''): Promise<number> =>
    (await sweepExpired(now)) + (await contents.sweepLeftBehind(prefix));

  return {
    contents,

    /** Throws RATE_LIMITED or UNAVAILABLE for a file that cannot be taken now, before it is read. */
    async checkQuota(upload: Upload): Promise<void> {
      if ((await quotaFault(store.read.files, upload)) === undefined) return;
      await sweepExpired(upload.now);
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
      await contents.keep(digest, content, async ({ files }) => {
        // After the content, which takes longer: the lock is held for little more than the commit.
        if (sender !== undefined) await files.lockQuotas();
        const fault = await quotaFault(files, { sender, bytes: row.bytes, now });
        if (fault !== undefined) throw fault;
        await files.insert(row);
      });
      if (row.id.endsWith(SWEEPING_END)) await sweep(now, digest.slice(0, 2)).catch(reportBug);
      return { fileId: row.id, name: row.name, type, bytes: row.bytes };
    },

    async open(id: string) {
      const row = await store.read.files.find(id);
      const content = row && (await contents.read(row.digest));
      return content && { row, content };
    },

    /** Deletes the files that no application has named within 24 hours of `now` (epoch ms); returns how many contents. */
    sweep: (now: number): Promise<number> => sweep(now),
  };
}

function acceptedType(content: Uint8Array, name: string) {
  if (content.byteLength === 0) throw validationFailed([invalid([], 'the file is empty')]);
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
