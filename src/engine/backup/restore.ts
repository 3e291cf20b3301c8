import { createRowCheck } from '../../contract/backup.ts';
import { PartnerError } from '../../contract/errors.ts';
import { grouped } from '../../contract/words.ts';
import type { FileContents } from '../applications/file-contents.ts';
import columns from '../store/columns.json' with { type: 'json' };
import { advanceIds, insertRows, isEmpty, lockTables } from '../store/copy.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Store } from '../store/store.ts';
import { invalid, readBackup, textsOf } from './format.ts';

export interface RestoreOptions {
  /** Takes away what is in the database; otherwise it has to be empty. */
  readonly replaces: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export type CheckedBackup = Awaited<ReturnType<typeof checkBackup>>;

/** Later schemas have only added columns that may be empty. */
const OLDEST_RESTORED = 5;

/** Reads a whole backup, before a database is opened for it. Throws FILE_UNREADABLE, FILE_INVALID and INTERRUPTED. */
export async function checkBackup(path: string, signal: AbortSignal) {
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
  const faultOf = createRowCheck(columns);
  try {
    for await (const line of lines) {
      if ('file' in line) continue;
      for (const [index, row] of line.rows.entries()) {
        const fault = faultOf(line.table, row);
        const where = `line ${line.number}, table ${line.table}, row ${index + 1}`;
        if (fault !== undefined) throw invalid(path, `${where}: ${fault}`);
      }
    }
  } catch (error) {
    // A damaged file may have other faults, but they explain nothing.
    for await (const _ of textsOf(path, signal));
    throw error;
  }
  return { path, head };
}

/** In one transaction. Throws what `checkBackup` does, DATABASE_UNUSABLE, and USAGE for a database in use. */
export async function restore(
  { dialect }: Pick<Store, 'dialect'>,
  contents: FileContents,
  { path, head }: CheckedBackup,
  { replaces, signal, onProgress }: RestoreOptions,
) {
  let [files, restored]: [number, Record<string, number>] = [0, {}];
  await contents.reset({
    before: async (db) => {
      // SQLite's write transaction has locked the whole database already.
      if (dialect === 'postgres') await lockTables(db, 'exclusive');
      if (replaces || (await isEmpty(db))) return;
      throw new PartnerError('USAGE', {
        message: 'the database is not empty: nothing was restored',
        hint: 'restore into a new one with --database, or add --replace to delete what is in this one',
      });
    },
    after: async (db, put) => {
      const { lines } = await readBackup(path, signal);
      [files, restored] = [0, {}];
      for await (const line of lines) {
        if ('file' in line) {
          await put(line.file, line.content);
          onProgress(`restoring files: ${grouped(++files)}`);
          continue;
        }
        const { table, rows } = line;
        await insertRows(db, dialect, table, JSON.stringify(rows));
        restored[table] = (restored[table] ?? 0) + rows.length;
        onProgress(`restoring ${table}: ${grouped(restored[table])}`);
      }
      if (dialect === 'postgres') await advanceIds(db);
    },
  });
  return { madeAt: head.madeAt, release: head.release, rows: restored, files };
}
