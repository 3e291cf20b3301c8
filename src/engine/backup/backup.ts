import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { PartnerError } from '../../contract/errors.ts';
import { isoTime } from '../../contract/time.ts';
import { grouped } from '../../contract/words.ts';
import { COPIED_TABLES, rowsOf } from '../store/copy.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { headLine } from './format.ts';

export interface BackupOptions {
  /** Takes the bytes of the backup; where it throws, so does the backup. */
  readonly write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly release: string;
  /** Epoch ms. */
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export type BackupSummary = Awaited<ReturnType<typeof backUp>>;

/** In characters. Rows that take more have a line each, since a restore holds a line in memory. */
const SHARED_LINE_MAX = 1024 * 1024;

/** Throws DATABASE_UNUSABLE, DATABASE_OUTDATED and INTERRUPTED. */
export async function backUp(
  { db, dialect, schemaVersion, digests, content: contentOf }: Snapshot,
  { write, release, now, signal, onProgress }: BackupOptions,
) {
  if (schemaVersion !== SCHEMA_VERSION) {
    throw new PartnerError('DATABASE_OUTDATED', {
      message: `the database has schema ${schemaVersion}, this release has ${SCHEMA_VERSION}`,
      hint: 'back it up with the release that serves it, or run `partner engine migrate` first',
    });
  }
  const rows: Record<string, number> = {};
  /** The content of some may be gone or damaged: a backup cannot bring it back. */
  let [files, missingFiles] = [0, 0];
  const madeAt = isoTime(now);
  const report = (text: string) => {
    onProgress(text);
    if (signal.aborted) throw new PartnerError('INTERRUPTED');
  };
  async function* lines(): AsyncGenerator<string> {
    yield headLine({ schemaVersion, madeAt, release });
    for (const table of COPIED_TABLES) {
      rows[table] = 0;
      for await (const some of rowsOf(db, dialect, table)) {
        const joined = some.join(',');
        for (const text of joined.length > SHARED_LINE_MAX ? some : [joined])
          yield `{"table":"${table}","rows":[${text}]}\n`;
        rows[table] += some.length;
        report(`backing up ${table}: ${grouped(rows[table])}`);
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
        report(`backing up files: ${grouped(files)}`);
      }
    }
  }
  await write(gzipped(lines()));
  return { schemaVersion, madeAt, rows, files, missingFiles };
}

async function* gzipped(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  // Where this fails, so does reading from it.
  pipeline(lines, gzip).catch(() => {});
  yield* gzip;
}
