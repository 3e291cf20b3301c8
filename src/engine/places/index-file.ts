import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { decodeHeader, HEADER_BYTES, type SectionName, type Span, unusable } from './format.ts';

/** The file of the places, open for reading. Whatever lies outside a section is FILE_UNREADABLE. */
export class IndexFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #spans: (section: SectionName) => Span;
  readonly #kept = new Map<SectionName, Buffer>();

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = opened(path);
    try {
      const header = Buffer.alloc(HEADER_BYTES);
      readSync(this.#descriptor, header, 0, HEADER_BYTES, 0);
      this.#spans = decodeHeader(header, fstatSync(this.#descriptor).size, path);
    } catch (error) {
      closeSync(this.#descriptor);
      throw isSystemError(error) ? unusable(path, `cannot be read (${error.code})`, error) : error;
    }
  }

  /** The length of a section in bytes. */
  length(section: SectionName): number {
    const { start, end } = this.#spans(section);
    return end - start;
  }

  /** The bytes of a section from `start` up to `end`. */
  bytes(section: SectionName, start: number, end: number): Buffer {
    const span = this.#spans(section);
    if (!(start >= 0 && start <= end && span.start + end <= span.end)) throw this.#damaged();
    // Memory of its own, so that numbers in it are aligned.
    const bytes = Buffer.allocUnsafeSlow(end - start);
    if (readSync(this.#descriptor, bytes, 0, bytes.length, span.start + start) !== bytes.length) {
      throw this.#damaged();
    }
    return bytes;
  }

  /** The 32-bit numbers of a section from number `start` up to number `end`. */
  words(section: SectionName, start: number, end: number): Uint32Array {
    const bytes = this.bytes(section, 4 * start, 4 * end);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  /** A whole section, kept for the next time. For those that most searches need. */
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
