import { createHash } from 'node:crypto';
import { PartnerError } from '../../contract/errors.ts';
import { createProblem, validationFailed } from '../../contract/problems.ts';
import { isoTime } from '../../contract/time.ts';
import { randomBase62 } from '../companies/secrets.ts';
import type { Queries, Store } from '../store/store.ts';
import type { FileRow } from '../store/tables.ts';
import { contentsInDatabase, contentsInDirectory, UNCLAIMED_MS } from './file-contents.ts';
import { cleanFileName, FILE_TYPES, findFileType } from './file-types.ts';

export const FILE_BYTES_MAX = 5 * 1024 * 1024;

/** Limits for anonymous uploads that no application references yet. */
export const UPLOAD_QUOTAS = {
  sender: { files: 500, bytes: 100 * 1024 * 1024 },
  all: { files: 10_000, bytes: 2 * 1024 * 1024 * 1024 },
} as const;

interface Upload {
  /** Client address. Undefined for uploads of this process, which are exempt from quotas. */
  readonly sender?: string | undefined;
  readonly bytes: number;
  readonly now: number;
}

interface FileStoreOptions {
  readonly store: Store;
  readonly directory: string | undefined;
  readonly machine: () => number;
  readonly reportBug: (error: unknown) => void;
}

/** An upload whose ID ends with this character (one in 62) also deletes old unused uploads. */
const SWEEPING_END = '0';

export type FileStore = ReturnType<typeof createFileStore>;

export function createFileStore({ store, directory, machine, reportBug }: FileStoreOptions) {
  const contents =
    directory === undefined ? contentsInDatabase(store) : contentsInDirectory(store, directory, machine);

  const sweepExpired = (now: number): Promise<number> =>
    contents.sweep(({ files }) => files.sweep(isoTime(now - UNCLAIMED_MS)));

  const sweep = async (now: number, prefix = ''): Promise<number> =>
    (await sweepExpired(now)) + (await contents.sweepLeftBehind(prefix));

  return {
    contents,

    /** Throws RATE_LIMITED or UNAVAILABLE if a quota is full, before the file is read. */
    async checkQuota(upload: Upload): Promise<void> {
      if ((await findQuotaFault(store.read.files, upload)) === undefined) return;
      await sweepExpired(upload.now);
      const fault = await findQuotaFault(store.read.files, upload);
      if (fault !== undefined) throw fault;
    },

    /** Throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, DATABASE_UNUSABLE or a quota error. */
    async put({ name, content, sender, now }: Omit<Upload, 'bytes'> & { name: string; content: Uint8Array }) {
      const { type, endings } = assertFileType(content, name);
      const digest = createHash('sha256').update(content).digest('hex');
      const row: FileRow = {
        id: `fil_${randomBase62(20)}`,
        digest,
        name: cleanFileName(name, { endings }),
        type,
        bytes: content.byteLength,
        uploaded_at: isoTime(now),
        claimed_at: null,
        sender: sender ?? null,
      };
      await contents.keep(digest, content, async ({ files }) => {
        // Acquires the lock after the content is stored, because storing takes longer and the lock should be short.
        if (sender !== undefined) await files.lockQuotas();
        const fault = await findQuotaFault(files, { sender, bytes: row.bytes, now });
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

    sweep: (now: number): Promise<number> => sweep(now),
  };
}

function assertFileType(content: Uint8Array, name: string) {
  if (content.byteLength === 0) throw validationFailed([createProblem([], 'the file is empty')]);
  if (content.byteLength > FILE_BYTES_MAX) throw createFileTooLarge();
  const type = findFileType(content, name);
  if (type !== undefined) return type;
  const names = FILE_TYPES.map((known) => known.name);
  throw new PartnerError('UNSUPPORTED_MEDIA_TYPE', {
    message: `unsupported file type. Supported types are ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
    hint: 'the type is detected from the content. A DOC, DOCX or ODT file also needs that extension',
  });
}

export function createFileTooLarge(): PartnerError {
  return new PartnerError('PAYLOAD_TOO_LARGE', {
    message: `the file is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB`,
  });
}

async function findQuotaFault(files: Pick<Queries['files'], 'sumWaiting'>, { sender, bytes, now }: Upload) {
  if (sender === undefined) return undefined;
  for (const [whose, quota] of Object.entries(UPLOAD_QUOTAS)) {
    const waiting = await files.sumWaiting(whose === 'sender' ? sender : undefined);
    if (waiting.files < quota.files && waiting.bytes + bytes <= quota.bytes) continue;
    const oldestAt = Date.parse(waiting.oldestAt ?? isoTime(now));
    return new PartnerError(whose === 'sender' ? 'RATE_LIMITED' : 'UNAVAILABLE', {
      message: `too many uploaded files without an application${whose === 'sender' ? ' from this IP address' : ''}`,
      hint: 'use them in applications, or wait. Unused files are deleted after 24 hours',
      retryAfterSeconds: Math.max(1, Math.ceil((oldestAt + UNCLAIMED_MS - now) / 1000)),
    });
  }
  return undefined;
}
