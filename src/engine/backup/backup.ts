import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { PartnerError } from '../../contract/errors.ts';
import { isoTime } from '../../contract/time.ts';
import { grouped } from '../../contract/words.ts';
import { COPIED_TABLES, rowsOf } from '../store/copy.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { type BackupHead, headLine } from './format.ts';

export interface BackupOptions {
  /** Takes the bytes of the backup; where it throws, so does the backup. */
  readonly write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly release: string;
  /** Epoch ms. */
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

interface Counts {
  readonly rows: Record<string, number>;
  files: number;
  /** Files whose content is gone or damaged: a backup cannot bring it back. */
  missingFiles: number;
}

export type BackupSummary = Pick<BackupHead, 'madeAt' | 'schemaVersion'> & Readonly<Counts>;

/** Throws DATABASE_UNUSABLE, DATABASE_OUTDATED and INTERRUPTED. */
export async function backUp(snapshot: Snapshot, options: BackupOptions): Promise<BackupSummary> {
  const { schemaVersion } = snapshot;
  if (schemaVersion !== SCHEMA_VERSION) {
    throw new PartnerError('DATABASE_OUTDATED', {
      message: `the database has schema ${schemaVersion}, this release has ${SCHEMA_VERSION}`,
      hint: 'back it up with the release that serves it, or run `partner engine migrate` first',
    });
  }
  const counts: Counts = { rows: {}, files: 0, missingFiles: 0 };
  const head = { schemaVersion, madeAt: isoTime(options.now) };
  await options.write(gzipped(allLines(snapshot, head, options, counts)));
  return { ...head, ...counts };
}

async function* gzipped(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  // Where this fails, so does reading from it.
  pipeline(lines, gzip).catch(() => {});
  yield* gzip;
}

async function* allLines(
  snapshot: Snapshot,
  head: Pick<BackupSummary, 'schemaVersion' | 'madeAt'>,
  { release, signal, onProgress }: BackupOptions,
  counts: Counts,
): AsyncGenerator<string> {
  const { db, dialect } = snapshot;
  const assertGoesOn = () => {
    if (signal.aborted) throw new PartnerError('INTERRUPTED');
  };
  yield headLine({ ...head, release });
  for (const table of COPIED_TABLES) {
    let copied = 0;
    for await (const rows of rowsOf(db, dialect, table)) {
      yield `{"table":"${table}","rows":[${rows.join(',')}]}\n`;
      copied += rows.length;
      onProgress(`backing up ${table}: ${grouped(copied)}`);
      assertGoesOn();
    }
    counts.rows[table] = copied;
  }
  for await (const digests of snapshot.digests()) {
    for (const digest of digests) {
      const content = await snapshot.content(digest);
      if (content === undefined) counts.missingFiles++;
      else {
        yield `{"file":"${digest}","content":"${Buffer.from(content).toString('base64')}"}\n`;
        counts.files++;
      }
      onProgress(`backing up files: ${grouped(counts.files)}`);
      assertGoesOn();
    }
  }
}
