import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { PartnerError } from '../../contract/errors.ts';
import { getErrorCode, translateErrors } from '../../contract/system-errors.ts';

/**
 * The index file has a header, these sections aligned to 4 bytes, and a checksum per block. Numbers are little-endian.
 * A search reads and checks only a few kilobytes, because commands are short-lived.
 */
const PLACE_SECTIONS = [
  /** One row per place, by population: [ID, population, region, start of name]. The last row has the end of the names. */
  'places',
  'placeNames',
  /** A copy of each place's region (2 bytes), for searches within an area. */
  'placeRegions',
  /** [ID, ordinal], sorted by ID. */
  'ids',
  /** The start of each region's text, and the end of the last one. */
  'regions',
  /** `stateProvince TAB countryCode TAB country`, grouped by country. */
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
/** Words in a row of `directory`: [start in `keys`, start in `heads`, first posting]. The last row has the ends. */
export const DIRECTORY_WORDS = 3;
/** Size of the header before each key: length shared with the previous key (1 byte), own length (1), postings (2). */
export const KEY_HEAD_BYTES = 4;
export const KEY_MAX_BYTES = 255;

export const MAGIC = 'PARTNER PLACES\r\n';
export const VERSION = 2;
export const FIXED_WORDS = MAGIC.length / 4 + 2;

export const HEADER_BYTES = 4 * (FIXED_WORDS + 2 * SECTIONS.length);

export const BLOCK_BYTES = 4096;

export function checksum(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}

export function fileLength(contentBytes: number): number {
  return contentBytes + 4 * Math.ceil(contentBytes / BLOCK_BYTES);
}

function decodeHeader(header: Buffer, fileBytes: number, path: string) {
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw unusable(path, "isn't a place index");
  const version = header.readUInt32LE(MAGIC.length);
  if (version !== VERSION)
    throw unusable(path, `has format ${version}, but this release requires ${VERSION}`);
  if (header.readUInt32LE(MAGIC.length + 4) !== fileBytes) throw unusable(path, 'has the wrong size');
  const readSpan = (index: number) => {
    const at = 4 * (FIXED_WORDS + 2 * index);
    return { start: header.readUInt32LE(at), end: header.readUInt32LE(at + 4) };
  };
  const contentBytes = alignLength(readSpan(SECTIONS.length - 1).end);
  if (fileLength(contentBytes) !== fileBytes) throw unusable(path, 'is damaged');
  return { findSpan: (section: SectionName) => readSpan(SECTIONS.indexOf(section)), contentBytes };
}

export function alignLength(bytes: number): number {
  return (bytes + 3) & ~3;
}

/** Returns the last of sorted rows that passes the check, or the first row if none does. */
export function findLastRow(count: number, isUpTo: (row: number) => boolean): number {
  let [low, high] = [0, count];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (isUpTo(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function unusable(path: string, what: string, cause?: unknown): PartnerError {
  return new PartnerError('FILE_UNREADABLE', {
    message: `the place index ${path} ${what}`,
    hint: 'reinstall partner. In a checkout, delete the file if it exists and run `npm run build`',
    cause,
  });
}

/** Every method throws FILE_UNREADABLE if the file is damaged. */
export class IndexFile {
  readonly #descriptor: number;
  readonly #layout: ReturnType<typeof decodeHeader>;
  readonly #checksums: Uint32Array;
  readonly #isChecked: Uint8Array;
  readonly #kept = new Map<SectionName, Buffer>();

  constructor(private readonly path: string) {
    this.#descriptor = translateErrors(
      () => openSync(path, 'r'),
      (error) => unusable(path, getErrorCode(error) === 'ENOENT' ? 'is missing' : "can't be opened", error),
    );
    try {
      const header = Buffer.alloc(HEADER_BYTES);
      readSync(this.#descriptor, header, 0, HEADER_BYTES, 0);
      const fileBytes = fstatSync(this.#descriptor).size;
      this.#layout = decodeHeader(header, fileBytes, path);
      const { contentBytes } = this.#layout;
      this.#checksums = new Uint32Array(this.#readBytes(contentBytes, fileBytes).buffer);
      this.#isChecked = new Uint8Array(this.#checksums.length);
      this.#readChecked(0, HEADER_BYTES);
    } catch (error) {
      closeSync(this.#descriptor);
      throw error instanceof PartnerError
        ? error
        : unusable(path, `can't be read (${getErrorCode(error)})`, error);
    }
  }

  length(section: SectionName): number {
    const { start, end } = this.#layout.findSpan(section);
    return end - start;
  }

  bytes(section: SectionName, start: number, end: number): Buffer {
    const span = this.#layout.findSpan(section);
    if (!(start >= 0 && start <= end && span.start + end <= span.end)) throw this.#createDamagedError();
    return this.#readChecked(span.start + start, span.start + end);
  }

  #readChecked(from: number, to: number): Buffer {
    const first = Math.floor(from / BLOCK_BYTES);
    const last = Math.ceil(to / BLOCK_BYTES);
    if (!this.#isChecked.subarray(first, last).includes(0)) return this.#readBytes(from, to);
    const start = first * BLOCK_BYTES;
    const bytes = this.#readBytes(start, Math.min(last * BLOCK_BYTES, this.#layout.contentBytes));
    for (let block = first; block < last; block++) {
      const at = block * BLOCK_BYTES - start;
      if (checksum(bytes.subarray(at, at + BLOCK_BYTES)) !== this.#checksums[block])
        throw this.#createDamagedError();
      this.#isChecked[block] = 1;
    }
    return bytes.subarray(from - start, to - start);
  }

  #readBytes(start: number, end: number): Buffer {
    // Doesn't use the buffer pool, because `Uint32Array` needs aligned bytes.
    const bytes = Buffer.allocUnsafeSlow(end - start);
    if (readSync(this.#descriptor, bytes, 0, bytes.length, start) !== bytes.length)
      throw this.#createDamagedError();
    return bytes;
  }

  words(section: SectionName, start: number, end: number): Uint32Array {
    const bytes = this.bytes(section, 4 * start, 4 * end);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  whole(section: SectionName): Buffer {
    const kept = this.#kept.get(section) ?? this.bytes(section, 0, this.length(section));
    this.#kept.set(section, kept);
    return kept;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #createDamagedError() {
    return unusable(this.path, 'is damaged');
  }
}
