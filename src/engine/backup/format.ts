import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import {
  BACKUP_FORMAT,
  type BackupHead,
  BackupHeadSchema,
  backupLineSchema,
  parsed,
} from '../../contract/backup.ts';
import { PartnerError } from '../../contract/errors.ts';
import { codeOf, systemError } from '../../contract/system-errors.ts';
import { tried } from '../../contract/tried.ts';
import { COPIED_TABLES } from '../store/copy.ts';

/*
 * A backup is NDJSON under gzip: a head; lines of some rows of a table, `{"table", "rows"}`; a line for each content of a
 * candidate's file, `{"file", "content"}`, by its SHA-256 and in base64. It is the same for both dialects. The checksum
 * and the length at the end of the gzip file show whether it is whole.
 */

const LineSchema = backupLineSchema(COPIED_TABLES);

export function headLine(head: Omit<BackupHead, 'format'>): string {
  return `${JSON.stringify({ format: BACKUP_FORMAT, ...head })}\n`;
}

/** Of one line: the largest row and the largest file of a candidate take half of it. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
/** With zlib's own 16 KiB, a large backup waits for it half of the time. */
const GUNZIPPED_BYTES = 256 * 1024;

/**
 * The head, and the lines after it. They end only if the whole file is sound. Throws FILE_UNREADABLE,
 * FILE_INVALID where the file is no backup or not as it was written, INTERRUPTED.
 */
export async function readBackup(path: string, signal: AbortSignal) {
  if (tried(() => statSync(path))?.isFIFO())
    throw invalid(path, 'it is a pipe', 'save it to a file first: it is read twice');
  const texts = textsOf(path, signal);
  const [, first] = (await texts.next()).value ?? [];
  const head = BackupHeadSchema.safeParse(parsed(first ?? ''));
  if (!head.success) throw invalid(path, 'it is no backup of an engine');
  return { head: head.data, lines: linesOf(texts, path) };
}

/** By hand: JSON has other characters that Node's readline takes for line ends. */
export async function* textsOf(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<[line: number, text: string]> {
  const gunzip = createGunzip({ chunkSize: GUNZIPPED_BYTES });
  const reading = pipeline(createReadStream(path), gunzip, { signal });
  // It is waited for below; a failure before that must not end the process.
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
        throw invalid(path, `line ${number} is too long for a backup of an engine`);
    }
    await reading;
    if (restBytes > 0) throw invalid(path, 'it is cut off');
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

async function* linesOf(texts: AsyncIterable<[line: number, text: string]>, path: string) {
  for await (const [number, text] of texts) {
    const { data: line } = LineSchema.safeParse(parsed(text));
    if (line === undefined) throw invalid(path, `it is no backup of an engine (line ${number})`);
    // Also because the file is kept under that name: another name could lead out of its directory.
    if ('file' in line && createHash('sha256').update(line.content).digest('hex') !== line.file)
      throw invalid(path, `line ${number}: a file in it is not what its SHA-256 says`);
    yield { number, ...line };
  }
}

export function invalid(path: string, reason: string, hint = 'take another backup'): PartnerError {
  return new PartnerError('FILE_INVALID', {
    message: `${path} cannot be restored: ${reason}`,
    hint: `nothing was changed: ${hint}`,
  });
}
