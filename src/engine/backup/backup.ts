import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BACKUP_FORMAT } from '../../contract/backup.ts';
import { PartnerError } from '../../contract/errors.ts';
import { isoTime } from '../../contract/time.ts';
import { formatNumber } from '../../contract/words.ts';
import { COPIED_TABLES, listRows } from '../store/copy.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Snapshot } from '../store/open.ts';

export interface BackupOptions {
  readonly write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly release: string;
  /** Time in epoch ms. */
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export type BackupSummary = Awaited<ReturnType<typeof writeBackup>>;

/** Longer batches (in characters) get one line per row, because a restore reads whole lines into memory. */
const SHARED_LINE_MAX = 1024 * 1024;

/*
 * A backup is gzipped NDJSON. A head is followed by rows of tables (`{"table", "rows"}`), then by file contents
 * (`{"file", "content"}`, SHA-256 and base64). Both dialects share it. Gzip's checksum and length detect damage.
 */

/** Throws DATABASE_UNUSABLE, DATABASE_OUTDATED and INTERRUPTED. */
export async function writeBackup(
  { db, dialect, schemaVersion, digests, content: contentOf }: Snapshot,
  { write, release, now, signal, onProgress }: BackupOptions,
) {
  if (schemaVersion !== SCHEMA_VERSION) {
    throw new PartnerError('DATABASE_OUTDATED', {
      message: `the database has schema ${schemaVersion}, but this release has ${SCHEMA_VERSION}`,
      hint: 'back up the database with the release that matches its schema, or run `partner engine migrate` first',
    });
  }
  const rows: Record<string, number> = {};
  let [files, missingFiles] = [0, 0];
  const madeAt = isoTime(now);
  const report = (text: string) => {
    onProgress(text);
    if (signal.aborted) throw new PartnerError('INTERRUPTED');
  };
  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify({ format: BACKUP_FORMAT, schemaVersion, madeAt, release })}\n`;
    for (const table of COPIED_TABLES) {
      rows[table] = 0;
      for await (const some of listRows(db, dialect, table)) {
        const joined = some.join(',');
        for (const text of joined.length > SHARED_LINE_MAX ? some : [joined])
          yield `{"table":"${table}","rows":[${text}]}\n`;
        rows[table] += some.length;
        report(`Backing up ${table}: ${formatNumber(rows[table])}`);
      }
    }
    for await (const found of digests()) {
      for (const digest of found) {
        const content = await contentOf(digest);
        if (content === undefined) missingFiles++;
        else {
          yield `{"file":"${digest}","content":"${Buffer.from(content).toString('base64')}"}\n`;
          files++;
        }
        report(`Backing up files: ${formatNumber(files)}`);
      }
    }
  }
  await write(gzipLines(lines()));
  return { schemaVersion, madeAt, rows, files, missingFiles };
}

async function* gzipLines(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  // Prevents an unhandled rejection. If the pipeline fails, reading from `gzip` fails too.
  pipeline(lines, gzip).catch(() => {});
  yield* gzip;
}
