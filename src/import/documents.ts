import { createPositionFinder } from '../json/positions.ts';
import { JsonReader } from '../json/reader.ts';
import { readWholeFile as bytesOf, createTurns, type Input } from '../listings/read/bytes.ts';
import { translateReadError } from '../listings/read/json.ts';
import { decodeText } from '../listings/read/other-formats.ts';
import { createDocumentError, ldJsonScripts, parseJsonLd } from './json-ld.ts';
import type { SourceDocument } from './system.ts';
import { readXml } from './xml.ts';

export interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
}

/** Reads a file (`-` is stdin). Throws FILE_INVALID as soon as it's too large. */
export async function fileDocument(file: string, input: Input): Promise<SourceDocument> {
  const name = file === '-' ? 'stdin' : file;
  const read = await bytesOf(file, input);
  if ('bytes' in read) return parseDocument(name, read, createTurns(input.interrupted));
  throw createDocumentError(name, read.fault.message, 'split it into several documents and import each');
}

const SNIFFED_CHARACTERS = 4_000;
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|script|style|meta|div|main|section|article|p|h[1-6])\b/i;

/** Detects JSON, XML or HTML by content. Throws FILE_INVALID for a broken file or a page without a JobPosting. */
export async function parseDocument(
  name: string,
  { bytes, contentType }: ReadBytes,
  turn = createTurns(undefined),
): Promise<SourceDocument> {
  const text = decodeDocument(name, bytes, contentType);
  if (/^\s*[[{]/.test(text)) return { name, text, json: parseJsonDocument(name, text) };
  if (!/^\s*</.test(text)) return { name, text };
  const start = text.slice(0, SNIFFED_CHARACTERS).replace(/<!--.*?-->|<\?[^>]*>/gs, '');
  if (!HTML_START.test(start.trimStart())) return { name, text, xml: await readXml(text, name, turn) };
  return { name, text, ...parseJsonLd(await ldJsonScripts(text, name, turn), name) };
}

/** Encodings by byte order mark. */
const BY_MARK: Readonly<Record<string, string>> = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' };

/** Prefers UTF-8 if it's valid, then the encoding from the response header or the XML declaration. */
function decodeDocument(name: string, bytes: Uint8Array, contentType = ''): string {
  const decoded = decodeText(bytes);
  if ('text' in decoded) return decoded.text;
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const inHeader = /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType);
  const [, declared] = inHeader ?? /^<\?xml[^>]*\sencoding=["']([\w:.-]+)/.exec(head) ?? [];
  const label = BY_MARK[head.slice(0, 2)] ?? declared;
  try {
    if (label !== undefined) return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    // The label is unknown, or the bytes don't match it.
  }
  throw createDocumentError(name, decoded.fault.message, decoded.fault.hint);
}

/** Doesn't use `JSON.parse`, which would need a gigabyte for ten million brackets. */
function parseJsonDocument(name: string, text: string): unknown {
  try {
    return new JsonReader(text, 0).readWhole();
  } catch (error) {
    const findPosition = createPositionFinder(text);
    const { line, column, message, hint } = translateReadError(error, 'json-syntax', findPosition);
    throw createDocumentError(`${name}:${line}:${column}`, message, hint);
  }
}
