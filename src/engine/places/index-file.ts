import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { PartnerError } from '../../contract/errors.ts';
import { codeOf } from '../../contract/system-errors.ts';

/**
 * The file of the places: a header, these sections, each at a multiple of 4, then a checksum of each block. Numbers are
 * little-endian. A command lives for milliseconds: it reads and checks only the few kilobytes that one search needs.
 */
const PLACE_SECTIONS = [
  /** A row for each place, by population: [id, population, region, start of its name]; then the end of all names. */
  'places',
  'placeNames',
  /** The region of each place once more, 2 bytes each, for searches within an area. */
  'placeRegions',
  /** [id, ordinal], ordered by id. */
  'ids',
  /** The start of each region's text; then the end of all. */
  'regions',
  /** `stateProvince TAB countryCode TAB country`, those of a country together. */
  'regionTexts',
] as const;
const KEY_INDEXES = ['name', 'alias', 'area'] as const;
const KEY_SECTIONS = ['directory', 'heads', 'keys', 'postings'] as const;

export type KeyIndexName = (typeof KEY_INDEXES)[number];
export type SectionName =
  | (typeof PLACE_SECTIONS)[number]
  | `${KeyIndexName}.${(typeof KEY_SECTIONS)[number]}`;

export const SECTIONS: readonly SectionName[] = [
  ...PLACE_SECTIONS,
  ...KEY_INDEXES.flatMap((index) => KEY_SECTIONS.map((section) => `${index}.${section}` as const)),
];

export const PLACE_WORDS = 4;
export const KEYS_PER_BLOCK = 128;
/** A row of a `directory`, in words: [start in `keys`, start in `heads`, first of its `postings`]; then the ends. */
export const DIRECTORY_WORDS = 3;
/** Before each key's own bytes: bytes shared with the key before (1), own bytes (1), postings (2). */
export const KEY_HEAD_BYTES = 4;
export const KEY_MAX_BYTES = 255;

export const MAGIC = 'PARTNER PLACES\r\n';
export const VERSION = 2;
export const FIXED_WORDS = MAGIC.length / 4 + 2;

export const HEADER_BYTES = 4 * (FIXED_WORDS + 2 * SECTIONS.length);

/** What has one checksum, and is read at once. */
export const BLOCK_BYTES = 4096;

/** CRC-32. Most calls of the engine look for no place, and do not load Node's module. */
export function checksum(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}

export function fileLength(contentBytes: number): number {
  return contentBytes + 4 * Math.ceil(contentBytes / BLOCK_BYTES);
}

/** Where each section is; the checksums are of the first `contentBytes`, and follow them. */
function decodeHeader(header: Buffer, fileBytes: number, path: string) {
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw unusable(path, 'is not an index of places');
  const version = header.readUInt32LE(MAGIC.length);
  if (version !== VERSION) throw unusable(path, `has format ${version}, and this partner reads ${VERSION}`);
  if (header.readUInt32LE(MAGIC.length + 4) !== fileBytes) throw unusable(path, 'is cut short or has grown');
  const spanAt = (index: number) => {
    const at = 4 * (FIXED_WORDS + 2 * index);
    return { start: header.readUInt32LE(at), end: header.readUInt32LE(at + 4) };
  };
  const contentBytes = aligned(spanAt(SECTIONS.length - 1).end);
  if (fileLength(contentBytes) !== fileBytes) throw unusable(path, 'is damaged');
  return { spanOf: (section: SectionName) => spanAt(SECTIONS.indexOf(section)), contentBytes };
}

export function aligned(bytes: number): number {
  return (bytes + 3) & ~3;
}

function unusable(path: string, what: string, cause?: unknown): PartnerError {
  return new PartnerError('FILE_UNREADABLE', {
    message: `the index of places ${path} ${what}`,
    hint: 'install partner again; in a checkout, delete the file if it is there and run `npm run build`',
    cause,
  });
}

/** The file of the places, open for reading. Every method throws FILE_UNREADABLE where it is damaged. */
export class IndexFile {
  readonly #descriptor: number;
  readonly #layout: ReturnType<typeof decodeHeader>;
  readonly #checksums: Uint32Array;
  readonly #isChecked: Uint8Array;
  readonly #kept = new Map<SectionName, Buffer>();

  constructor(private readonly path: string) {
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
      throw error instanceof PartnerError
        ? error
        : unusable(path, `cannot be read (${codeOf(error)})`, error);
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
    return unusable(this.path, 'is damaged');
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw unusable(path, codeOf(error) === 'ENOENT' ? 'is missing' : 'cannot be opened', error);
  }
}
