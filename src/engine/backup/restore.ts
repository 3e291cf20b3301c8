import { createHash } from 'node:crypto';
import { PartnerError } from '../../contract/errors.ts';
import { grouped } from '../../contract/words.ts';
import type { FileContents } from '../applications/file-contents.ts';
import { advanceIds, insertRows, isEmpty, lockTables } from '../store/copy.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Store } from '../store/store.ts';
import { type BackupHead, backupLine, invalid, readBackup } from './format.ts';

export interface RestoreOptions {
  readonly path: string;
  /** Takes away what is in the database; otherwise it has to be empty. */
  readonly replaces: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export interface RestoreSummary extends Pick<BackupHead, 'madeAt' | 'release'> {
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
}

/**
 * Puts a backup into the database in one transaction; a file that is cut off or damaged is found before anything is
 * written. Throws FILE_UNREADABLE, FILE_INVALID, DATABASE_UNUSABLE, INTERRUPTED, and USAGE for a database in use.
 */
export async function restore(
  { dialect }: Pick<Store, 'dialect'>,
  contents: FileContents,
  options: RestoreOptions,
): Promise<RestoreSummary> {
  const { path, replaces, signal, onProgress } = options;
  let summary: RestoreSummary | undefined;
  await assertSound(path, signal);
  await contents.reset({
    before: async (db) => {
      // SQLite's write transaction has locked the whole database already.
      if (dialect === 'postgres') await lockTables(db, 'exclusive');
      if (!replaces && !(await isEmpty(db))) throw inUse();
    },
    after: async (db, put) => {
      const { head, lines } = await readBackup(path, signal);
      const restored: Record<string, number> = {};
      let files = 0;
      for await (const text of lines) {
        const line = backupLine(text, path);
        if ('file' in line) {
          const content = Buffer.from(line.content, 'base64');
          // Also because the file is kept under that name: another name could lead out of its directory.
          if (createHash('sha256').update(content).digest('hex') !== line.file)
            throw invalid(path, 'a file in it is not what its SHA-256 says');
          await put(line.file, content);
          onProgress(`restoring files: ${grouped(++files)}`);
          continue;
        }
        const { table, rows } = line;
        await insertRows(db, dialect, table, JSON.stringify(rows));
        restored[table] = (restored[table] ?? 0) + rows.length;
        onProgress(`restoring ${table}: ${grouped(restored[table])}`);
      }
      if (dialect === 'postgres') await advanceIds(db);
      summary = { madeAt: head.madeAt, release: head.release, rows: restored, files };
    },
  });
  return summary as unknown as RestoreSummary;
}

/** Later schemas have only added columns that may be empty. */
const OLDEST_RESTORED = 5;

async function assertSound(path: string, signal: AbortSignal): Promise<void> {
  const { head, lines } = await readBackup(path, signal);
  if (head.schemaVersion < OLDEST_RESTORED || head.schemaVersion > SCHEMA_VERSION) {
    throw invalid(
      path,
      `it has schema ${head.schemaVersion}, of release ${head.release}; this one has ${SCHEMA_VERSION}`,
      head.schemaVersion < OLDEST_RESTORED
        ? 'restore it with the release that made it, then `partner engine migrate` with this one'
        : 'upgrade partner, then restore it',
    );
  }
  for await (const _ of lines);
}

function inUse(): PartnerError {
  return new PartnerError('USAGE', {
    message: 'the database is not empty: nothing was restored',
    hint: 'restore into a new one with --database, or add --replace to delete what is in this one',
  });
}
