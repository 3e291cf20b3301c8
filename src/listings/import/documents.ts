import { PartnerError } from '../../contract/errors.ts';
import { chunksOf, type Input } from '../read/bytes.ts';
import { readJson } from '../read/json.ts';
import { decodeText } from '../read/other-formats.ts';
import { withMarkup } from './markup.ts';
import type { SourceDocument } from './system.ts';

export interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 1_000;

/** A file as a document, or stdin for `-`. Throws FILE_INVALID for one that is too large, before all of it is read. */
export async function fileDocument(file: string, input: Input): Promise<SourceDocument> {
  const name = file === '-' ? 'stdin' : file;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(file, input)) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) {
      const message = `${name} has more than ${MAX_BYTES / 1024 / 1024} MiB, and is read no further`;
      throw new PartnerError('FILE_INVALID', {
        message,
        hint: 'import it in parts, each a document of its own',
      });
    }
    chunks.push(chunk);
  }
  return documentOf(name, { bytes: Buffer.concat(chunks) });
}

/** Bytes as JSON, XML or HTML, whatever the name says. Throws FILE_INVALID for broken ones. */
export async function documentOf(name: string, { bytes, contentType }: ReadBytes): Promise<SourceDocument> {
  const text = textOf(name, bytes, contentType);
  if (/^\s*[[{]/.test(text)) return { name, text, json: jsonOf(name, text) };
  return withMarkup({ name, text });
}

/** UTF-8 where it is that, whatever is declared; else by the declaration of the answer or of the XML. */
function textOf(name: string, bytes: Uint8Array, contentType = ''): string {
  const decoded = decodeText(bytes);
  if ('text' in decoded) return decoded.text;
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const [, mark] = /^(\xff\xfe|\xfe\xff)/.exec(head) ?? [];
  const [, declared] =
    /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType) ??
    /^<\?xml[^>]*\sencoding=["']([\w:.-]+)/.exec(head) ??
    [];
  const label = mark === undefined ? declared : mark === '\xff\xfe' ? 'utf-16le' : 'utf-16be';
  try {
    if (label !== undefined) return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    // A name that nobody knows, or bytes that are something else.
  }
  const { message, hint } = decoded.fault;
  throw new PartnerError('FILE_INVALID', { message: `${name}: ${message}`, hint });
}

/** One JSON text, or one on each line. */
function jsonOf(name: string, text: string): unknown {
  if (!isTooDeep(text)) {
    const whole = parsed(text);
    if (whole !== undefined) return whole;
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const values = lines.map(parsed);
    if (lines.length > 1 && !values.includes(undefined)) return values;
  }
  const reading = readJson(text);
  if (reading.ok) return reading.document.value;
  const { line, column, message, hint } = reading.fault;
  throw new PartnerError('FILE_INVALID', { message: `${name}:${line}:${column}: ${message}`, hint });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH] = ['"', '\\'].map((sign) => sign.charCodeAt(0));
const [OPEN, CLOSE] = ['[{', ']}'].map((signs) => [...signs].map((sign) => sign.charCodeAt(0)));

/** `JSON.parse` takes a gigabyte for ten million brackets. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length && depth <= MAX_DEPTH; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText) at += code === BACKSLASH ? 1 : 0;
    else if (OPEN?.includes(code)) depth++;
    else if (CLOSE?.includes(code)) depth--;
  }
  return depth > MAX_DEPTH;
}
