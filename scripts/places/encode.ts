import {
  encodeFile,
  KEY_HEAD_BYTES,
  KEY_MAX_BYTES,
  KEYS_PER_BLOCK,
  type KeyIndexName,
  PLACE_WORDS,
  type SectionName,
} from '../../src/engine/places/format.ts';
import type { Gazetteer } from './gazetteer.ts';

/** The index file of a gazetteer. The same gazetteer gives the same bytes. */
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
  // As Latin-1 text the bytes of UTF-8 sort fast, and in their own order.
  const sorted = [...postingsOf].map(([key, under]) => [Buffer.from(key).toString('latin1'), under] as const);
  sorted.sort(([a], [b]) => (a < b ? -1 : 1));
  sorted.forEach(([latin1, under], position) => {
    const key = Buffer.from(latin1, 'latin1');
    if (key.length > KEY_MAX_BYTES) throw new RangeError(`too long for a key: ${key}`);
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

/** Texts one after the other, and where each starts; then the end of all. */
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
