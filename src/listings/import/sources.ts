import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { inPool } from '../../contract/promises.ts';
import { isObject } from '../../contract/values.ts';
import { chunksOf, type Input } from '../read/bytes.ts';
import { readJson } from '../read/json.ts';
import { decodeText } from '../read/other-formats.ts';
import { systemOf } from './detect.ts';
import { withMarkup } from './markup.ts';
import { type DocumentPostings, readPostings, type SourceDocument, type System } from './system.ts';
import { SYSTEMS, type SystemName } from './systems/index.ts';

interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
}

export interface SourceContext extends Input {
  /** Reads a public address. Throws errors of the table, with the status that was answered. */
  readonly readAddress: (address: string) => Promise<ReadBytes>;
  /** What the user says that it is; without it each document shows it. */
  readonly from?: SystemName | undefined;
  /** Asks for the questions of each posting, where a board's list has none. */
  readonly withQuestions?: boolean | undefined;
}

export interface SourceReading extends DocumentPostings {
  /** The file or the address. */
  readonly name: string;
  readonly system: System;
  /** Sentences on what of the document could not be read. */
  readonly warnings: readonly string[];
}

interface Board {
  readonly system: System;
  readonly token: string;
  readonly url: string;
}

const MAX_BYTES = 64 * 1024 * 1024;
const QUESTIONS_AT_ONCE = 4;
const FILE_NAME = /\.(?:json|ndjson|jsonl|xml|html?)$/i;

/** The postings of each document of a source: a file, a directory, `-`, an address or a board. Throws what is wrong with it. */
export async function* readSource(source: string, context: SourceContext): AsyncGenerator<SourceReading> {
  const board = await boardOf(source);
  if (board !== undefined) yield await boardPostings(board, context);
  else if (/^https?:/i.test(source)) yield await addressPostings(source, context);
  else {
    for (const file of await filesOf(source)) {
      const name = file === '-' ? 'stdin' : file;
      const document = await documentOf(name, { bytes: await boundedBytes(file, name, context) });
      yield reading(document, await systemOf(document, context.from));
    }
  }
}

async function addressPostings(address: string, context: SourceContext): Promise<SourceReading> {
  const document = await documentOf(address, await context.readAddress(address));
  return reading(document, await systemOf(document, context.from));
}

function reading(document: SourceDocument, system: System): SourceReading {
  const { name, warnings = [] } = document;
  return { name, system, warnings, ...readPostings(system, document) };
}

const SYSTEM_NAMES = Object.keys(SYSTEMS) as SystemName[];

/** The board of `greenhouse:acme`, or of the address at which people see it. Throws USAGE for a board that cannot be. */
async function boardOf(source: string): Promise<Board | undefined> {
  const [, prefix, token = ''] = /^([a-z.]+):(?!\/)(.*)$/s.exec(source) ?? [];
  const name = SYSTEM_NAMES.find((known) => known === prefix);
  if (name !== undefined) return namedBoard(await SYSTEMS[name](), token);
  if (!/^https?:/i.test(source) || !URL.canParse(source)) return undefined;
  const address = new URL(source);
  for (const known of SYSTEM_NAMES) {
    const system: System = await SYSTEMS[known]();
    const seen = system.boardToken?.(address);
    if (seen !== undefined) return namedBoard(system, decodeURIComponent(seen), address);
  }
  return undefined;
}

function namedBoard(system: System, token: string, seenAt?: URL): Board {
  if (system.boardUrl === undefined) {
    const hint = 'give the file or the address of its feed';
    throw new PartnerError('USAGE', {
      message: `${system.title} has no public board to read by a name`,
      hint,
    });
  }
  if (!/^[A-Za-z0-9._-]+$/.test(token) || /^\.+$/.test(token)) {
    const hint = "it is the part of the board's address that names the company: letters, digits, . _ and -";
    throw new PartnerError('USAGE', {
      message: `this is no name of a board at ${system.title}: ${JSON.stringify(token)}`,
      hint,
    });
  }
  return { system, token, url: system.boardUrl(token, seenAt) };
}

async function boardPostings({ system, token, url }: Board, context: SourceContext): Promise<SourceReading> {
  const answer = await context.readAddress(url).catch((error: unknown) => {
    if (!(error instanceof PartnerError) || error.code !== 'NOT_FOUND') throw error;
    const message = `there is no board called ${token} at ${system.title}`;
    throw error.with({ message, hint: "check the name: it is in the board's address" });
  });
  const document = await documentOf(url, answer);
  if (context.withQuestions !== true) return reading(document, system);
  return reading(await withQuestions(document, { system, token, url }, context), system);
}

/** A posting that is gone since the list was made stays as the list has it. */
async function withQuestions(
  document: SourceDocument,
  { system, token }: Board,
  context: SourceContext,
): Promise<SourceDocument> {
  const postings = [...system.postings(document)];
  await inPool([...postings.entries()], QUESTIONS_AT_ONCE, async ([index, posting]) => {
    const id = system.id(posting);
    const url = id === undefined ? undefined : system.questionsUrl?.(token, id);
    if (url === undefined) return;
    const answer = await context.readAddress(url).catch((error: unknown) => {
      if (error instanceof PartnerError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
    const { json } = answer === undefined ? {} : await documentOf(url, answer);
    if (isObject(posting) && isObject(json)) postings[index] = { ...posting, ...json };
  });
  return { ...document, json: postings };
}

/** The files of a directory that may be documents, in the order of their names; anything else by itself. */
async function filesOf(source: string): Promise<readonly string[]> {
  const stats = source === '-' ? undefined : await stat(source).catch(() => undefined);
  if (stats?.isDirectory()) {
    const names = (await readdir(source)).filter((name) => FILE_NAME.test(name)).sort();
    if (names.length > 0) return names.map((name) => join(source, name));
    const hint = 'name a directory with .json, .ndjson, .xml or .html files';
    throw new PartnerError('FILE_UNREADABLE', {
      message: `${source} has no file that can be imported`,
      hint,
    });
  }
  if (stats === undefined && /^[a-z.]+:[\w.-]+$/.test(source)) {
    const message = `no system is called ${source.slice(0, source.indexOf(':'))}`;
    throw new PartnerError('USAGE', { message, hint: `known are ${SYSTEM_NAMES.join(', ')}` });
  }
  return [source];
}

async function boundedBytes(file: string, name: string, input: Input): Promise<Uint8Array> {
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
  return Buffer.concat(chunks);
}

async function documentOf(name: string, { bytes, contentType }: ReadBytes): Promise<SourceDocument> {
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
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      if (lines.length > 1) return lines.map((line): unknown => JSON.parse(line));
    } catch {
      // The fault of the whole text says more.
    }
    const { line, column, message, hint } = {
      line: 1,
      column: 1,
      message: 'this is no JSON',
      ...faultOf(text),
    };
    throw new PartnerError('FILE_INVALID', { message: `${name}:${line}:${column}: ${message}`, hint });
  }
}

function faultOf(text: string): { line: number; column: number; message: string; hint?: string } | undefined {
  const read = readJson(text);
  return read.ok ? undefined : read.fault;
}
