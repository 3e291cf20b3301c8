import { PartnerError } from '../../contract/errors.ts';
import { malformedFault } from '../../contract/json/fault.ts';
import { positionsIn } from '../../contract/json/positions.ts';
import { DOCUMENT_VALUES_MAX, JsonReader } from '../../contract/json/reader.ts';
import { Malformed } from '../../contract/json/words.ts';
import { documentOf as bytesOf, type Input } from '../read/bytes.ts';
import { decodeText } from '../read/other-formats.ts';
import { jsonLdOf, ldJsonScripts } from './json-ld.ts';
import type { SourceDocument } from './system.ts';
import { readXml } from './xml.ts';

export interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
}

/** A file as a document, or stdin for `-`. Throws FILE_INVALID for one that is too large, before all of it is read. */
export async function fileDocument(file: string, input: Input): Promise<SourceDocument> {
  const name = file === '-' ? 'stdin' : file;
  const read = await bytesOf(file, input);
  if ('bytes' in read) return documentOf(name, read);
  const hint = 'import it in parts, each a document of its own';
  throw new PartnerError('FILE_INVALID', { message: `${name}: ${read.fault.message}`, hint });
}

const SNIFFED_CHARACTERS = 4_000;
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|script|style|meta|div|main|section|article|p|h[1-6])\b/i;

/**
 * Bytes as JSON, XML or HTML, whatever the name says. Throws FILE_INVALID for broken ones, and for a page without a
 * JobPosting.
 */
export async function documentOf(name: string, { bytes, contentType }: ReadBytes): Promise<SourceDocument> {
  const text = textOf(name, bytes, contentType);
  if (/^\s*[[{]/.test(text)) return { name, text, json: jsonOf(name, text) };
  if (!/^\s*</.test(text)) return { name, text };
  const start = text.slice(0, SNIFFED_CHARACTERS).replace(/<!--.*?-->|<\?[^>]*>/gs, '');
  if (!HTML_START.test(start.trimStart())) return { name, text, xml: await readXml(text, name) };
  return { name, text, ...jsonLdOf(await ldJsonScripts(text, name), name) };
}

/** UTF-8 where it is that, whatever is declared; else by the declaration of the answer or of the XML. */
function textOf(name: string, bytes: Uint8Array, contentType = ''): string {
  const decoded = decodeText(bytes);
  if ('text' in decoded) return decoded.text;
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const [, declared] =
    /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType) ??
    /^<\?xml[^>]*\sencoding=["']([\w:.-]+)/.exec(head) ??
    [];
  const label = head.startsWith('\xff\xfe')
    ? 'utf-16le'
    : head.startsWith('\xfe\xff')
      ? 'utf-16be'
      : declared;
  try {
    if (label !== undefined) return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    // A name that nobody knows, or bytes that are something else.
  }
  const { message, hint } = decoded.fault;
  throw new PartnerError('FILE_INVALID', { message: `${name}: ${message}`, hint });
}

/** By our own reader: `JSON.parse` takes a gigabyte for ten million brackets. */
function jsonOf(name: string, text: string): unknown {
  try {
    return new JsonReader(text, 0, 0, { valuesMax: DOCUMENT_VALUES_MAX }).readWhole();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const { line, column, message, hint } = malformedFault(error, positionsIn(text));
    throw new PartnerError('FILE_INVALID', { message: `${name}:${line}:${column}: ${message}`, hint });
  }
}
