import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { PartnerError } from '../../contract/errors.ts';
import { codeOf, systemError } from '../../contract/system-errors.ts';
import { tried } from '../../contract/tried.ts';
import { COPIED_TABLES, type TableName } from '../store/copy.ts';

/*
 * A backup is NDJSON under gzip: a head; lines of some rows of a table, `{"table", "rows"}`; a line for each content of a
 * candidate's file, `{"file", "content"}`, by its SHA-256 and in base64. It is the same for both dialects. The checksum
 * and the length at the end of the gzip file show whether it is whole.
 */

const FORMAT = 'partner-engine-backup';

export interface BackupHead {
  readonly format: typeof FORMAT;
  readonly schemaVersion: number;
  /** ISO 8601, by the machine's clock. */
  readonly madeAt: string;
  readonly release: string;
}

type BackupLine =
  | { readonly table: TableName; readonly rows: readonly object[] }
  | { readonly file: string; readonly content: string };

export function headLine(head: Omit<BackupHead, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...head })}\n`;
}

/** Of one line: as many of the largest jobs fit as have a line. */
const LINE_BYTES_MAX = 128 * 1024 * 1024;

/**
 * The head, and the lines after it, not parsed yet. They end only if the whole file is sound. Throws FILE_UNREADABLE,
 * FILE_INVALID where the file is no backup or not as it was written, INTERRUPTED.
 */
export async function readBackup(path: string, signal: AbortSignal) {
  const lines = linesOf(path, signal);
  const first = await lines.next();
  const head = (first.done ? undefined : parsed(first.value)) as Partial<BackupHead> | undefined;
  if (head?.format !== FORMAT) throw invalid(path, 'it is no backup of an engine');
  return { head: head as BackupHead, lines };
}

/** By hand: JSON has other characters that Node's readline takes for line ends. */
async function* linesOf(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(path), gunzip, { signal });
  // It is waited for below; a failure before that must not end the process.
  reading.catch(() => {});
  try {
    let rest: Buffer[] = [];
    let restBytes = 0;
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      let from = 0;
      for (let to = chunk.indexOf(10) + 1; to > 0; to = chunk.indexOf(10, from) + 1) {
        yield Buffer.concat([...rest, chunk.subarray(from, to)]).toString();
        [rest, restBytes, from] = [[], 0, to];
      }
      rest.push(chunk.subarray(from));
      restBytes += chunk.length - from;
      if (restBytes > LINE_BYTES_MAX) throw invalid(path, 'it is no backup of an engine');
    }
    await reading;
  } catch (error) {
    throw explained(error, path, signal);
  } finally {
    gunzip.destroy();
  }
}

function explained(error: unknown, path: string, signal: AbortSignal): unknown {
  if (error instanceof PartnerError) return error;
  if (signal.aborted) return new PartnerError('INTERRUPTED', { message: 'interrupted: nothing was changed' });
  const code = codeOf(error);
  if (code === 'Z_BUF_ERROR') return invalid(path, 'it is cut off');
  if (code.startsWith('Z_')) return invalid(path, 'it is no gzip file, or damaged');
  return systemError(error, 'FILE_UNREADABLE', `the backup ${path} cannot be read`);
}

/** Throws FILE_INVALID for a line that no backup has. */
export function backupLine(text: string, path: string): BackupLine {
  const line = (parsed(text) ?? {}) as {
    file?: unknown;
    content?: unknown;
    table: TableName;
    rows?: unknown;
  };
  const isContent = typeof line.file === 'string' && typeof line.content === 'string';
  if (isContent || (COPIED_TABLES.includes(line.table) && Array.isArray(line.rows)))
    return line as BackupLine;
  throw invalid(path, 'it is no backup of an engine');
}

function parsed(line: string): unknown {
  return tried(() => JSON.parse(line));
}

export function invalid(path: string, reason: string, hint = 'take another backup'): PartnerError {
  return new PartnerError('FILE_INVALID', {
    message: `${path} cannot be restored: ${reason}`,
    hint: `nothing was changed: ${hint}`,
  });
}
