import { isUtf8 } from 'node:buffer';
import { CONTENT_FIELDS } from '../../contract/job.ts';
import { positionsIn } from '../../contract/json/positions.ts';
import { isObject } from '../../contract/values.ts';
import { contentFault, type Fault } from '../check/finding.ts';
import type { DocumentReading } from './listing.ts';
import others from './other-formats.json' with { type: 'json' };

export const EMPTY_FILE = contentFault(
  'the file is empty',
  'a job file holds a listing, { "title": "Welder", … }: `partner schema` shows its fields',
);

export type Decoded = { readonly text: string } | { readonly fault: Fault };

/** The bytes of a file as text. Takes UTF-8, with a byte order mark or without, and names what else it is. */
export function decodeText(bytes: Uint8Array): Decoded {
  const fault = foreignFault(bytes);
  return fault === undefined ? decodeUtf8(bytes) : { fault };
}

/** Creates a reader of a file's bytes from a reader of its text. */
export function ofText(read: (text: string) => Iterable<DocumentReading>) {
  return function* (bytes: Uint8Array): Generator<DocumentReading> {
    const decoded = decodeText(bytes);
    if ('fault' in decoded) yield { ok: false, fault: decoded.fault };
    else yield* read(decoded.text);
  };
}

/** The same of a part of a file that is known to be text; `bytesBefore` stand before it in the file. */
export function decodeUtf8(bytes: Uint8Array, bytesBefore = 0): Decoded {
  // `TextDecoder` takes a byte order mark off.
  return isUtf8(bytes) ? { text: DECODER.decode(bytes) } : { fault: notUtf8Fault(bytes, bytesBefore) };
}

const DECODER = new TextDecoder();

/** By how a file begins: what else it is than text in UTF-8. */
export function foreignFault(bytes: Uint8Array): Fault | undefined {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  const foreign = others.files.find(({ start }) => head.startsWith(start));
  if (foreign)
    return contentFault(
      `this is ${foreign.is}, not text`,
      'a listing is text in UTF-8; the name of a workbook ends in .xlsx',
    );
  const unicode = otherUnicode(head);
  if (unicode) return contentFault(`this is text in ${unicode}, not in UTF-8`, savedAs(unicode.slice(0, 6)));
  const nulAt = head.indexOf('\0');
  if (nulAt === -1) return undefined;
  return contentFault(`this is no text: byte ${nulAt + 1} is NUL`, 'give a file of text in UTF-8');
}

/** By the byte order mark or, without one, by where the NUL bytes of plain letters stand. */
function otherUnicode(head: string): string | undefined {
  if (/^(?:\xff\xfe\0\0|\0\0\xfe\xff)/.test(head)) return 'UTF-32';
  if (/^\xff\xfe|^(?:[^\0]\0){2}/.test(head)) return 'UTF-16 (little-endian)';
  if (/^\xfe\xff|^(?:\0[^\0]){2}/.test(head)) return 'UTF-16 (big-endian)';
  return undefined;
}

function notUtf8Fault(bytes: Uint8Array, bytesBefore: number): Fault {
  // What is not UTF-8 changes when it is decoded and encoded again.
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const encoded = new TextEncoder().encode(lossy);
  const at = bytes.findIndex((byte, offset) => byte !== encoded[offset]);
  const before = DECODER.decode(bytes.subarray(0, at));
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const shown = new TextDecoder('windows-1252').decode(bytes.subarray(at, at + 1));
  return {
    rule: 'file-content',
    message: `byte ${bytesBefore + at + 1} (0x${byte}) is not UTF-8`,
    hint: `the file may be in Latin-1 or Windows-1252, where that is ${shown}: ${savedAs('WINDOWS-1252')}`,
    ...positionsIn(before)(before.length),
  };
}

function savedAs(encoding: string): string {
  return `save it as UTF-8 in your editor, or with \`iconv -f ${encoding} -t UTF-8 FILE > NEW\``;
}

/** What a text that is not JSON seems to be, by how it begins; undefined where it seems to be JSON with a fault. */
export function otherFormat(text: string): Fault | undefined {
  const begun = text.slice(0, 4096).trimStart().replaceAll('\r\n', '\n');
  if (/^[{[]/.test(begun)) return undefined;
  const known = others.texts.find(({ begins, flags }) => new RegExp(begins, flags).test(begun));
  return known && contentFault(`this is ${known.is}, not JSON`, hintOf(known));
}

function hintOf({ hint }: { readonly hint: string }): string {
  const { $listing, $import, $read } = others.hints;
  return hint
    .replace('$listing', $listing)
    .replace('$import', $import)
    .replace(/\$read (\w+)/, $read);
}

/** JSON that is no listing but holds one, or is a posting of another system; undefined for what may be a listing. */
export function otherShape(value: unknown): Fault | undefined {
  const posting = postingIn(value);
  if (posting !== undefined) return posting;
  if (!isObject(value) || CONTENT_FIELDS.some((field) => field in value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const [first] = Array.isArray(inner) ? inner : [inner];
    const nested = postingIn(first);
    if (nested !== undefined) return nested;
    if (!isObject(first) || !('title' in first)) continue;
    const hint = Array.isArray(inner)
      ? `leave ${JSON.stringify(name)} out: a file of several listings is the list itself, [ { … }, { … } ]`
      : `leave ${JSON.stringify(name)} out: a job file is the listing itself, { "title": ${JSON.stringify(first.title)}, … }`;
    return contentFault(`the listing is inside ${JSON.stringify(name)}`, hint);
  }
  return undefined;
}

function postingIn(value: unknown): Fault | undefined {
  const [first] = Array.isArray(value) ? value : [value];
  if (!isObject(first)) return undefined;
  const posting = others.postings.find(({ fields }) => fields.every((field) => field in first));
  return posting && contentFault(`this is ${posting.is}`, hintOf(posting));
}
