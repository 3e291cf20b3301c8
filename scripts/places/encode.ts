import {
  alignLength,
  BLOCK_BYTES,
  checksum,
  FIXED_WORDS,
  fileLength,
  HEADER_BYTES,
  KEY_HEAD_BYTES,
  KEY_MAX_BYTES,
  KEYS_PER_BLOCK,
  type KeyIndexName,
  MAGIC,
  PLACE_WORDS,
  SECTIONS,
  type SectionName,
  VERSION,
} from '../../src/places/index/index-file.ts';
import type { Gazetteer } from './gazetteer.ts';

/** Returns the index file of a gazetteer. The output is deterministic. */
export function encodePlaces({ places, regions, names, aliases, areas }: Gazetteer): Buffer {
  const placeNames = texts(places.map(({ name }) => name));
  const regionTexts = texts(
    regions.map(({ name, countryCode, country }) => [name, countryCode, country].join('\t')),
  );
  const ids = places.map(({ id }, ordinal) => [id, ordinal] as const).sort(([a], [b]) => a - b);
  const sections: Partial<Record<SectionName, Uint8Array>> = {
    places: words([
      ...places.flatMap((place, ordinal) => [
        place.id,
        place.population,
        place.region,
        placeNames.starts[ordinal] ?? 0,
      ]),
      ...Array(PLACE_WORDS - 1).fill(0),
      placeNames.bytes.length,
    ]),
    placeNames: placeNames.bytes,
    placeRegions: bytesOf(Uint16Array.from(places, ({ region }) => region)),
    ids: words(ids.flat()),
    regions: words(regionTexts.starts),
    regionTexts: regionTexts.bytes,
    ...encodeKeys('name', names),
    ...encodeKeys('alias', aliases),
    ...encodeKeys('area', areas),
  };
  return encodeFile(sections as Record<SectionName, Uint8Array>);
}

function encodeFile(sections: Readonly<Record<SectionName, Uint8Array>>): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const parts: Uint8Array[] = [header];
  let end = HEADER_BYTES;
  SECTIONS.forEach((name, index) => {
    const bytes = sections[name];
    const start = alignLength(end);
    parts.push(Buffer.alloc(start - end), bytes);
    end = start + bytes.length;
    header.writeUInt32LE(start, 4 * (FIXED_WORDS + 2 * index));
    header.writeUInt32LE(end, 4 * (FIXED_WORDS + 2 * index + 1));
  });
  parts.push(Buffer.alloc(alignLength(end) - end));
  header.write(MAGIC, 'latin1');
  header.writeUInt32LE(VERSION, MAGIC.length);
  header.writeUInt32LE(fileLength(alignLength(end)), MAGIC.length + 4);
  const content = Buffer.concat(parts);
  const checksums = new Uint32Array(Math.ceil(content.length / BLOCK_BYTES));
  for (const block of checksums.keys()) {
    checksums[block] = checksum(content.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES));
  }
  return Buffer.concat([content, Buffer.from(checksums.buffer)]);
}

/** The four sections of a `KeyIndex`. */
function encodeKeys(
  index: KeyIndexName,
  postingsOf: ReadonlyMap<string, readonly number[]>,
): Partial<Record<SectionName, Uint8Array>> {
  const directory: number[] = [];
  const heads: Buffer[] = [];
  const keys: Buffer[] = [];
  const postings: number[] = [];
  let keysBytes = 0;
  let headsBytes = 0;
  let before = Buffer.alloc(0);
  // Sorts UTF-8 bytes as Latin-1 text, because that's fast and keeps the byte order.
  const sorted = [...postingsOf].map(([key, under]) => [Buffer.from(key).toString('latin1'), under] as const);
  sorted.sort(([a], [b]) => (a < b ? -1 : 1));
  sorted.forEach(([latin1, under], position) => {
    const key = Buffer.from(latin1, 'latin1');
    if (key.length > KEY_MAX_BYTES) throw new RangeError(`the key is too long: ${key}`);
    if (position % KEYS_PER_BLOCK === 0) {
      directory.push(keysBytes, headsBytes, postings.length);
      heads.push(key);
      headsBytes += key.length;
      before = Buffer.alloc(0);
    }
    const shared = sharedBytes(before, key);
    const entry = Buffer.alloc(KEY_HEAD_BYTES + key.length - shared);
    entry.writeUInt8(shared, 0);
    entry.writeUInt8(key.length - shared, 1);
    entry.writeUInt16LE(under.length, 2);
    key.copy(entry, KEY_HEAD_BYTES, shared);
    keys.push(entry);
    keysBytes += entry.length;
    postings.push(...under);
    before = key;
  });
  directory.push(keysBytes, headsBytes, postings.length);
  return {
    [`${index}.directory`]: words(directory),
    [`${index}.heads`]: Buffer.concat(heads),
    [`${index}.keys`]: Buffer.concat(keys),
    [`${index}.postings`]: words(postings),
  };
}

function sharedBytes(a: Buffer, b: Buffer): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return shared;
}

/** Concatenates texts. `starts` has the offset of each text, then the total length. */
function texts(all: readonly string[]): { starts: number[]; bytes: Buffer } {
  const starts: number[] = [];
  const parts = all.map((text) => Buffer.from(text));
  let end = 0;
  for (const part of parts) {
    starts.push(end);
    end += part.length;
  }
  return { starts: [...starts, end], bytes: Buffer.concat(parts) };
}

function words(numbers: readonly number[]): Uint8Array {
  return bytesOf(Uint32Array.from(numbers));
}

function bytesOf(numbers: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer);
}
