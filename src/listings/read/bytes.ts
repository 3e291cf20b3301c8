import { constants, createReadStream, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import { codeOf, reasonOf } from '../../contract/system-errors.ts';
import { tried } from '../../contract/tried.ts';
import { DOCUMENT_BYTES_MAX } from '../../contract/values.ts';
import { contentFault, type Fault } from '../check/finding.ts';

const CHUNKS = { highWaterMark: 256 * 1024 };

/** What a command reads besides files: stdin for `-`, and Ctrl-C for the wait for a pipe. */
export interface Input {
  readonly stdin: NodeJS.ReadableStream;
  readonly interrupted?: AbortSignal;
}

export type Chunks = AsyncIterable<Buffer>;

export type Bytes = { readonly bytes: Uint8Array } | { readonly fault: Fault };

/** The chunks of a file, or of stdin for `-`. Throws FILE_UNREADABLE, and INTERRUPTED on Ctrl-C in a wait for a pipe. */
export async function* chunksOf(name: string, input: Input): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of await streamOf(name, input)) {
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    }
  } catch (error) {
    // Only Ctrl-C closes a stream before its end.
    const isInterrupted = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(codeOf(error));
    throw isInterrupted
      ? new PartnerError('INTERRUPTED')
      : await unreadable(name === '-' ? 'stdin' : name, error);
  }
}

async function streamOf(name: string, { stdin, interrupted }: Input): Promise<NodeJS.ReadableStream> {
  if (name === '-') return stdin;
  const stats = statOrNone(name);
  if (!stats?.isFIFO()) return createReadStream(name, CHUNKS);
  // Opened to wait, a pipe that nobody writes to would hold one of Node's four threads. Windows has no O_NONBLOCK.
  const fd = openSync(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const { Socket } = await import('node:net');
  const stream = new Socket({ fd, readable: true, writable: false });
  return interrupted === undefined ? stream : addAbortSignal(interrupted, stream);
}

/** Undefined where the path cannot be looked at: opening it gives the reason. */
export function statOrNone(name: string): Stats | undefined {
  return tried(() => statSync(name, { throwIfNoEntry: false }));
}

/** A whole document; a fault where it is too large. Throws what `chunksOf` throws. */
export async function documentOf(name: string, input: Input): Promise<Bytes> {
  const stats = name === '-' ? undefined : statOrNone(name);
  if (!stats?.isFile()) return collected(chunksOf(name, input));
  if (stats.size > DOCUMENT_BYTES_MAX) return { fault: tooLarge(`${mebibytes(stats.size)} MiB`) };
  try {
    // Ten thousand small files take ten times as long by way of Node's threads.
    return { bytes: readFileSync(name) };
  } catch (error) {
    throw await unreadable(name, error);
  }
}

export async function collected(chunks: Chunks): Promise<Bytes> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > DOCUMENT_BYTES_MAX)
      return { fault: tooLarge(`more than ${mebibytes(DOCUMENT_BYTES_MAX)} MiB`) };
    kept.push(chunk);
  }
  return { bytes: Buffer.concat(kept) };
}

function tooLarge(size: string): Fault {
  return contentFault(
    `the file has ${size}; at most ${mebibytes(DOCUMENT_BYTES_MAX)} MiB are read`,
    'one listing has at most 1 MiB: write a set of them one on each line into a file that ends in .ndjson',
  );
}

export function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '');
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'check the permissions of the file and of its folders',
  EPERM: 'check the permissions of the file and of its folders',
  EISDIR: 'name a file in it',
};

/** FILE_UNREADABLE, with the nearest name where a file is missing. */
export async function unreadable(name: string, error: unknown): Promise<PartnerError> {
  const code = codeOf(error);
  if (code !== 'ENOENT') {
    const message = `${name} cannot be read: ${reasonOf(error)}`;
    return new PartnerError('FILE_UNREADABLE', { message, hint: HINTS[code] });
  }
  const others = (await readdir(dirname(name)).catch(() => [])).filter((other) => other !== basename(name));
  const near = nearest(basename(name), others);
  return new PartnerError('FILE_UNREADABLE', {
    message: `there is no file ${name}`,
    hint: near === undefined ? undefined : `did you mean ${join(dirname(name), near)}?`,
  });
}
