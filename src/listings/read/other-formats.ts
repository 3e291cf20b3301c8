import { isUtf8 } from 'node:buffer';
import { CONTENT_FIELDS } from '../../contract/job.ts';
import { isObject } from '../../contract/values.ts';
import { createPositionFinder } from '../../json/positions.ts';
import { contentFault, type Fault } from '../check/finding.ts';
import type { DocumentReading } from './listing.ts';
import others from './other-formats.json' with { type: 'json' };

export const EMPTY_FILE = contentFault(
  'the file is empty',
  'a job file contains a listing: { "title": "Welder", … }. `partner schema` shows its fields',
);

export type Decoded = { readonly text: string } | { readonly fault: Fault };

/** Decodes UTF-8, with or without a byte order mark. For other content, the fault includes the detected format. */
export function decodeText(bytes: Uint8Array): Decoded {
  const fault = foreignFault(bytes);
  return fault === undefined ? decodeUtf8(bytes) : { fault };
}

export function ofText(read: (text: string) => Iterable<DocumentReading>) {
  return (bytes: Uint8Array): Iterable<DocumentReading> => {
    const decoded = decodeText(bytes);
    return 'fault' in decoded ? [{ ok: false, fault: decoded.fault }] : read(decoded.text);
  };
}

/** Decodes a part of a text file. `bytesBefore` is its offset in the file. */
export function decodeUtf8(bytes: Uint8Array, bytesBefore = 0): Decoded {
  return isUtf8(bytes) ? { text: DECODER.decode(bytes) } : { fault: notUtf8Fault(bytes, bytesBefore) };
}

const DECODER = new TextDecoder();

export function foreignFault(bytes: Uint8Array): Fault | undefined {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  const foreign = others.files.find(({ start }) => head.startsWith(start));
  if (foreign)
    return contentFault(
      `expected text, got ${foreign.is}`,
      'the file must be UTF-8 text. Save a workbook as .xlsx or .csv',
    );
  const unicode = otherUnicode(head);
  if (unicode) return contentFault(`expected UTF-8 text, got ${unicode}`, suggestSaving(unicode.slice(0, 6)));
  const nulAt = head.indexOf('\0');
  if (nulAt === -1) return undefined;
  return contentFault(`expected text, but byte ${nulAt + 1} is NUL`, 'use a UTF-8 text file');
}

function otherUnicode(head: string): string | undefined {
  if (/^(?:\xff\xfe\0\0|\0\0\xfe\xff)/.test(head)) return 'UTF-32';
  if (/^\xff\xfe|^(?:[^\0]\0){2}/.test(head)) return 'UTF-16 (little-endian)';
  if (/^\xfe\xff|^(?:\0[^\0]){2}/.test(head)) return 'UTF-16 (big-endian)';
  return undefined;
}

function notUtf8Fault(bytes: Uint8Array, bytesBefore: number): Fault {
  // Finds the first invalid byte: invalid UTF-8 changes if it's decoded and encoded again.
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const encoded = new TextEncoder().encode(lossy);
  const at = bytes.findIndex((byte, offset) => byte !== encoded[offset]);
  const before = DECODER.decode(bytes.subarray(0, at));
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  // Without `stream`, Node.js 20 decodes some of these bytes to control characters.
  const shown = new TextDecoder('windows-1252').decode(bytes.subarray(at, at + 1), { stream: true });
  return {
    rule: 'file-content',
    message: `byte ${bytesBefore + at + 1} (0x${byte}) isn't UTF-8`,
    hint: `the file may be Latin-1 or Windows-1252, where this byte is ${shown}. To convert it, ${suggestSaving('WINDOWS-1252')}`,
    ...createPositionFinder(before)(before.length),
  };
}

function suggestSaving(encoding: string): string {
  return `save it as UTF-8 in your editor, or with \`iconv -f ${encoding} -t UTF-8 FILE > NEW\``;
}

export function otherFormat(text: string): Fault | undefined {
  const begun = text.slice(0, 4096).trimStart().replaceAll('\r\n', '\n');
  if (/^[{[]/.test(begun)) return undefined;
  const known = others.texts.find(({ begins, flags }) => new RegExp(begins, flags).test(begun));
  return known && contentFault(`expected JSON, got ${known.is}`, fillHint(known));
}

function fillHint({ hint }: { readonly hint: string }): string {
  const { $listing, $import, $read } = others.hints;
  return hint
    .replace('$listing', $listing)
    .replace('$import', $import)
    .replace(/\$read (\w+)/, $read);
}

export function otherShape(value: unknown): Fault | undefined {
  const posting = findPosting(value);
  if (posting !== undefined) return posting;
  if (!isObject(value) || CONTENT_FIELDS.some((field) => field in value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const [first] = Array.isArray(inner) ? inner : [inner];
    const nested = findPosting(first);
    if (nested !== undefined) return nested;
    // In a _defaults.yaml, `columns: { title: ignore }` is about a column called title.
    if (!isObject(first) || !('title' in first) || ['columns', 'fields'].includes(name)) continue;
    const hint = Array.isArray(inner)
      ? `remove ${JSON.stringify(name)}: a file of several listings must be a list, [ { … }, { … } ]`
      : `remove ${JSON.stringify(name)}: a job file must be the listing itself, { "title": ${JSON.stringify(first.title)}, … }`;
    return contentFault(`the listing is inside ${JSON.stringify(name)}`, hint);
  }
  return undefined;
}

function findPosting(value: unknown): Fault | undefined {
  const [first] = Array.isArray(value) ? value : [value];
  if (!isObject(first)) return undefined;
  const posting = others.postings.find(({ fields }) => fields.every((field) => field in first));
  return posting && contentFault(`expected a listing, got ${posting.is}`, fillHint(posting));
}
