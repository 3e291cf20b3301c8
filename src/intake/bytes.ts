import { type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PartnerError } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';
import { contentFault } from './encoding.ts';
import type { Fault } from './finding.ts';

/** More than this is refused unread: some ten thousand listings fit. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;

export type Bytes = { readonly bytes: Uint8Array } | { readonly fault: Fault };

/**
 * The bytes of a file, or of stdin where the name is `-`; a fault where there are too many. A pipe or a
 * device is read to its end or to the limit, as `cat` would. Throws FILE_UNREADABLE, and
 * INTERRUPTED where stdin is closed meanwhile.
 */
export async function readBytes(name: string, stdin: NodeJS.ReadableStream): Promise<Bytes> {
  let file: FileHandle | undefined;
  try {
    if (name === '-') return await collect(stdin);
    file = await open(name);
    const stats = await file.stat();
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (!stats.isFile()) return await collect(file.createReadStream({ autoClose: false }));
    if (stats.size > FILE_BYTES_MAX) return { fault: tooLarge(`${mebibytes(stats.size)} MiB`) };
    return { bytes: await file.readFile() };
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    // What is read is closed before its end by Ctrl-C alone.
    if (failure.code === 'ERR_STREAM_PREMATURE_CLOSE') throw new PartnerError('INTERRUPTED');
    throw await unreadable(name === '-' ? 'stdin' : name, failure);
  } finally {
    await file?.close();
  }
}

async function collect(stream: NodeJS.ReadableStream): Promise<Bytes> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > FILE_BYTES_MAX) return { fault: tooLarge(`more than ${mebibytes(FILE_BYTES_MAX)} MiB`) };
    chunks.push(bytes);
  }
  return { bytes: Buffer.concat(chunks) };
}

function tooLarge(size: string): Fault {
  return contentFault(
    `the file has ${size}; at most ${mebibytes(FILE_BYTES_MAX)} MiB are read`,
    'one listing has at most 1 MiB: split a set of them into several files',
  );
}

/** In MiB, with a decimal where it says something. */
export function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '');
}

const REASONS: Readonly<Record<string, readonly [message: string, hint?: string]>> = {
  EACCES: ['you have no permission to read it', 'check the permissions of the file and of its folders'],
  EPERM: ['you have no permission to read it', 'check the permissions of the file and of its folders'],
  EISDIR: ['it is a directory, not a file', 'name a file in it; `partner jobs validate` takes directories'],
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
