import { closeSync, constants, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import type { Fault } from '../check/finding.ts';
import { contentFault } from './encoding.ts';

/** A document is read whole, and more than this is refused: some ten thousand listings fit. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;

/** Where a command reads what is no file: stdin for `-`, and Ctrl-C for the wait for a pipe. */
export interface Input {
  readonly stdin: NodeJS.ReadableStream;
  readonly interrupted?: AbortSignal;
}

/** Pieces of a file in their order. One may be written over by the next: copy what is to stay. */
export type Chunks = AsyncIterable<Buffer>;

export type Bytes = { readonly bytes: Uint8Array } | { readonly fault: Fault };

/**
 * The chunks of a file, or of stdin where the name is `-`. A pipe or a device is read to its end, as `cat`
 * would. Throws FILE_UNREADABLE, and INTERRUPTED on Ctrl-C in a wait for a pipe.
 */
export async function* chunksOf(name: string, { stdin, interrupted }: Input): AsyncGenerator<Buffer> {
  let file: FileHandle | undefined;
  try {
    if (name === '-') return yield* streamChunks(stdin);
    const small = smallFile(name);
    if (small !== undefined) return yield small;
    const waiting = await openWaiting(name, interrupted);
    if (waiting !== undefined) return yield* streamChunks(waiting);
    file = await open(name, READ_AT_ONCE);
    const stats = await file.stat();
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (stats.isFile()) yield* fileChunks(file);
    else yield* streamChunks(file.createReadStream({ autoClose: false }));
  } catch (error) {
    if (error instanceof PartnerError) throw error;
    const failure = error as NodeJS.ErrnoException;
    // What is read is closed before its end by Ctrl-C alone.
    const isInterrupted = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(failure.code ?? '');
    if (isInterrupted) throw new PartnerError('INTERRUPTED');
    throw await unreadable(name === '-' ? 'stdin' : name, failure);
  } finally {
    await file?.close();
  }
}

/** Without O_NONBLOCK (which Windows has not) a pipe that nobody writes to is waited for in one of Node's four threads. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A named pipe or a terminal, which is waited for until `interrupted`; undefined for all else. */
async function openWaiting(name: string, interrupted?: AbortSignal): Promise<Readable | undefined> {
  const stats = statOrNone(name);
  if (!stats?.isFIFO() && !stats?.isCharacterDevice()) return undefined;
  const fd = openSync(name, READ_AT_ONCE);
  const { isatty, ReadStream } = await import('node:tty');
  if (!stats.isFIFO() && !isatty(fd)) return void closeSync(fd);
  const { Socket } = await import('node:net');
  const stream = stats.isFIFO() ? new Socket({ fd, readable: true, writable: false }) : new ReadStream(fd);
  return interrupted === undefined ? stream : addAbortSignal(interrupted, stream);
}

/**
 * The whole of a small file, at once: of ten thousand of them, each on its way through Node's threads takes ten
 * times as long. Undefined for all else: a pipe that nobody writes to would hold up everything, and what cannot
 * be read says why to `chunksOf`.
 */
export function smallFile(name: string): Buffer | undefined {
  const stats = name === '-' ? undefined : statOrNone(name);
  if (!stats?.isFile() || stats.size > CHUNK_BYTES) return undefined;
  try {
    return readFileSync(name);
  } catch {
    return undefined;
  }
}

/** An open file from its beginning, in one buffer over and over. */
export async function* fileChunks(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* streamChunks(stream: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** What keeps a document from being read whole, before it is opened: a file's size. */
export function sizeFault(name: string): Fault | undefined {
  const stats = name === '-' ? undefined : statOrNone(name);
  if (!stats?.isFile() || stats.size <= FILE_BYTES_MAX) return undefined;
  return tooLarge(`${mebibytes(stats.size)} MiB`);
}

/** What the system says of a path, if it says anything: what cannot be looked at says why when it is opened. */
export function statOrNone(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** All the bytes of a document; a fault where there are too many, which are then left unread. */
export async function collected(chunks: Chunks): Promise<Bytes> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > FILE_BYTES_MAX) return { fault: tooLarge(`more than ${mebibytes(FILE_BYTES_MAX)} MiB`) };
    kept.push(Buffer.from(chunk));
  }
  return { bytes: Buffer.concat(kept) };
}

function tooLarge(size: string): Fault {
  return contentFault(
    `the file has ${size}; at most ${mebibytes(FILE_BYTES_MAX)} MiB are read`,
    'one listing has at most 1 MiB: write a set of them one on each line into a file that ends in .ndjson',
  );
}

/** In MiB, with a decimal where it says something. */
export function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '');
}

const REASONS: Readonly<Record<string, readonly [message: string, hint?: string]>> = {
  EACCES: ['you have no permission to read it', 'check the permissions of the file and of its folders'],
  EPERM: ['you have no permission to read it', 'check the permissions of the file and of its folders'],
  EISDIR: ['it is a directory, not a file', 'name a file in it'],
  ENOTDIR: ['a part of its path is a file, not a directory'],
  ELOOP: ['its symbolic links lead in a circle'],
  ENAMETOOLONG: ['its name is too long'],
  ENXIO: ['it is a socket or a device that cannot be read'],
};

/** FILE_UNREADABLE for what the system says about a path, with the nearest name where nothing has this one. */
export async function unreadable(
  name: string,
  { code = '', message }: NodeJS.ErrnoException,
): Promise<PartnerError> {
  if (code === 'ENOENT') {
    const others = (await readdir(dirname(name)).catch(() => [])).filter((other) => other !== basename(name));
    const near = nearest(basename(name), others);
    return new PartnerError('FILE_UNREADABLE', {
      message: `there is no file ${name}`,
      hint: near === undefined ? undefined : `did you mean ${join(dirname(name), near)}?`,
    });
  }
  const [reason, hint] = REASONS[code] ?? [message];
  return new PartnerError('FILE_UNREADABLE', { message: `${name} cannot be read: ${reason}`, hint });
}
