import { PartnerError } from '../../contract/errors.ts';
import { grouped } from '../../contract/words.ts';
import type { FileContents } from '../applications/file-contents.ts';
import { advanceIds, COPIED_TABLES, insertRows, isEmpty, lockTables } from '../store/copy.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Store } from '../store/store.ts';
import { type BackupHead, type BackupLine, invalid, readBackup } from './format.ts';

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
  await assertSound(path, signal, onProgress);
  await contents.reset({
    before: async (db) => {
      // SQLite's write transaction has locked the whole database already.
      if (dialect === 'postgres') await lockTables(db, 'exclusive');
      if (!replaces && !(await isEmpty(db))) throw inUse();
    },
    after: async (db, put) => {
      const { head, lines } = await readBackup(path, signal);
      const filling = new Filling(options, (table, rows) => insertRows(db, dialect, table, rows), put);
      for await (const line of lines) await filling.take(line);
      await filling.flush();
      if (dialect === 'postgres') await advanceIds(db);
      const { rows, files } = filling;
      summary = { madeAt: head.madeAt, release: head.release, rows, files };
    },
  });
  return summary as unknown as RestoreSummary;
}

async function assertSound(
  path: string,
  signal: AbortSignal,
  onProgress: RestoreOptions['onProgress'],
): Promise<void> {
  const { head, lines } = await readBackup(path, signal);
  if (head.schemaVersion !== SCHEMA_VERSION) {
    throw invalid(
      path,
      `it has schema ${head.schemaVersion}, of release ${head.release}; this one has ${SCHEMA_VERSION}`,
      head.schemaVersion < SCHEMA_VERSION
        ? 'restore it with the release that made it, then `partner engine migrate` with this one'
        : 'upgrade partner, then restore it',
    );
  }
  let read = 0;
  for await (const _ of lines)
    if (++read % 1_000 === 0) onProgress(`checking ${path}: ${grouped(read)} lines`);
}

/** A statement for each row would take several times as long. */
const ROWS_AT_ONCE = 200;
const BYTES_AT_ONCE = 1024 * 1024;

class Filling {
  readonly rows: Record<string, number> = {};
  files = 0;
  #table: (typeof COPIED_TABLES)[number] | undefined;
  #waiting: string[] = [];
  #bytes = 0;

  constructor(
    readonly options: RestoreOptions,
    readonly insert: (table: (typeof COPIED_TABLES)[number], rows: string) => Promise<void>,
    readonly put: (digest: string, content: Uint8Array) => Promise<void>,
  ) {}

  async take(text: string): Promise<void> {
    const { path, onProgress } = this.options;
    const line = JSON.parse(text) as BackupLine;
    if ('file' in line) {
      await this.put(line.file, Buffer.from(line.content, 'base64'));
      this.files++;
      return onProgress(`restoring files: ${grouped(this.files)}`);
    }
    const table = COPIED_TABLES.find((name) => name === line.table);
    if (table === undefined) throw invalid(path, `it has rows of \`${line.table}\`, which is no table`);
    const row = JSON.stringify(line.row);
    const isFull = this.#waiting.length === ROWS_AT_ONCE || this.#bytes + row.length > BYTES_AT_ONCE;
    if (table !== this.#table || isFull) await this.flush();
    this.#table = table;
    this.#waiting.push(row);
    this.#bytes += row.length;
  }

  async flush(): Promise<void> {
    const [table, waiting] = [this.#table, this.#waiting];
    [this.#waiting, this.#bytes] = [[], 0];
    if (table === undefined || waiting.length === 0) return;
    await this.insert(table, `[${waiting.join(',')}]`);
    this.rows[table] = (this.rows[table] ?? 0) + waiting.length;
    this.options.onProgress(`restoring ${table}: ${grouped(this.rows[table])}`);
  }
}

function inUse(): PartnerError {
  return new PartnerError('USAGE', {
    message: 'the database is not empty: nothing was restored',
    hint: 'restore into a new one with --database, or add --replace to delete what is in this one',
  });
}
