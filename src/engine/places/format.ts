import { PartnerError } from '../../contract/errors.ts';

/**
 * The file of the places: a header, these sections, each at a multiple of 4, then a checksum of each block. Numbers are
 * little-endian. A command lives for milliseconds: it reads and checks only the few kilobytes that one search needs.
 */
const SECTIONS = [
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
  // See `KeyIndex`.
  'name.directory',
  'name.heads',
  'name.keys',
  'name.postings',
  'alias.directory',
  'alias.heads',
  'alias.keys',
  'alias.postings',
  'area.directory',
  'area.heads',
  'area.keys',
  'area.postings',
] as const;

export type SectionName = (typeof SECTIONS)[number];
export type KeyIndexName = 'name' | 'alias' | 'area';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A row of `places`, in 32-bit words. */
export const PLACE_WORDS = 4;
export const KEYS_PER_BLOCK = 128;
/** A row of a `directory`, in words: [start in `keys`, start in `heads`, first of its `postings`]; then the ends. */
export const DIRECTORY_WORDS = 3;
/** Before each key's own bytes: bytes shared with the key before (1), own bytes (1), postings (2). */
export const KEY_HEAD_BYTES = 4;
export const KEY_MAX_BYTES = 255;

const MAGIC = 'PARTNER PLACES\r\n';
const VERSION = 2;
const FIXED_WORDS = MAGIC.length / 4 + 2;

export const HEADER_BYTES = 4 * (FIXED_WORDS + 2 * SECTIONS.length);

/** What has one checksum, and is read at once. */
export const BLOCK_BYTES = 4096;

/** CRC-32. Most calls of the engine look for no place, and do not load Node's module. */
export function checksum(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}

/** The whole file: the header, the sections, and the checksums. */
export function encodeFile(sections: Readonly<Record<SectionName, Uint8Array>>): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const parts: Uint8Array[] = [header];
  let end = HEADER_BYTES;
  SECTIONS.forEach((name, index) => {
    const bytes = sections[name];
    const start = aligned(end);
    parts.push(Buffer.alloc(start - end), bytes);
    end = start + bytes.length;
    header.writeUInt32LE(start, 4 * (FIXED_WORDS + 2 * index));
    header.writeUInt32LE(end, 4 * (FIXED_WORDS + 2 * index + 1));
  });
  parts.push(Buffer.alloc(aligned(end) - end));
  header.write(MAGIC, 'latin1');
  header.writeUInt32LE(VERSION, MAGIC.length);
  header.writeUInt32LE(fileLength(aligned(end)), MAGIC.length + 4);
  const content = Buffer.concat(parts);
  const checksums = new Uint32Array(Math.ceil(content.length / BLOCK_BYTES));
  for (const block of checksums.keys()) {
    checksums[block] = checksum(content.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES));
  }
  return Buffer.concat([content, Buffer.from(checksums.buffer)]);
}

function fileLength(contentBytes: number): number {
  return contentBytes + 4 * Math.ceil(contentBytes / BLOCK_BYTES);
}

export interface Layout {
  readonly spanOf: (section: SectionName) => Span;
  /** The checksums are of this much, and follow it. */
  readonly contentBytes: number;
}

/** Throws FILE_UNREADABLE where the file is foreign, of another version or not `fileBytes` long. */
export function decodeHeader(header: Buffer, fileBytes: number, path: string): Layout {
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw unusable(path, 'is not an index of places');
  const version = header.readUInt32LE(MAGIC.length);
  if (version !== VERSION) throw unusable(path, `has format ${version}, and this partner reads ${VERSION}`);
  if (header.readUInt32LE(MAGIC.length + 4) !== fileBytes) throw unusable(path, 'is cut short or has grown');
  const spanAt = (index: number): Span => {
    const at = 4 * (FIXED_WORDS + 2 * index);
    return { start: header.readUInt32LE(at), end: header.readUInt32LE(at + 4) };
  };
  let end = HEADER_BYTES;
  for (let index = 0; index < SECTIONS.length; index++) {
    const span = spanAt(index);
    if (span.start !== aligned(end) || span.end < span.start) throw unusable(path, 'is damaged');
    end = span.end;
  }
  if (fileLength(aligned(end)) !== fileBytes) throw unusable(path, 'is damaged');
  return { spanOf: (section) => spanAt(SECTIONS.indexOf(section)), contentBytes: aligned(end) };
}

function aligned(bytes: number): number {
  return (bytes + 3) & ~3;
}

export function unusable(path: string, what: string, cause?: unknown): PartnerError {
  return new PartnerError('FILE_UNREADABLE', {
    message: `the index of places ${path} ${what}`,
    hint: 'install partner again; in a checkout, delete the file if it is there and run `npm run build`',
    cause,
  });
}
