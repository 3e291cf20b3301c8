import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import {
  BackupHeadSchema,
  backupLineSchema,
  createRowCheck,
  parseBackupJson,
} from '../../contract/backup.ts';
import { PartnerError } from '../../contract/errors.ts';
import { attempt, getErrorCode, systemError } from '../../contract/system-errors.ts';
import { formatNumber } from '../../contract/words.ts';
import type { FileContents } from '../applications/file-contents.ts';
import columns from '../store/columns.json' with { type: 'json' };
import { advanceIds, COPIED_TABLES, insertRows, isEmpty, lockTables } from '../store/copy.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Store } from '../store/store.ts';

const LineSchema = backupLineSchema(COPIED_TABLES);

export interface RestoreOptions {
  readonly replaces: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export type CheckedBackup = Awaited<ReturnType<typeof checkBackup>>;

/** Oldest schema version that can be restored. Later versions only added nullable columns. */
const OLDEST_RESTORED = 5;

/** Checks a whole backup before a database is opened. Throws FILE_UNREADABLE, FILE_INVALID and INTERRUPTED. */
export async function checkBackup(path: string, signal: AbortSignal) {
  const { head, lines } = await readBackup(path, signal);
  if (head.schemaVersion < OLDEST_RESTORED || head.schemaVersion > SCHEMA_VERSION) {
    throw createInvalidError(
      path,
      `it has schema ${head.schemaVersion} of release ${head.release}, but this release has ${SCHEMA_VERSION}`,
      head.schemaVersion < OLDEST_RESTORED
        ? 'restore it with the release that created it, then run `partner engine migrate` with this one'
        : 'upgrade partner, then restore it',
    );
  }
  const findFault = createRowCheck(columns);
  try {
    for await (const line of lines) {
      if ('file' in line) continue;
      for (const [index, row] of line.rows.entries()) {
        const fault = findFault(line.table, row);
        const where = `line ${line.number}, table ${line.table}, row ${index + 1}`;
        if (fault !== undefined) throw createInvalidError(path, `${where}: ${fault}`);
      }
    }
  } catch (error) {
    // Reads the rest, because damage to the file is the more useful error if both occur.
    for await (const _ of readTexts(path, signal));
    throw error;
  }
  return { path, head };
}

export const databaseInUse = () =>
  new PartnerError('USAGE', {
    message: "the database isn't empty. Nothing was restored",
    hint: 'restore into a new database with --database, or pass --replace to delete the content of this one',
  });

/** Throws the errors of `checkBackup`, DATABASE_UNUSABLE, and USAGE if the database isn't empty. */
export async function restore(
  { dialect }: Pick<Store, 'dialect'>,
  contents: FileContents,
  { path, head }: CheckedBackup,
  { replaces, signal, onProgress }: RestoreOptions,
) {
  let [files, restored]: [number, Record<string, number>] = [0, {}];
  await contents.reset({
    before: async (db) => {
      if (dialect === 'postgres') await lockTables(db, 'exclusive');
      if (!replaces && !(await isEmpty(db))) throw databaseInUse();
    },
    after: async (db, put) => {
      const { lines } = await readBackup(path, signal);
      [files, restored] = [0, {}];
      for await (const line of lines) {
        if ('file' in line) {
          await put(line.file, line.content);
          onProgress(`Restoring files: ${formatNumber(++files)}`);
          continue;
        }
        const { table, rows } = line;
        await insertRows(db, dialect, table, JSON.stringify(rows));
        restored[table] = (restored[table] ?? 0) + rows.length;
        onProgress(`Restoring ${table}: ${formatNumber(restored[table])}`);
      }
      if (dialect === 'postgres') await advanceIds(db);
    },
  });
  return { madeAt: head.madeAt, release: head.release, rows: restored, files };
}

const LINE_BYTES_MAX = 16 * 1024 * 1024;
/** With zlib's default of 16 KiB, a large restore spends half of its time waiting. */
const GUNZIPPED_BYTES = 256 * 1024;

/** Throws FILE_UNREADABLE, FILE_INVALID and INTERRUPTED. `lines` throws if the rest of the file is damaged. */
async function readBackup(path: string, signal: AbortSignal) {
  if (attempt(() => statSync(path))?.isFIFO())
    throw createInvalidError(path, 'it is a pipe', 'save it to a file first, because it is read twice');
  const texts = readTexts(path, signal);
  const [, first] = (await texts.next()).value ?? [];
  const head = BackupHeadSchema.safeParse(parseBackupJson(first ?? ''));
  if (!head.success) throw createInvalidError(path, "it isn't an engine backup");
  return { head: head.data, lines: parseLines(texts, path) };
}

/** Node's readline isn't used, because it also splits at characters that JSON strings can contain. */
async function* readTexts(path: string, signal: AbortSignal): AsyncGenerator<[line: number, text: string]> {
  const gunzip = createGunzip({ chunkSize: GUNZIPPED_BYTES });
  const reading = pipeline(createReadStream(path), gunzip, { signal });
  // Prevents an unhandled rejection, because `reading` is only awaited at the end.
  reading.catch(() => {});
  try {
    let rest: Buffer[] = [];
    let [number, restBytes] = [1, 0];
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      let from = 0;
      for (let to = chunk.indexOf(10) + 1; to > 0; to = chunk.indexOf(10, from) + 1) {
        yield [number, Buffer.concat([...rest, chunk.subarray(from, to)]).toString()];
        [number, rest, restBytes, from] = [number + 1, [], 0, to];
      }
      rest.push(chunk.subarray(from));
      restBytes += chunk.length - from;
      if (restBytes > LINE_BYTES_MAX)
        throw createInvalidError(path, `line ${number} is too long for an engine backup`);
    }
    await reading;
    if (restBytes > 0) throw createInvalidError(path, 'it is cut off');
  } catch (error) {
    throw translateBackupError(error, path, signal);
  } finally {
    gunzip.destroy();
  }
}

function translateBackupError(error: unknown, path: string, signal: AbortSignal): unknown {
  if (error instanceof PartnerError) return error;
  if (signal.aborted) return new PartnerError('INTERRUPTED', { message: 'interrupted. Nothing was changed' });
  const code = getErrorCode(error);
  if (code === 'Z_BUF_ERROR') return createInvalidError(path, 'it is cut off');
  if (code.startsWith('Z_')) return createInvalidError(path, "it isn't a gzip file or is damaged");
  return systemError(error, 'FILE_UNREADABLE', `can't read the backup ${path}`);
}

async function* parseLines(texts: AsyncIterable<[line: number, text: string]>, path: string) {
  for await (const [number, text] of texts) {
    const { data: line } = LineSchema.safeParse(parseBackupJson(text));
    if (line === undefined) throw createInvalidError(path, `it isn't an engine backup (line ${number})`);
    // This is also a security check, because the content is stored under the digest as its file name.
    if ('file' in line && createHash('sha256').update(line.content).digest('hex') !== line.file)
      throw createInvalidError(path, `line ${number}: a file doesn't match its SHA-256 digest`);
    yield { number, ...line };
  }
}

function createInvalidError(path: string, reason: string, hint = 'use another backup'): PartnerError {
  return new PartnerError('FILE_INVALID', {
    message: `can't restore ${path}: ${reason}`,
    hint: `nothing was changed. To continue, ${hint}`,
  });
}
