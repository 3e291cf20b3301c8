import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  BLOCK_BYTES,
  checksum,
  decodeHeader,
  HEADER_BYTES,
  type Layout,
  type SectionName,
  unusable,
} from './format.ts';

/** The file of the places, open for reading. Every method throws FILE_UNREADABLE where it is damaged. */
export class IndexFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #layout: Layout;
  readonly #checksums: Uint32Array;
  readonly #isChecked: Uint8Array;
  readonly #kept = new Map<SectionName, Buffer>();

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = opened(path);
    try {
      const header = Buffer.alloc(HEADER_BYTES);
      readSync(this.#descriptor, header, 0, HEADER_BYTES, 0);
      const fileBytes = fstatSync(this.#descriptor).size;
      this.#layout = decodeHeader(header, fileBytes, path);
      const { contentBytes } = this.#layout;
      this.#checksums = new Uint32Array(this.#bytesAt(contentBytes, fileBytes).buffer);
      this.#isChecked = new Uint8Array(this.#checksums.length);
      this.#checked(0, HEADER_BYTES);
    } catch (error) {
      closeSync(this.#descriptor);
      throw isSystemError(error) ? unusable(path, `cannot be read (${error.code})`, error) : error;
    }
  }

  length(section: SectionName): number {
    const { start, end } = this.#layout.spanOf(section);
    return end - start;
  }

  bytes(section: SectionName, start: number, end: number): Buffer {
    const span = this.#layout.spanOf(section);
    if (!(start >= 0 && start <= end && span.start + end <= span.end)) throw this.#damaged();
    return this.#checked(span.start + start, span.start + end);
  }

  /** Bytes of the file, of which each block is compared with its checksum the first time. */
  #checked(from: number, to: number): Buffer {
    const first = Math.floor(from / BLOCK_BYTES);
    const last = Math.ceil(to / BLOCK_BYTES);
    if (!this.#isChecked.subarray(first, last).includes(0)) return this.#bytesAt(from, to);
    const start = first * BLOCK_BYTES;
    const bytes = this.#bytesAt(start, Math.min(last * BLOCK_BYTES, this.#layout.contentBytes));
    for (let block = first; block < last; block++) {
      const at = block * BLOCK_BYTES - start;
      if (checksum(bytes.subarray(at, at + BLOCK_BYTES)) !== this.#checksums[block]) throw this.#damaged();
      this.#isChecked[block] = 1;
    }
    return bytes.subarray(from - start, to - start);
  }

  #bytesAt(start: number, end: number): Buffer {
    // Memory of its own, so that numbers in it are aligned.
    const bytes = Buffer.allocUnsafeSlow(end - start);
    if (readSync(this.#descriptor, bytes, 0, bytes.length, start) !== bytes.length) throw this.#damaged();
    return bytes;
  }

  /** The 32-bit numbers of a section from number `start` up to number `end`. */
  words(section: SectionName, start: number, end: number): Uint32Array {
    const bytes = this.bytes(section, 4 * start, 4 * end);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  /** A whole section, kept for the next search. */
  whole(section: SectionName): Buffer {
    const kept = this.#kept.get(section) ?? this.bytes(section, 0, this.length(section));
    this.#kept.set(section, kept);
    return kept;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #damaged() {
    return unusable(this.#path, 'is damaged');
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const isMissing = isSystemError(error) && error.code === 'ENOENT';
    throw unusable(path, isMissing ? 'is missing' : 'cannot be opened', error);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
