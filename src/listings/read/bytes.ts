import { constants, createReadStream, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartnerError } from '../../contract/errors.ts';
import { attempt, getErrorCode, getErrorReason } from '../../contract/system-errors.ts';
import { DOCUMENT_BYTES_MAX } from '../../contract/values.ts';
import { nearest } from '../../text/nearest.ts';
import { contentFault, type Fault } from '../check/finding.ts';

const CHUNKS = { highWaterMark: 256 * 1024 };

export interface Input {
  readonly stdin: NodeJS.ReadableStream;
  readonly interrupted?: AbortSignal;
}

export type Chunks = AsyncIterable<Buffer>;

export type Bytes = { readonly bytes: Uint8Array } | { readonly fault: Fault };

/** Reads a file in chunks. `-` is stdin. Throws FILE_UNREADABLE, and INTERRUPTED if Ctrl-C ends the wait for a pipe. */
export async function* readChunks(name: string, input: Input): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of await openInput(name, input)) {
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    }
  } catch (error) {
    const isInterrupted = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(getErrorCode(error));
    throw isInterrupted
      ? new PartnerError('INTERRUPTED')
      : await createReadError(name === '-' ? 'stdin' : name, error);
  }
}

async function openInput(name: string, { stdin, interrupted }: Input): Promise<NodeJS.ReadableStream> {
  if (name === '-') return stdin;
  const stats = statOrNone(name);
  if (!stats?.isFIFO()) return createReadStream(name, CHUNKS);
  // Opening a pipe without a writer would block one of Node's four threads. O_NONBLOCK doesn't exist on Windows.
  const fd = openSync(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const { Socket } = await import('node:net');
  const stream = new Socket({ fd, readable: true, writable: false });
  return interrupted === undefined ? stream : addAbortSignal(interrupted, stream);
}

/** Undefined if the path can't be accessed. Opening it reports the reason. */
export function statOrNone(name: string): Stats | undefined {
  return attempt(() => statSync(name, { throwIfNoEntry: false }));
}

/** Reads a whole file. Returns a fault if it's too large. Throws the errors of `readChunks`. */
export async function readWholeFile(name: string, input: Input): Promise<Bytes> {
  const stats = name === '-' ? undefined : statOrNone(name);
  if (!stats?.isFile()) return collectChunks(readChunks(name, input));
  if (stats.size > DOCUMENT_BYTES_MAX) return { fault: tooLarge(`${formatMebibytes(stats.size)} MiB`) };
  try {
    // Reading ten thousand small files asynchronously takes ten times as long.
    return { bytes: readFileSync(name) };
  } catch (error) {
    throw await createReadError(name, error);
  }
}

export async function collectChunks(chunks: Chunks): Promise<Bytes> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > DOCUMENT_BYTES_MAX)
      return { fault: tooLarge(`more than ${formatMebibytes(DOCUMENT_BYTES_MAX)} MiB`) };
    kept.push(chunk);
  }
  return { bytes: Buffer.concat(kept) };
}

function tooLarge(size: string): Fault {
  return contentFault(
    `the file has ${size} (maximum ${formatMebibytes(DOCUMENT_BYTES_MAX)} MiB)`,
    'a listing has at most 1 MiB. For many listings, put one per line in an .ndjson file',
  );
}

export function formatMebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '');
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'check the permissions of the file and its directories',
  EPERM: 'check the permissions of the file and its directories',
  EISDIR: 'pass a file in it',
};

export async function createReadError(name: string, error: unknown): Promise<PartnerError> {
  const code = getErrorCode(error);
  if (code !== 'ENOENT') {
    const message = `can't read ${name}: ${getErrorReason(error)}`;
    return new PartnerError('FILE_UNREADABLE', { message, hint: HINTS[code] });
  }
  const others = (await readdir(dirname(name)).catch(() => [])).filter((other) => other !== basename(name));
  const near = nearest(basename(name), others);
  return new PartnerError('FILE_UNREADABLE', {
    message: `no such file: ${name}`,
    hint: near === undefined ? undefined : `did you mean ${join(dirname(name), near)}?`,
  });
}

const TURN_MS = 50;

/**
 * For long loops: lets the event loop run every 50 ms, for Ctrl-C and the spinner. The function it returns throws
 * INTERRUPTED after Ctrl-C.
 */
export function createTurns(interrupted: AbortSignal | undefined): () => Promise<void> {
  let turnAt = performance.now();
  return async () => {
    if (performance.now() - turnAt > TURN_MS) {
      await nextTurn();
      turnAt = performance.now();
    }
    if (interrupted?.aborted) throw new PartnerError('INTERRUPTED');
  };
}
