const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_CENTRAL = 0x06054b50;
const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
/** Behind the end record stands a comment whose length has two bytes. */
const END_SEARCH_BYTES = END_BYTES + 0xffff;

/**
 * The names of the entries of a ZIP archive, by its central directory (APPNOTE.TXT 4.3.12); undefined for what is
 * no whole archive. Nothing is unpacked.
 */
export function zipNames(bytes: Buffer): readonly string[] | undefined {
  if (bytes.length < END_BYTES || bytes.readUInt32LE(0) !== LOCAL_HEADER) return undefined;
  const end = endRecord(bytes);
  if (end === undefined) return undefined;
  const names: string[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + CENTRAL_HEADER_BYTES > end || bytes.readUInt32LE(at) !== CENTRAL_HEADER) return undefined;
    const nameBytes = bytes.readUInt16LE(at + 28);
    const from = at + CENTRAL_HEADER_BYTES;
    names.push(bytes.toString('utf8', from, from + nameBytes));
    at = from + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names;
}

/** The content of an archive's first entry where it is stored unpacked under `name`; else undefined. */
export function zipFirstEntry(bytes: Buffer, name: string): string | undefined {
  if (bytes.length < LOCAL_HEADER_BYTES || bytes.readUInt16LE(8) !== 0) return undefined;
  const nameEnd = LOCAL_HEADER_BYTES + bytes.readUInt16LE(26);
  const from = nameEnd + bytes.readUInt16LE(28);
  if (bytes.toString('latin1', LOCAL_HEADER_BYTES, nameEnd) !== name) return undefined;
  return bytes.toString('latin1', from, from + bytes.readUInt32LE(18));
}

function endRecord(bytes: Buffer): number | undefined {
  const earliest = Math.max(0, bytes.length - END_SEARCH_BYTES);
  for (let at = bytes.length - END_BYTES; at >= earliest; at--) {
    if (bytes.readUInt32LE(at) === END_OF_CENTRAL) return at;
  }
  return undefined;
}
